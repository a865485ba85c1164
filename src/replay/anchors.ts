import { trimEndOf } from "../basics/trim-end.ts";
import { collectLeaves } from "../formats/json-leaves.ts";
import { squash } from "../tool-kinds/fields.ts";
import { usualFields } from "../tool-kinds/usual-fields.ts";
import type { CallPart } from "../transcript/part.ts";

/**
 * The literals of a text that are specific enough to identify their source (spec/9), each once.
 *
 *   "Fix applyRate in src/pricing.ts:1204, see https://a.dev/x."
 *   ->  applyRate, src/pricing.ts, 1204, https://a.dev/x
 */
export function collectAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [candidate] of text.matchAll(CANDIDATE)) {
    const literal = trimPunctuation(candidate);
    if (isSpecific(literal)) anchors.add(literal);
    // `2031-04-01` and `claude-x-20310401` are not specific as a whole, but a piece of them is.
    else if (literal.includes("-"))
      for (const piece of literal.split("-")) if (isSpecific(piece)) anchors.add(piece);
  }
  return anchors;
}

/** A url, a Windows path, or a run of characters that occur in paths and identifiers. */
const CANDIDATE =
  /[a-z][\w+.-]{0,40}:\/\/[^\s"'`<>()[\]{}|\\]+|\b[A-Za-z]:\\[\w.\\-]+|[\p{L}\p{N}_$@~./-]+/gu;

/**
 * Removes punctuation around a literal in prose and code: a full stop, a flag's dashes, `...rest`, `@name`,
 * `//note`.
 */
function trimPunctuation(candidate: string): string {
  return trimEndOf(candidate.replace(/^(?:[-$@]+|\/{2,})?(?:\.+(?![./]))?/, ""), ".,;:!?/@~\\-");
}

const MIN_LENGTH = 8;

const SPECIFIC: readonly RegExp[] = [
  /[/\\][\p{L}\p{N}_@.~$]/u, // path, url
  /[\p{L}\p{N}_$]\.[\p{L}\p{N}_$]/u, // dotted
  /[\p{L}\p{N}]_+[\p{L}\p{N}]/u, // snake
  /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u, // camel
  /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}$/i, // hash
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, // uuid
];

function isSpecific(literal: string): boolean {
  if (/^\d{4,}$/.test(literal)) return true;
  return literal.length >= MIN_LENGTH && SPECIFIC.some((pattern) => pattern.test(literal));
}

/** The lines that an edit replaces, if they have at least 12 characters, not counting blanks. */
export function collectEditAnchors(call: CallPart): ReadonlySet<string> {
  // A call that stands in a text has no leaves of its own.
  const leaves = call.leaves.length > 0 ? call.leaves : collectLeaves(call.input, "input");
  const lines = leaves.flatMap(({ id, text }) => {
    const field = squash(id.slice(id.lastIndexOf("/") + 1));
    if (OLD_TEXT.has(field)) return splitLines(text);
    return PATCH.has(field) ? listPatchedLines(text) : [];
  });
  return new Set(lines.filter(isLongLine));
}

const OLD_TEXT: ReadonlySet<string> = new Set(["oldstring", "oldtext", "oldstr", "oldcontent", "search"]);
const PATCH: ReadonlySet<string> = new Set([usualFields.edit.patch ?? []].flat().map(squash));

/** Does the line have at least 12 characters, not counting blanks? */
export function isLongLine(line: string): boolean {
  return line.replace(/\s/g, "").length >= 12;
}

/** The lines that a patch removes, or those of the blocks that it searches for. */
export function listPatchedLines(patch: string): readonly string[] {
  return SEARCH.test(patch) ? listSearchedLines(patch) : listRemovedLines(patch);
}

const SEARCH = /^(?:<{3,9}|-{3,9}) ?SEARCH\b/m;

/**
 * Cline's and Roo Code's blocks, with or without numbers of lines before the text:
 *
 *   <<<<<<< SEARCH | :start_line:12 | ------- | const a = 1; | ======= | const a = 2; | >>>>>>> REPLACE   ->   const a = 1;
 */
function listSearchedLines(patch: string): readonly string[] {
  let isSearched = false;
  return splitLines(patch).filter((line) => {
    if (SEARCH.test(line)) isSearched = true;
    else if (/^={3,9}$/.test(line)) isSearched = false;
    else return isSearched && !/^(?::(?:start|end)_line:.*|-{3,9})$/.test(line);
    return false;
  });
}

function listRemovedLines(patch: string): readonly string[] {
  const lines = splitLines(patch);
  return lines.flatMap((line, i) => {
    const isHeader = line.startsWith("--- ") && lines[i + 1]?.startsWith("+++ ");
    return line.startsWith("-") && !isHeader ? [line.slice(1)] : [];
  });
}

export function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/);
}
