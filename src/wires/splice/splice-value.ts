import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Splice } from "../../basics/splices.ts";
import { writeJson } from "../../basics/write-json.ts";
import { alignItems } from "./align-items.ts";
import { moveItems, type Places } from "./move-items.ts";
import { listInside, type Outline, outline, readName } from "./outline.ts";

/** A value in the text, and its replacement. */
interface Pair {
  readonly node: number;
  readonly old: unknown;
  readonly next: unknown;
}

/**
 * The changes that turn the value at `from` in a JSON text into another. Only strings, numbers and words that
 * differ are written, and items and fields that are added; everything else stays byte for byte.
 *
 *   { "a": "x", "n": 1.0 }   a: "y"   ->   { "a": "y", "n": 1.0 }
 *
 * @param old the result of `JSON.parse` for it
 */
export function spliceValue(text: string, from: number, old: unknown, next: unknown): readonly Splice[] {
  const nodes = outline(text, from, Number.POSITIVE_INFINITY);
  const splices: Splice[] = [];
  const open: Pair[] = [{ node: 0, old, next }];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    if (Object.is(pair.old, pair.next)) continue;
    for (const splice of spliceOne(text, nodes, pair, open)) splices.push(splice);
  }
  return splices;
}

function spliceOne(text: string, nodes: Outline, pair: Pair, open: Pair[]): readonly Splice[] {
  const { node, old, next } = pair;
  if (Array.isArray(old) && Array.isArray(next)) return spliceList(nodes, node, old, next, open);
  if (isRecord(old) && isRecord(next)) return spliceFields(text, nodes, node, old, next, open);
  return [{ from: nodes.starts[node] ?? 0, to: nodes.ends[node] ?? 0, text: writeValue(next) }];
}

function spliceList(
  nodes: Outline,
  node: number,
  old: readonly unknown[],
  next: readonly unknown[],
  open: Pair[],
): readonly Splice[] {
  const inside = listInside(nodes, node);
  const sources = alignItems(old, next);
  sources.forEach((source, index) => {
    const at = source === undefined ? undefined : inside[source];
    if (source !== undefined && at !== undefined)
      open.push({ node: at, old: old[source], next: next[index] });
  });
  return moveItems(placesOf(nodes, node, inside, inside), sources, (index) => writeValue(next[index]));
}

/** If a name is repeated, the last value counts, as in JSON.parse. */
function spliceFields(
  text: string,
  nodes: Outline,
  node: number,
  old: JsonRecord,
  next: JsonRecord,
  open: Pair[],
): readonly Splice[] {
  const inside = listInside(nodes, node);
  const names = inside.filter((_, index) => index % 2 === 0);
  const values = inside.filter((_, index) => index % 2 === 1);
  const known = new Map(names.map((name, index) => [readName(text, nodes, name), index]));
  const sources: (number | undefined)[] = [];
  names.forEach((name, index) => {
    const field = readName(text, nodes, name);
    if (!hasField(next, field)) return;
    sources.push(index);
    if (known.get(field) === index)
      open.push({ node: values[index] ?? 0, old: old[field], next: next[field] });
  });
  const added = Object.keys(next).filter((field) => !known.has(field) && hasField(next, field));
  const kept = sources.length;
  for (const _ of added) sources.push(undefined);
  return moveItems(placesOf(nodes, node, names, values), sources, (index) => {
    const field = added[index - kept] ?? "";
    return `${JSON.stringify(field)}:${writeValue(next[field])}`;
  });
}

/** JSON has no `undefined`: a field with this value does not exist. */
function hasField(record: JsonRecord, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] !== undefined;
}

function writeValue(value: unknown): string {
  return value === undefined ? "null" : writeJson(value);
}

/** For items that begin with one node and end with another. */
function placesOf(nodes: Outline, node: number, first: readonly number[], last: readonly number[]): Places {
  return {
    inside: (nodes.starts[node] ?? 0) + 1,
    starts: first.map((each) => nodes.starts[each] ?? 0),
    ends: last.map((each) => nodes.ends[each] ?? 0),
  };
}
