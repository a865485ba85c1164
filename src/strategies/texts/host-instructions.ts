import { wasCut } from "../../edits/own-marks.ts";
import type { Facts } from "../../facts/facts.ts";
import type { Span } from "../../transcript/refs.ts";
import { findFences } from "./find-fences.ts";

/** Where in a part instructions of the host stand. */
export interface Instructions extends Span {
  readonly leaf: string;
}

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";

/**
 * What a host loaded into a part beside its own text (OpenCode: a nested AGENTS.md) outlives the text. The same words in a
 * page, in what a command printed or in a file are nobody's instructions, so they count only from where hosts put them:
 *
 *   results   at the end of what the host's own tool for reading says, behind the file's lines, each of which the tool has
 *             numbered: no file can write a line without a number. Claude Code puts reminders behind other results too; there
 *             nothing tells them from the result's own end, so they go with it.
 *   texts     in what a person sent, from the start of a line and not inside code. What the model says is never the host's.
 */
export function findInstructions(facts: Facts, index: number): readonly Instructions[] {
  const part = facts.transcript.part(index);
  if (!part.leaves.some(({ text }) => text.includes(OPEN))) return [];
  if (part.kind === "result") return findBehindFile(facts, index);
  if (part.kind !== "text" || part.role === "assistant") return [];
  return part.leaves.flatMap(({ id: leaf, text }) => findBlocks(text).map((span) => ({ leaf, ...span })));
}

/** Of a read by the host's own tool: from the first line that opens a reminder to the end. */
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
    // Behind instructions there is nothing else.
    if (!opens || !isNumbered || !closes(text) || (found.length > 0 && from > 0)) return [];
    found.push({ leaf, from, to: text.length });
  }
  return found;
}

/** The last line is no file's: it closes a reminder, and has no number. */
function closes(text: string): boolean {
  const end = text.trimEnd();
  return end.endsWith(CLOSE) && !isNumberedLine(end.slice(end.lastIndexOf("\n") + 1));
}

/** `   12→`, `12\t`, `00012| `, `12: `. */
function isNumberedLine(line: string): boolean {
  return /^(?:<(?:content|file)>)? {0,9}\d{1,9}[→\t|:]/.test(line);
}

/** What readers put around the lines of a file. */
function isReaders(line: string): boolean {
  return isNumberedLine(line) || /^(?:|<\/?(?:content|file)>|<(?:path|type)>.*|\(.*\))$/.test(line);
}

/** The reminders in a text, top level, in order. */
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

/** Where the next line begins that opens a reminder. */
function nextLine(text: string, from: number): number {
  const at = text.indexOf(`\n${OPEN}`, from);
  return at < 0 ? -1 : at + 1;
}

const FOREIGN = /<(?=[\s/]{0,9}system[-_ ]?reminder)/gi;

/** A text that is no host's without the tags of one: so what is kept of it is not taken for instructions. */
export function withoutHostTags(text: string): string {
  return text.includes("<") ? text.replace(FOREIGN, "‹") : text;
}
