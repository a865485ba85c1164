import { REMINDER_CLOSE, REMINDER_OPEN } from "../tool-kinds/host-tags.ts";
import { findLastTags } from "../transcript/own-tags.ts";
import type { Span } from "../transcript/refs.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import { findMark } from "./find-mark.ts";

/** The place of the host's instructions in a part. */
export interface Instructions extends Span {
  readonly leaf: string;
}

/**
 * Instructions at the end of a result of the host's own read tool, after the lines of the file: from the first line
 * that opens a reminder to the end, or to the tags that name refs. The tool numbers the file's lines, so no file
 * can contain a line without a number.
 */
export function findBehindFile(transcript: Transcript, { result, use }: CallFact): readonly Instructions[] {
  const { leaves } = transcript.part(result);
  if (!use.loads || !leaves.some(({ text }) => text.includes(REMINDER_OPEN))) return [];
  const isLeft = findMark(transcript, result) !== undefined;
  const found: Instructions[] = [];
  let isNumbered = isLeft;
  for (const { id: leaf, text: tagged } of leaves) {
    const text = tagged.slice(0, findLastTags(tagged));
    if (text.trim() === "") continue;
    const from = text.startsWith(REMINDER_OPEN) ? 0 : text.indexOf(`\n${REMINDER_OPEN}`) + 1;
    const opens = from > 0 || text.startsWith(REMINDER_OPEN);
    const lines = text.slice(0, opens ? from : text.length).split("\n");
    if (!isLeft && !lines.every(isReaders)) return [];
    isNumbered ||= lines.some(isNumberedLine);
    if (!opens && found.length === 0) continue;
    // Only instructions may follow instructions.
    if (!opens || !isNumbered || !closes(text) || (found.length > 0 && from > 0)) return [];
    found.push({ leaf, from, to: text.length });
  }
  return found;
}

/** Does the text end with a reminder's closing tag, on a line without a number? */
function closes(text: string): boolean {
  const end = text.trimEnd();
  return end.endsWith(REMINDER_CLOSE) && !isNumberedLine(end.slice(end.lastIndexOf("\n") + 1));
}

/** `   12→`, `12\t`, `00012| `, `12: `. */
function isNumberedLine(line: string): boolean {
  return /^(?:<(?:content|file)>)? {0,9}\d{1,9}[→\t|:]/.test(line);
}

/** Is it a numbered line, or one that read tools add around the lines of a file? */
function isReaders(line: string): boolean {
  return isNumberedLine(line) || /^(?:|<\/?(?:content|file)>|<(?:path|type)>.*|\(.*\))$/.test(line);
}
