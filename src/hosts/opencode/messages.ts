import { findTagsAtEnd } from "../../agent/tags.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";

/** What the messages of an OpenCode request tell about it. */
export interface Conversation {
  readonly session: string;
  /**
   * The model of the request: that of the newest user message by time, because a compaction moves older messages to
   * the end.
   */
  readonly model: string | undefined;
}

export function readConversation(messages: readonly unknown[]): Conversation | undefined {
  let session: string | undefined;
  let model: string | undefined;
  let newest = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const info = isRecord(message) && isRecord(message.info) ? message.info : undefined;
    if (typeof info?.sessionID === "string") session ??= info.sessionID;
    const created = info?.role === "user" && isRecord(info.time) ? info.time.created : undefined;
    if (typeof created !== "number" || created < newest) continue;
    newest = created;
    model = isRecord(info?.model) && typeof info.model.modelID === "string" ? info.model.modelID : model;
  }
  return session === undefined ? undefined : { session, model };
}

/** The id of the compaction that these messages begin with. */
export function findCompaction([first]: readonly unknown[]): string | undefined {
  if (!isRecord(first) || !isRecord(first.info) || !Array.isArray(first.parts)) return undefined;
  const isCompaction = first.parts.some((part) => isRecord(part) && part.type === "compaction");
  return isCompaction && typeof first.info.id === "string" ? first.info.id : undefined;
}

/** Changes a list in place, because OpenCode continues with the list that it passed to us. */
export function replaceAll(list: unknown[], items: readonly unknown[]): void {
  list.length = 0;
  for (const item of items) list.push(item);
}

/** Removes the tags that the pruner put on results. A tag that was in the original text stays. */
export function withoutTags(pruned: readonly unknown[], sources: readonly unknown[]): readonly unknown[] {
  const originals = new Map(sources.flatMap((message) => partsOf(message).map((part) => [part.id, part])));
  return pruned.map((message) => {
    const parts = partsOf(message);
    const bare = parts.map((part) => withoutTag(part, originals.get(part.id)));
    return isRecord(message) && bare.some((part, i) => part !== parts[i])
      ? { ...message, parts: bare }
      : message;
  });
}

function withoutTag(part: JsonRecord, original: JsonRecord | undefined): JsonRecord {
  const { state } = part;
  if (part === original || part.type !== "tool" || !isRecord(state)) return part;
  const field = typeof state.output === "string" ? "output" : "error";
  const text = state[field];
  const before = isRecord(original?.state) ? original.state[field] : undefined;
  if (typeof text !== "string") return part;
  const own = typeof before === "string" && text.startsWith(before) ? text.slice(before.length) : text;
  const tags = findTagsAtEnd(own);
  return tags !== "" ? { ...part, state: { ...state, [field]: text.slice(0, -tags.length) } } : part;
}

function partsOf(message: unknown): readonly JsonRecord[] {
  return isRecord(message) && Array.isArray(message.parts) ? message.parts.filter(isRecord) : [];
}
