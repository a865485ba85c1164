import { isClosed } from "../basics/closed-object.ts";

/**
 * One string per value: two inputs have the same string exactly if they are deeply equal. Key order, `undefined`
 * fields and the sign of zero are ignored; `1` and `"1"` differ. Cycles are followed once. Strings are prefixed
 * with their length, not escaped: a long one costs no more than a concatenation. An object that is not JSON and
 * hides its contents (a `Map`) equals only itself; dates are equal if their times are.
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

/** A unique number for each; only equality depends on it. */
const NUMBERS = new WeakMap<object, number>();
let numbered = 0;

function canonicalScalar(value: unknown): string {
  if (typeof value === "string") return `"${value.length}:${value}`;
  if (typeof value === "bigint") return `${value}n`;
  return value === undefined ? "null" : String(value);
}
