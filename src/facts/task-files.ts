import { rememberAt } from "../basics/remember.ts";
import type { Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { UndoLog } from "../transcript/undo-log.ts";
import type { CallFact, CallFacts } from "./calls.ts";
import type { FileFacts } from "./files.ts";
import { Mentions, type Spellings, spell } from "./mentions.ts";
import type { TodoList } from "./todo-list.ts";

/**
 * The state of a view's files in the work.
 *
 *   planned    not changed since the view, and the task names them: the user's messages, a plan, an open todo
 *   mentioned  not changed since, and named more loosely: by an earlier message, by the agent's last words, by their
 *              folder, or by a symbol that hardly anything else shows
 *   unnamed    not changed since, and nobody names them
 *   changing   changed since the view, within the last 3 steps
 *   resting    the same, within the last 10
 *   left       the same, longer ago
 */
export type WorkState = "planned" | "mentioned" | "unnamed" | "changing" | "resting" | "left";

const CHANGING = 3;
const RESTING = 10;

/** For this many steps, the agent's own words about a file count. */
const LAST_WORDS = 10;

/** In characters. A longer text of the agent does not announce its next action. */
const LONG_TEXT = 4_000;

/** The inputs for the state of the work. */
interface Sources {
  readonly calls: CallFacts;
  readonly files: FileFacts;
  readonly todos: TodoList;
}

/** The state of the work: which files the task is about, which are being changed, and which the agent has left. */
export class TaskFiles {
  readonly #transcript: Transcript;
  readonly #sources: Sources;
  /** By turn. */
  readonly #byUser: Mentions;
  /** By step. */
  readonly #byAgent: Mentions;
  readonly #byTodos: () => Mentions | undefined;
  /** `task`: the newest turn that names a file. `names`: the version of the transcript with the last new names. */
  readonly #state = { task: 0, names: 0 };
  readonly #known = new Map<string, KnownPath>();

  constructor(transcript: Transcript, sources: Sources) {
    this.#transcript = transcript;
    this.#sources = sources;
    this.#byUser = new Mentions(transcript.undoLog);
    this.#byAgent = new Mentions(transcript.undoLog);
    this.#byTodos = rememberAt(
      () => transcript.version,
      () => readTodos(sources.todos),
    );
  }

  ingest(from: number, to: number): void {
    const { turn, step, undoLog } = this.#transcript;
    for (let i = from; i < to; i++) {
      const part = this.#transcript.part(i);
      if (saysTask(part) || this.#sources.calls.useOf(i)?.plan) {
        const at = turn[i] ?? 0;
        const named = part.leaves.filter(({ text }) => this.#byUser.ingest(text, at));
        if (named.length === 0) continue;
        undoLog.put(this.#state, "task", at);
      } else if (part.kind === "text" && part.role === "assistant") {
        const short = part.leaves.filter(({ text }) => text.length <= LONG_TEXT);
        const named = short.filter(({ text }) => this.#byAgent.ingest(text, step[i] ?? 0));
        if (named.length === 0) continue;
      } else continue;
      undoLog.put(this.#state, "names", this.#transcript.version);
    }
  }

  /** Does the task name a file of this view, or is the agent changing one? */
  isWorkedOn(view: CallFact): boolean {
    const state = this.stateOf(view, false);
    if (state === "mentioned") return view.use.files.some(({ path }) => this.#howNamed(path) === "planned");
    return state === "planned" || state === "changing";
  }

  /** @param showsNamed does it show a symbol that a message names and hardly anything else shows? */
  stateOf({ call, use, step }: CallFact, showsNamed: boolean): WorkState {
    const { lastStep } = this.#transcript;
    let changed = -1;
    for (const { path } of use.files)
      changed = Math.max(changed, this.#sources.files.changes(path).at(-1) ?? -1);
    if (changed > step) {
      const ago = lastStep - changed;
      return ago <= CHANGING ? "changing" : ago <= RESTING ? "resting" : "left";
    }
    let state: WorkState = showsNamed ? "mentioned" : "unnamed";
    // A view from an earlier task is seldom edited in the current one, even if the current one names it.
    const isOfTask = (this.#transcript.turn[call] ?? 0) >= this.#state.task;
    for (const { path } of use.files) {
      const how = this.#howNamed(path);
      if (how === "planned" && isOfTask) return how;
      if (how !== "unnamed") state = "mentioned";
    }
    return state;
  }

  #howNamed(path: string): Named {
    const { byMessages, mentions, spellings } = this.#knownPath(path);
    if (byMessages === "planned" || (this.#byTodos()?.fileAt(spellings) ?? -1) >= 0) return "planned";
    return mentions >= 0 && this.#transcript.lastStep - mentions <= LAST_WORDS ? "mentioned" : byMessages;
  }

  /** Looked up again only when messages have named something new. */
  #knownPath(path: string): KnownPath {
    const known = this.#known.get(path);
    const { names, task } = this.#state;
    if (known?.names === names) return known;
    const spellings = known?.spellings ?? spell(path);
    const turn = this.#byUser.fileAt(spellings);
    const isMentioned = turn >= 0 || this.#byUser.folderAt(spellings) >= 0;
    const byMessages = turn >= task && turn >= 0 ? "planned" : isMentioned ? "mentioned" : "unnamed";
    const now: KnownPath = { spellings, names, byMessages, mentions: this.#byAgent.fileAt(spellings) };
    this.#known.set(path, now);
    return now;
  }
}

type Named = "planned" | "mentioned" | "unnamed";

interface KnownPath {
  readonly spellings: Spellings;
  /** The value of `#state.names` at that time. */
  readonly names: number;
  readonly byMessages: Named;
  /** The last step in which the agent named it. */
  readonly mentions: number;
}

function saysTask(part: Part): boolean {
  return part.kind === "text" && part.role === "user" && !part.synthetic;
}

/** The files that the open tasks name. */
function readTodos({ tasks }: TodoList): Mentions | undefined {
  const open = tasks.filter(({ status }) => status === "pending" || status === "in_progress");
  if (open.length === 0) return undefined;
  const mentions = new Mentions(new UndoLog());
  for (const { text } of open) mentions.ingest(text, 0);
  return mentions;
}
