import { readNewId } from "../tool-kinds/todo-items.ts";
import type { TodoItem, TodoStatus } from "../tool-kinds/tool-use.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import { matchTasks } from "./match-tasks.ts";

/** A task of the agent's own list. */
export interface TodoTask {
  readonly id?: string;
  readonly text: string;
  readonly status: TodoStatus;
  /** The step that set it in progress; only while it is in progress. */
  readonly since?: number;
}

interface State {
  tasks: TodoTask[];
  byId: Map<string, number>;
  writtenAt: number | undefined;
  /** The server of the list; `undefined`: the host's own. */
  server: string | undefined;
}

/**
 * The newest state of the todo list. A call that failed or only reads changes nothing, nor does a server's list if
 * the host has its own.
 */
export class TodoList {
  readonly #state: State = { tasks: [], byId: new Map(), writtenAt: undefined, server: undefined };
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  get tasks(): readonly TodoTask[] {
    return this.#state.tasks;
  }

  /** The step of the last write; `undefined`: none yet. */
  get writtenAt(): number | undefined {
    return this.#state.writtenAt;
  }

  ingest(completed: readonly CallFact[]): void {
    for (const fact of completed) {
      const { todos, partial, server } = fact.use;
      if (!fact.ok || !todos || (server !== undefined && this.#hasOwn())) continue;
      if (partial) for (const item of todos) this.#writeOne(item, fact);
      else this.#writeAll(todos, fact.step);
      this.#put("writtenAt", fact.step);
      this.#put("server", server);
    }
  }

  #hasOwn(): boolean {
    return this.writtenAt !== undefined && this.#state.server === undefined;
  }

  #writeAll(items: readonly TodoItem[], step: number): void {
    const matches = matchTasks(this.#state.tasks, items);
    const tasks = items.map((item, i) => updateTask(matches[i], item, step));
    const byId = new Map<string, number>();
    for (const [i, { id }] of tasks.entries()) if (id !== undefined && !byId.has(id)) byId.set(id, i);
    this.#put("tasks", tasks);
    this.#put("byId", byId);
  }

  #writeOne(item: TodoItem, fact: CallFact): void {
    const { undoLog } = this.#transcript;
    const { tasks, byId } = this.#state;
    const id = item.id ?? this.#newId(fact);
    const at = id === undefined ? undefined : byId.get(id);
    const before = at === undefined ? undefined : tasks[at];
    const task = updateTask(before, id === undefined ? item : { ...item, id }, fact.step);
    if (at !== undefined) {
      undoLog.put(tasks, at, task);
      return;
    }
    if (id !== undefined) undoLog.set(byId, id, tasks.length);
    undoLog.push(tasks, task);
  }

  /** The id of a new task, from the answer to the call that made it. */
  #newId({ result }: CallFact): string | undefined {
    const answer = this.#transcript.part(result).leaves[0]?.text ?? "";
    const id = readNewId(answer.slice(0, 200));
    return id === undefined || this.#state.byId.has(id) ? undefined : id;
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.#transcript.undoLog.put(this.#state, key, value);
  }
}

/** The task with the item's fields; missing fields stay the same. */
function updateTask(before: TodoTask | undefined, item: TodoItem, step: number): TodoTask {
  const id = item.id ?? before?.id;
  const status = item.status ?? before?.status ?? "pending";
  return {
    ...(id !== undefined && { id }),
    text: item.text ?? before?.text ?? (id === undefined ? "a task without a text" : `task ${id}`),
    status,
    ...(status === "in_progress" && { since: before?.since ?? step }),
  };
}
