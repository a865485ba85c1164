import { isClosed } from "../basics/closed-object.ts";

/**
 * One string per value: two inputs have the same one exactly when they are deeply equal. The order of keys, fields
 * that are `undefined` and the sign of zero do not count; `1` and `"1"` differ. Cycles are followed once.
 * Strings are counted, not escaped: a long one costs no more than a concatenation. What is no JSON and does not show what
 * it holds (a `Map`) is equal to itself only, a date to one of the same time.
 */
export function canonicalInput(input: unknown): string {
  let out = "";
  const depths = new Map<object, number>();
  const work: Work[] = [{ value: input }];
  for (let next = work.pop(); next; next = work.pop()) {
    if ("text" in next) {
      out += next.text;
      if (next.closes) depths.delete(next.closes);
      continue;
    }
    const { value } = next;
    if (typeof value !== "object" || value === null) {
      out += canonicalScalar(value);
      continue;
    }
    const depth = depths.get(value);
    if (depth !== undefined) {
      out += `^${depth}`;
      continue;
    }
    depths.set(value, depths.size);
    for (const item of contents(value).reverse()) work.push(item);
  }
  return out;
}

type Work = { readonly value: unknown } | { readonly text: string; readonly closes?: object };

function contents(value: object): Work[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item): Work[] => [{ value: item }, { text: "," }]);
    return [{ text: "[" }, ...items, { text: "]", closes: value }];
  }
  if (isClosed(value)) return [{ text: canonicalClosed(value), closes: value }];
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, field]): Work[] => [{ text: canonicalScalar(key) }, { value: field }]);
  return [{ text: "{" }, ...fields, { text: "}", closes: value }];
}

function canonicalClosed(value: object): string {
  if (value instanceof Date) return `@${value.getTime()}`;
  const number = NUMBERS.get(value) ?? ++numbered;
  NUMBERS.set(value, number);
  return `#${number}`;
}

/** A name for each: nothing but whether two are the same depends on it. */
const NUMBERS = new WeakMap<object, number>();
let numbered = 0;

function canonicalScalar(value: unknown): string {
  if (typeof value === "string") return `"${value.length}:${value}`;
  if (typeof value === "bigint") return `${value}n`;
  return value === undefined ? "null" : String(value);
}
