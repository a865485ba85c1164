import type { Result } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { readJsonc } from "../../config/jsonc.ts";
import { editJsonc } from "../edit-jsonc.ts";
import { type FileChange, refuse } from "./change.ts";
import { isSame } from "./is-same.ts";

/** A value in a file of JSON, with or without comments. */
export interface JsonEntry {
  readonly path: readonly [key: string] | readonly [group: string, key: string];
  readonly value: unknown;
}

const EMPTY = "{}\n";

/** Sets values in a file of JSON. Existing values of the same name are not overwritten. */
export function jsonChange(file: string, entries: readonly JsonEntry[]): FileChange {
  return {
    file,
    what: entries.map(({ path, value }) => `${path.join(".")} = ${JSON.stringify(value)}`),
    add(text) {
      const before = text === undefined || text.replace(/^\uFEFF/, "").trim() === "" ? EMPTY : text;
      const read = readObject(before);
      if (!read.ok) return read;
      const taken = entries.find(({ path, value }) => {
        const there = lookUp(read.value, path);
        return there !== undefined && !isSame(there, value);
      });
      if (taken) return refuse(describeTaken(taken, lookUp(read.value, taken.path)));
      const missing = entries.filter(({ path }) => lookUp(read.value, path) === undefined);
      return edit(before, missing, (entry) => entry.value);
    },
    remove(text, before) {
      const read = readObject(text);
      if (!read.ok) return read;
      const own = before === undefined ? undefined : readJsonc(before).value;
      const ours = entries.filter(
        ({ path, value }) => isSame(lookUp(read.value, path), value) && lookUp(own, path) === undefined,
      );
      const edited = edit(text, ours, () => undefined);
      if (!edited.ok) return edited;
      // A group that becomes empty is removed too.
      const emptied = ours.filter(
        ({ path: [group, key] }) =>
          key !== undefined && isSame((readJsonc(edited.value).value as JsonRecord)[group], {}),
      );
      const groups = [...new Set(emptied.map(({ path: [group] }) => group))];
      return {
        ok: true,
        value: groups.reduce((rest, group) => editJsonc(rest, [group], undefined), edited.value),
      };
    },
  };
}

function edit(
  text: string,
  entries: readonly JsonEntry[],
  wanted: (entry: JsonEntry) => unknown,
): Result<string> {
  const after = entries.reduce((rest, entry) => editJsonc(rest, [...entry.path], wanted(entry)), text);
  const { value, mistake } = readJsonc(after);
  const isAsMeant = entries.every((entry) => isSame(lookUp(value, entry.path), wanted(entry)));
  return mistake || !isAsMeant
    ? refuse("Coppice can't edit the file in its current form")
    : { ok: true, value: after };
}

function readObject(text: string): Result<JsonRecord> {
  const { value, mistake } = readJsonc(text);
  if (mistake) return refuse(`line ${mistake.line}: ${mistake.what}; fix it first`);
  return isRecord(value) ? { ok: true, value } : refuse("it is not an object");
}

function describeTaken({ path }: JsonEntry, there: unknown): string {
  return `${path.join(".")} is already ${JSON.stringify(there)}. If that is the address of your provider, remove it and pass it to the proxy: coppice proxy --upstream`;
}

function lookUp(value: unknown, [group, key]: JsonEntry["path"]): unknown {
  if (!isRecord(value)) return undefined;
  const inside = Object.hasOwn(value, group) ? value[group] : undefined;
  if (key === undefined) return inside;
  // A group that is not an object can't be extended: it counts as taken.
  if (inside !== undefined && !isRecord(inside)) return inside;
  return inside && Object.hasOwn(inside, key) ? inside[key] : undefined;
}
