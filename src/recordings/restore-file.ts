import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { PricedRisk } from "../risk/risk.ts";
import { hashText } from "../transcript/hash.ts";
import { listAt, numberAt, objectAt, stringAt } from "./json.ts";
import type { RecordingSource } from "./recording.ts";

/** The data for restoring the original of a pruned file, and for listing the cuts. Plain JSON. */
export interface RestoreFile {
  readonly version: 1;
  readonly source: RecordingSource;
  readonly original: TextFingerprint;
  readonly pruned: TextFingerprint;
  /** In the order of the file. */
  readonly splices: readonly FileSplice[];
  readonly edits: readonly FileEdit[];
}

/** Identifies a text without storing it. */
export interface TextFingerprint {
  readonly length: number;
  readonly hash: string;
}

/** A literal that was replaced. */
export interface FileSplice {
  /** Where the new literal begins in the pruned file, and its length. */
  readonly at: number;
  readonly length: number;
  /** The original literal. */
  readonly was: string;
}

/** One cut, for explaining a ref in the file. */
export interface FileEdit {
  readonly ref: string;
  readonly author: string;
  readonly reason: string;
  /** The text before and after. */
  readonly original: string;
  readonly text: string;
  /** Tokens. */
  readonly saved: number;
  readonly risk?: PricedRisk;
}

export function fingerprint(text: string): TextFingerprint {
  return { length: text.length, hash: hashText(text) };
}

/**
 * The original of a pruned file, byte for byte. Text that was appended to the file since then stays at its end. A
 * file that is already the original comes back unchanged; any other file is refused.
 */
export function restoreRecordingText(pruned: string, restoreFile: RestoreFile): Result<string> {
  if (isText(pruned, restoreFile.original)) return { ok: true, value: pruned };
  const body = pruned.slice(0, restoreFile.pruned.length);
  if (!isText(body, restoreFile.pruned)) return refuse(describeMismatch(pruned, restoreFile));
  let text = "";
  let at = 0;
  for (const splice of restoreFile.splices) {
    text += body.slice(at, splice.at) + splice.was;
    at = splice.at + splice.length;
  }
  text += body.slice(at);
  if (!isText(text, restoreFile.original))
    return refuse("the restore file was changed: it does not restore the original");
  return { ok: true, value: text + pruned.slice(body.length) };
}

/** Reads a restore file from its JSON. */
export function parseRestoreFile(json: string): Result<RestoreFile> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return unreadable(`it is cut off or damaged (${error instanceof Error ? error.message : String(error)})`);
  }
  if (!isRecord(value) || !("version" in value))
    return unreadable("it is not the restore file of a pruned session");
  if (value.version !== 1)
    return unreadable(`it has version ${String(value.version)}, and this Coppice reads version 1`);
  return isRestoreFile(value) ? { ok: true, value } : unreadable("some of its fields are missing");
}

function isRestoreFile(value: JsonRecord): value is JsonRecord & RestoreFile {
  const prints = [objectAt(value, "original"), objectAt(value, "pruned")];
  return (
    stringAt(value, "source") !== undefined &&
    prints.every(
      (print) => numberAt(print, "length") !== undefined && stringAt(print, "hash") !== undefined,
    ) &&
    Array.isArray(value.splices) &&
    Array.isArray(value.edits) &&
    listAt(value, "splices").every(isSplice) &&
    listAt(value, "edits").every((edit) => isRecord(edit) && stringAt(edit, "ref") !== undefined)
  );
}

function isSplice(value: unknown): boolean {
  return (
    isRecord(value) &&
    numberAt(value, "at") !== undefined &&
    numberAt(value, "length") !== undefined &&
    stringAt(value, "was") !== undefined
  );
}

function isText(text: string, { length, hash }: TextFingerprint): boolean {
  return text.length === length && hashText(text) === hash;
}

function describeMismatch({ length }: string, { pruned, source }: RestoreFile): string {
  const what = `a pruned session of ${source}, ${pruned.length} characters long`;
  const found =
    length === pruned.length
      ? "one of the same length with different content"
      : `one of ${length} characters`;
  return `the restore file belongs to another file, or the file was changed: it is for ${what}, and this is ${found}`;
}

function refuse(why: string): Result<string> {
  return { ok: false, issue: problem("restore-file-mismatch", `nothing was restored: ${why}`) };
}

function unreadable(why: string): Result<RestoreFile> {
  return { ok: false, issue: problem("restore-file-unreadable", `this restore file can't be used: ${why}`) };
}

function problem(code: Issue["code"], message: string): Issue {
  return { code, severity: "error", message };
}
