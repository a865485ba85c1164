import { createHash } from "node:crypto";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describeError } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import { makeFolder } from "../stores/make-folder.ts";

/** Results for files, as long as the files do not change. */
export interface ResultCache {
  get(path: string, stamp: string): unknown;
  /** Written at once, so that an interrupted run is not lost. */
  put(path: string, stamp: string, value: unknown): void;
  /** The problem, in one line, if there was one. */
  readonly trouble: string | undefined;
}

/** Results of other settings or versions are deleted if nothing was added to them for this long, in milliseconds. */
const KEPT = 60 * 86_400_000;
/** A file with more lines is rewritten with the newest result of each path, and at most this many. */
const MOST = 20_000;

/**
 * One line for each result, after a hash of it: a line that was cut off or changed is ignored.
 *
 *   3f1c0a… {"path":"/home/me/.claude/projects/p/1.jsonl","stamp":"81234-1794944748958","value":{…}}
 *
 * @param key the inputs of the results other than the files: version, settings, time zone
 */
export function openCache(folder: string, key: string): ResultCache {
  const file = join(folder, `${hash(key)}.jsonl`);
  const entries = new Map<string, Entry>();
  let trouble: string | undefined;
  const attempt = (work: () => void): void => {
    if (trouble !== undefined) return;
    try {
      work();
    } catch (error) {
      trouble = `results are not cached for the next run: ${describeError(error)}`;
    }
  };
  let damaged = false;
  attempt(() => {
    const lines = readLines(file);
    for (const line of lines) {
      const entry = readEntry(line);
      if (entry) entries.set(entry.path, entry);
      else damaged = true;
    }
    makeFolder(folder, 0o700);
    if (lines.length === 0) sweep(folder);
    if (damaged || lines.length > MOST) rewrite(file, [...entries.values()].slice(-MOST));
  });
  return {
    get(path, stamp) {
      const entry = entries.get(path);
      return entry?.stamp === stamp ? entry.value : undefined;
    },
    put(path, stamp, value) {
      attempt(() => appendFileSync(file, writeEntry({ path, stamp, value }), { mode: 0o600 }));
    },
    get trouble() {
      return (
        trouble ??
        (damaged ? `some cached results in ${folder} were damaged, and are computed again` : undefined)
      );
    },
  };
}

interface Entry {
  readonly path: string;
  readonly stamp: string;
  readonly value: unknown;
}

/** The last element is the text after the last line end, where a write was cut off. */
function readLines(file: string): readonly string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function readEntry(line: string): Entry | undefined {
  const [, sum, text = ""] = /^([0-9a-f]{16}) (.+)$/s.exec(line) ?? [];
  if (sum === undefined || hash(text) !== sum) return undefined;
  const entry: unknown = JSON.parse(text);
  if (!isRecord(entry) || typeof entry.path !== "string" || typeof entry.stamp !== "string") return undefined;
  return { path: entry.path, stamp: entry.stamp, value: entry.value };
}

function writeEntry(entry: Entry): string {
  const text = JSON.stringify(entry);
  return `${hash(text)} ${text}\n`;
}

function rewrite(file: string, entries: readonly Entry[]): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, entries.map(writeEntry).join(""), { mode: 0o600 });
  renameSync(draft, file);
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT) rmSync(path, { force: true });
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
