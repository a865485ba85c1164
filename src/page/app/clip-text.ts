import { findFirst } from "./search.ts";

/** A stretch of a text, and the number of characters left out on either side. */
export interface ClippedText {
  readonly before: number;
  readonly text: string;
  readonly after: number;
}

const CLIPPED_LINES = 10;
const CHARACTERS = 900;
/** Characters shown before a match. */
const LEAD = 160;

/** The beginning of a text, or the surroundings of its first match. */
export function clipText(text: string, matcher?: RegExp): ClippedText {
  const match = findFirst(text, matcher);
  const isNear = match < CHARACTERS - LEAD && countLines(text, match) < CLIPPED_LINES - 1;
  const from = match < 0 || isNear ? 0 : startOfLine(text, match);
  const to = findEnd(text, from);
  return { before: from, text: text.slice(from, to), after: text.length - to };
}

function findEnd(text: string, from: number): number {
  let end = from;
  for (let line = 0; line < CLIPPED_LINES; line++) {
    const next = text.indexOf("\n", end);
    if (next < 0) return Math.min(text.length, from + CHARACTERS);
    end = next + 1;
    if (end - from > CHARACTERS) return from + CHARACTERS;
  }
  return end === text.length ? end : end - 1;
}

function startOfLine(text: string, match: number): number {
  const line = text.lastIndexOf("\n", match) + 1;
  return match - line > LEAD ? match - LEAD : line;
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
