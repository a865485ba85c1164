import { findBehindFile, type Instructions } from "../../facts/behind-file.ts";
import type { Facts } from "../../facts/facts.ts";
import { REMINDER_CLOSE, REMINDER_OPEN, REMINDER_TAG } from "../../tool-kinds/host-tags.ts";
import type { Span } from "../../transcript/refs.ts";
import { findFences } from "./find-fences.ts";

/**
 * Instructions that a host added to a part (OpenCode: a nested AGENTS.md). They stay when the part's own text is
 * cut. The same tags in a web page, in the output of a command or in a file are not instructions, so they count
 * only in places where hosts put them:
 *
 *   results   at the end of a result of the host's own read tool, after the lines of the file. The tool numbers these,
 *             so no file can forge a line without a number. Claude Code adds reminders to other results too; there
 *             nothing tells them from the result's own text, so they are cut with it.
 *   texts     in any text but the model's, from the start of a line and not inside code.
 */
export function findInstructions(facts: Facts, index: number): readonly Instructions[] {
  const part = facts.transcript.part(index);
  if (!part.leaves.some(({ text }) => text.includes(REMINDER_OPEN))) return [];
  if (part.kind === "result") {
    const fact = facts.calls.of(index);
    return fact ? findBehindFile(facts.transcript, fact) : [];
  }
  if (part.kind !== "text" || part.role === "assistant") return [];
  return part.leaves.flatMap(({ id: leaf, text }) => findBlocks(text).map((span) => ({ leaf, ...span })));
}

/** The reminders in a text, in order, except those in code. */
function findBlocks(text: string): readonly Span[] {
  const fences = findFences(text);
  const blocks: Span[] = [];
  let fence = 0;
  let close = -1;
  let from = text.startsWith(REMINDER_OPEN) ? 0 : nextLine(text, 0);
  while (from >= 0) {
    while ((fences[fence]?.to ?? text.length) <= from) fence++;
    const code = fences[fence];
    let to = code && code.from < from ? code.to : undefined;
    if (to === undefined) {
      if (close < from) close = text.indexOf(REMINDER_CLOSE, from);
      if (close < 0) break;
      to = close + REMINDER_CLOSE.length;
      blocks.push({ from, to });
    }
    from = nextLine(text, to);
  }
  return blocks;
}

/** The start of the next line that opens a reminder; −1 if there is none. */
function nextLine(text: string, from: number): number {
  const at = text.indexOf(`\n${REMINDER_OPEN}`, from);
  return at < 0 ? -1 : at + 1;
}

/** Does the text, which is not the host's, contain a reminder's tag anywhere? */
export function hasHostTag(text: string): boolean {
  return text.includes("<") && REMINDER_TAG.test(text);
}

/** Does the line begin with a reminder's tag, so that it could be mistaken for instructions of the host? */
export function opensHostTag(line: string): boolean {
  const start = line.trimStart();
  return start.startsWith("<") && start.search(REMINDER_TAG) === 0;
}
