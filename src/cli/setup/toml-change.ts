import { parse } from "smol-toml";
import { describeError, type Result } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { type FileChange, refuse } from "./change.ts";
import { isSame } from "./is-same.ts";

/** A top-level key, and a table. */
export interface TomlEntries {
  readonly top: readonly [key: string, value: string];
  readonly table: readonly [name: string, values: JsonRecord];
}

/**
 * Adds a line at the beginning of a TOML file, before all tables, and a table at the end. The text between them
 * stays the same, and the result is parsed to check that nothing else has changed.
 */
export function tomlChange(file: string, { top, table }: TomlEntries): FileChange {
  const first = `${top[0]} = ${JSON.stringify(top[1])}`;
  // Strings and lists of strings have the same form in TOML and JSON.
  const lines = Object.entries(table[1]).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const last = [`[${table[0]}]`, ...lines];
  const names = table[0].split(".");

  return {
    file,
    what: [first, ...lines.map((line) => `${table[0]}.${line}`)],
    add(text = "") {
      const before = read(text);
      if (!before.ok) return before;
      const there = before.value[top[0]];
      const tableThere = lookUp(before.value, names);
      const isThere = there === top[1] && isSame(tableThere, table[1]);
      if (isThere) return { ok: true, value: text };
      if (there !== undefined)
        return refuse(
          `${top[0]} is already ${JSON.stringify(there)}. If that is the address of your provider, remove it and pass it to the proxy: coppice proxy --upstream`,
        );
      if (tableThere !== undefined) return refuse(`${table[0]} already exists`);
      const [mark, body, eol] = split(text);
      const end = body === "" || body.endsWith("\n") ? "" : eol;
      const after = `${mark}${first}${eol}${body}${end}${body === "" ? "" : eol}${last.join(eol)}${eol}`;
      const wanted = setAt({ ...before.value, [top[0]]: top[1] }, names, table[1]);
      const now = read(after);
      return now.ok && isSame(now.value, wanted)
        ? { ok: true, value: after }
        : refuse("Coppice can't add to the file in its current form");
    },
    remove(text) {
      const before = read(text);
      if (!before.ok) return before;
      const all = text.split(/(?<=\n)/);
      const bare = all.map((line) => line.replace(/^\uFEFF/, "").trimEnd());
      const at = bare.findIndex((_, i) => last.every((line, j) => bare[i + j] === line));
      const isOurs = (i: number) => i === bare.indexOf(first) || (at >= 0 && i >= at && i < at + last.length);
      const after = all.filter((_, i) => !isOurs(i)).join("");
      const now = read(after);
      return now.ok && isSame(without(now.value, [top[0]], names), without(before.value, [top[0]], names))
        ? { ok: true, value: after }
        : refuse("Coppice can't edit the file in its current form");
    },
  };
}

function read(text: string): Result<JsonRecord> {
  try {
    return { ok: true, value: parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return refuse(`${describeError(error).split("\n")[0]}; fix it first`);
  }
}

function split(text: string): readonly [mark: string, body: string, eol: string] {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return [mark, text.slice(mark.length), text.includes("\r\n") ? "\r\n" : "\n"];
}

function lookUp(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
}

/** The same object with a value at this path. */
function setAt(target: JsonRecord, [name = "", ...rest]: readonly string[], value: unknown): JsonRecord {
  const inside = target[name];
  return {
    ...target,
    [name]: rest.length === 0 ? value : setAt(isRecord(inside) ? inside : {}, rest, value),
  };
}

/** The same object without the values at these paths, and without tables that become empty. */
function without(value: JsonRecord, ...paths: readonly (readonly string[])[]): JsonRecord {
  return paths.reduce((rest, [name = "", ...more]) => {
    const { [name]: inside, ...others } = rest;
    if (more.length === 0 || !isRecord(inside)) return more.length === 0 ? others : rest;
    const left = without(inside, more);
    return Object.keys(left).length === 0 ? others : { ...others, [name]: left };
  }, value);
}
