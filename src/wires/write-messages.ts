import { isRecord } from "../basics/json.ts";
import { applySplices, type Splice } from "../basics/splices.ts";
import { writeJson } from "../basics/write-json.ts";
import type { Sources } from "./splice/align-items.ts";
import { moveItems } from "./splice/move-items.ts";
import { listInside, outline, readName } from "./splice/outline.ts";
import { spliceValue } from "./splice/splice-value.ts";
import type { WireRequest } from "./wire.ts";

/** See `Wire.write`. */
export function writeMessages(
  request: WireRequest,
  messages: readonly unknown[],
  sources: Sources,
): string | undefined {
  if (isUnchanged(request.messages, messages)) return request.body;
  try {
    const splices = planSplices(request, messages, sources);
    return splices && applySplices(request.body, splices);
  } catch {
    // The messages are not JSON, or do not belong to this body.
    return undefined;
  }
}

/** The splices that put these messages into the body; `undefined` if that is impossible. */
export function planSplices(
  { body, place, messages: old }: WireRequest,
  messages: readonly unknown[],
  sources: Sources,
): readonly Splice[] | undefined {
  const from = findValue(body, place.path);
  if (from === undefined) return undefined;
  if (place.kind === "text") return spliceText(body, from, old, messages);
  const sourceIndexes = messages.map((_, index) => sources[index]);
  if (!isRising(sourceIndexes, old.length)) return undefined;
  const list = outline(body, from, 1);
  const items = listInside(list, 0);
  if (items.length !== old.length) return undefined;
  const starts = items.map((node) => list.starts[node] ?? 0);
  const ends = items.map((node) => list.ends[node] ?? 0);
  const changed = sourceIndexes.flatMap((source, index) =>
    source === undefined || old[source] === messages[index]
      ? []
      : spliceValue(body, starts[source] ?? 0, old[source], messages[index]),
  );
  const write = (index: number): string => writeJson(messages[index] ?? null);
  return [...moveItems({ inside: from + 1, starts, ends }, sourceIndexes, write), ...changed];
}

/** The start of the value at the end of the path. If a name is repeated, the last value counts, as in JSON.parse. */
export function findValue(body: string, path: readonly string[]): number | undefined {
  let from = 0;
  for (const field of path) {
    const fields = outline(body, from, 1);
    const inside = listInside(fields, 0);
    const name = inside.findLastIndex(
      (node, index) => index % 2 === 0 && readName(body, fields, node) === field,
    );
    const start = name < 0 ? undefined : fields.starts[inside[name + 1] ?? -1];
    if (start === undefined) return undefined;
    from = start;
  }
  return from;
}

/** A text with one message can only become another text. */
function spliceText(
  body: string,
  from: number,
  old: readonly unknown[],
  messages: readonly unknown[],
): readonly Splice[] | undefined {
  const [before] = old;
  const [message] = messages;
  if (messages.length !== 1 || !isRecord(before) || !isRecord(message)) return undefined;
  const names = Object.keys(message);
  const isSame = names.length === Object.keys(before).length;
  if (!isSame || !names.every((name) => name === "content" || message[name] === before[name]))
    return undefined;
  return typeof message.content === "string"
    ? spliceValue(body, from, before.content, message.content)
    : undefined;
}

function isUnchanged(old: readonly unknown[], messages: readonly unknown[]): boolean {
  return old.length === messages.length && messages.every((message, index) => message === old[index]);
}

function isRising(sources: Sources, count: number): boolean {
  let last = -1;
  return sources.every((source) => {
    if (source === undefined) return true;
    const isNext = Number.isInteger(source) && source > last && source < count;
    last = source;
    return isNext;
  });
}
