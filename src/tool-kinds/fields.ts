import { isRecord } from "../basics/json.ts";
import { remember } from "../basics/remember.ts";
import { makeRange } from "./line-range.ts";
import type { FieldNames, RangeFields } from "./tool-kind-entry.ts";
import type { LineRange } from "./tool-use.ts";

export interface FoundField<T> {
  readonly key: string;
  readonly value: T;
}

/** An input's own fields, in any spelling: `file_path`, `filePath` and `FilePath` are the same. */
export class InputFields {
  readonly #keys = new Map<string, string>();
  readonly #input: Readonly<Record<string, unknown>>;

  constructor(input: unknown) {
    this.#input = isRecord(input) ? input : {};
    for (const key of Object.keys(this.#input)) {
      const plain = squash(key);
      if (!this.#keys.has(plain)) this.#keys.set(plain, key);
    }
  }

  /** The input's fields with these names, in the input's spelling. */
  present(names: FieldNames | undefined): readonly string[] {
    const keys: string[] = [];
    for (const name of squashAll(names)) {
      const key = this.#keys.get(name);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  /** The first of these fields for which `accept` returns a value, in the input's spelling. */
  find<T>(
    names: FieldNames | undefined,
    accept: (value: unknown) => T | undefined,
  ): FoundField<T> | undefined {
    for (const key of this.present(names)) {
      const value = accept(this.#input[key]);
      if (value !== undefined) return { key, value };
    }
    return undefined;
  }

  /** The input with only these fields. */
  only(keys: readonly string[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(keys.map((key) => [key, this.#input[key]]));
  }

  /** The input without these fields. */
  without(keys: readonly string[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(this.#input).filter(([key]) => !keys.includes(key)));
  }

  /** The fields with these names that contain line numbers: `12`, `"12"`, `[10, 14]`, `"10-14"`. */
  lineNumbers(names: FieldNames | undefined): readonly string[] {
    return this.present(names).filter((key) => {
      const value = this.#input[key];
      return acceptNumber(value) !== undefined || acceptPair(value) !== undefined;
    });
  }

  /** The line ranges in the input; none for the whole file. */
  ranges(names: RangeFields): readonly LineRange[] {
    const pairs = this.find(names.pair, acceptPairs);
    if (pairs) return pairs.value;
    const tail = this.find(names.tail, acceptNumber)?.value;
    if (tail !== undefined && tail > 0) return [{ from: -tail }];
    const from = Math.max(1, this.find(names.from, acceptNumber)?.value ?? 1);
    const limit = this.find(names.limit, acceptNumber)?.value ?? names.window;
    const end = limit === undefined ? undefined : from + limit - 1;
    return listOf(makeRange(from, this.find(names.to, acceptNumber)?.value ?? end));
  }
}

function squashAll(names: FieldNames | undefined): readonly string[] {
  if (names === undefined) return [];
  return typeof names === "string" ? [squash(names)] : squashList(names);
}

const squashList = remember((names: readonly string[]) => names.map(squash));

/** A name in lower case without `_`, `-`, `.` and spaces, which differ between spellings. */
export function squash(name: string): string {
  return name.toLowerCase().replace(/[_\-. ]/g, "");
}

export function acceptText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function acceptNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function acceptPairs(value: unknown): readonly LineRange[] | undefined {
  const pair = acceptPair(value);
  if (pair) return listOf(makeRange(pair[0], pair[1]));
  if (!Array.isArray(value)) return undefined;
  const pairs = value.flatMap((item) => {
    const inner = acceptPair(item);
    return inner ? [inner] : [];
  });
  return pairs.length === 0 ? undefined : pairs.flatMap(([from, to]) => listOf(makeRange(from, to)));
}

function acceptPair(value: unknown): readonly [number, number | undefined] | undefined {
  const ends = typeof value === "string" ? /^(\d+)\s*[-:,]\s*(\d+)$/.exec(value)?.slice(1) : value;
  if (!Array.isArray(ends) || ends.length !== 2) return undefined;
  const from = acceptNumber(ends[0]);
  return from === undefined ? undefined : [from, acceptNumber(ends[1])];
}

function listOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
