import { wasCut } from "../../edits/own-marks.ts";
import type { Facts } from "../../facts/facts.ts";
import type { Span } from "../../transcript/refs.ts";
import { findFences } from "./find-fences.ts";

/** Where in a part there are instructions of the host. */
export interface Instructions extends Span {
  readonly leaf: string;
}

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";

/**
 * Instructions that a host added to a part (OpenCode: a nested AGENTS.md). They stay when the part's own text is cut.
 * The same tags in a web page, in the output of a command or in a file are no instructions, so they count only where
 * hosts put them:
 *
 *   results   at the end of a result of the host's own read tool, after the lines of the file. The tool numbers these,
 *             so no file can forge a line without a number. Claude Code adds reminders to other results too; there
 *             nothing tells them from the result's own text, so they are cut with it.
 *   texts     in any text but the model's, from the start of a line and not inside code.
 */
export function findInstructions(facts: Facts, index: number): readonly Instructions[] {
  const part = facts.transcript.part(index);
  if (!part.leaves.some(({ text }) => text.includes(OPEN))) return [];
  if (part.kind === "result") return findBehindFile(facts, index);
  if (part.kind !== "text" || part.role === "assistant") return [];
  return part.leaves.flatMap(({ id: leaf, text }) => findBlocks(text).map((span) => ({ leaf, ...span })));
}

/** For a read by the host's own tool: from the first line that opens a reminder to the end. */
function findBehindFile(facts: Facts, index: number): readonly Instructions[] {
  const use = facts.calls.of(index)?.use;
  if (!use?.loads) return [];
  const isLeft = wasCut(facts, index);
  const found: Instructions[] = [];
  let isNumbered = isLeft;
  for (const { id: leaf, text } of facts.transcript.part(index).leaves) {
    if (text.trim() === "") continue;
    const from = text.startsWith(OPEN) ? 0 : text.indexOf(`\n${OPEN}`) + 1;
    const opens = from > 0 || text.startsWith(OPEN);
    const lines = text.slice(0, opens ? from : text.length).split("\n");
    if (!isLeft && !lines.every(isReaders)) return [];
    isNumbered ||= lines.some(isNumberedLine);
    if (!opens && found.length === 0) continue;
    // Nothing may follow instructions.
    if (!opens || !isNumbered || !closes(text) || (found.length > 0 && from > 0)) return [];
    found.push({ leaf, from, to: text.length });
  }
  return found;
}

/** Does the text end with a reminder's closing tag, on a line without a number? */
function closes(text: string): boolean {
  const end = text.trimEnd();
  return end.endsWith(CLOSE) && !isNumberedLine(end.slice(end.lastIndexOf("\n") + 1));
}

/** `   12→`, `12\t`, `00012| `, `12: `. */
function isNumberedLine(line: string): boolean {
  return /^(?:<(?:content|file)>)? {0,9}\d{1,9}[→\t|:]/.test(line);
}

/** Is it a numbered line, or one that read tools put around the lines of a file? */
function isReaders(line: string): boolean {
  return isNumberedLine(line) || /^(?:|<\/?(?:content|file)>|<(?:path|type)>.*|\(.*\))$/.test(line);
}

/** The reminders in a text, in order, except those in code. */
function findBlocks(text: string): readonly Span[] {
  const fences = findFences(text);
  const blocks: Span[] = [];
  let fence = 0;
  let close = -1;
  let from = text.startsWith(OPEN) ? 0 : nextLine(text, 0);
  while (from >= 0) {
    while ((fences[fence]?.to ?? text.length) <= from) fence++;
    const code = fences[fence];
    let to = code && code.from < from ? code.to : undefined;
    if (to === undefined) {
      if (close < from) close = text.indexOf(CLOSE, from);
      if (close < 0) break;
      to = close + CLOSE.length;
      blocks.push({ from, to });
    }
    from = nextLine(text, to);
  }
  return blocks;
}

/** Where the next line that opens a reminder begins; −1: there is none. */
function nextLine(text: string, from: number): number {
  const at = text.indexOf(`\n${OPEN}`, from);
  return at < 0 ? -1 : at + 1;
}

const REMINDER_TAG = /<[\s/]{0,9}system[-_ ]?reminder/i;

/** Does the text, which is not the host's, name a reminder's tag anywhere? */
export function hasHostTag(text: string): boolean {
  return text.includes("<") && REMINDER_TAG.test(text);
}

/** Does the line begin with a reminder's tag, so that it could be taken for instructions of the host? */
export function opensHostTag(line: string): boolean {
  const start = line.trimStart();
  return start.startsWith("<") && start.search(REMINDER_TAG) === 0;
}
