import { isRecord } from "../basics/json.ts";
import { acceptText, InputFields, squash } from "./fields.ts";
import type { TodoItem, TodoStatus } from "./tool-use.ts";

const ID = ["id", "task_id", "todo_id"];
const TEXT = ["content", "step", "subject", "title", "text", "description", "task", "name"];

/**
 * A whole todo list, in any agent's spelling; `undefined` for anything else.
 *
 *   [{ content: "Fix it", status: "in_progress" }]   [{ step: "Fix it", status: "in_progress" }]   "[-] Fix it"
 *   ->  [{ text: "Fix it", status: "in_progress" }]
 */
export function readTodoList(value: unknown): readonly TodoItem[] | undefined {
  if (typeof value === "string") return readChecklist(value);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown): readonly TodoItem[] => {
    if (typeof item === "string") return [{ text: item, status: "pending" }];
    if (!isRecord(item)) return [];
    const fields = new InputFields(item);
    return [{ ...readNames(fields), status: readStatus(fields) ?? "pending" }];
  });
}

/** Does it have a text and a task's status? Items of other lists, such as search results, have no such status. */
export function isTodoItem(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const fields = new InputFields(value);
  return readNames(fields).text !== undefined && readStatus(fields) !== undefined;
}

/** The one item of a call; `undefined` if the call contains neither text nor status, because it only reads. */
export function readTodoItem(fields: InputFields, sets: TodoStatus | undefined): TodoItem | undefined {
  const status = sets ?? readStatus(fields);
  const item = { ...readNames(fields), ...(status && { status }) };
  return item.text === undefined && item.status === undefined ? undefined : item;
}

/** The id that the answer to a call gives to the new item: `Task #3 created`, `Added todo (id: a7)`. */
export function readNewId(answer: string): string | undefined {
  return /(?:#|\bid\b["':= ]{1,4})([\w-]+)/i.exec(answer)?.[1];
}

function readNames(fields: InputFields): Pick<TodoItem, "id" | "text"> {
  const id = fields.find(ID, acceptId)?.value;
  const text = fields.find(TEXT, acceptText)?.value;
  return { ...(id !== undefined && { id }), ...(text !== undefined && { text }) };
}

function acceptId(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : acceptText(value);
}

const STATUSES: Readonly<Record<TodoStatus, readonly string[]>> = {
  pending: ["pending", "todo", "open", "notstarted", "blocked"],
  in_progress: ["inprogress", "active", "doing", "started", "current"],
  completed: ["completed", "complete", "done", "finished"],
  cancelled: ["cancelled", "canceled", "deleted", "removed", "skipped", "abandoned"],
};

const STATUS_OF: ReadonlyMap<string, TodoStatus> = new Map(
  (["pending", "in_progress", "completed", "cancelled"] as const).flatMap((status) =>
    STATUSES[status].map((word) => [word, status] as const),
  ),
);

/** An unknown word is ignored: the item keeps its status. */
function readStatus(fields: InputFields): TodoStatus | undefined {
  const word = fields.find("status", acceptText)?.value;
  return word === undefined ? undefined : STATUS_OF.get(squash(word));
}

const BOX = /^(?:[-*]\s+|\d+[.)]\s+)?\[([ xX~/-])\]\s+(\S.*)/;

function readChecklist(text: string): readonly TodoItem[] | undefined {
  const items = text.split("\n").flatMap((line): readonly TodoItem[] => {
    const [, mark = "", item] = BOX.exec(line.trim()) ?? [];
    return item === undefined ? [] : [{ text: item.trimEnd(), status: MARKS[mark] ?? "in_progress" }];
  });
  return items.length > 0 ? items : undefined;
}

const MARKS: Readonly<Record<string, TodoStatus>> = { " ": "pending", x: "completed", X: "completed" };
