import type { Ref, Span } from "../edits/edit.ts";
import { mainLeaf } from "../edits/refs.ts";
import type { Facts } from "../facts/facts.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import { estimateLeaf } from "../transcript/estimate-leaf.ts";
import type { Proposal, ProposedSpan } from "./strategy.ts";

/**
 * A proposal that puts a marker in place of all of a part's text. Of several text blocks the longest shows the
 * marker and the others are emptied; instructions of the host inside it stay. `undefined` when the part has no text.
 */
export function replacePart(
  facts: Facts,
  part: number,
  render: (ref: Ref) => string,
  rest: Pick<Proposal, "reason" | "needs" | "asked" | "batch">,
): Proposal | undefined {
  const { leaves } = facts.transcript.part(part);
  const main = mainLeaf(leaves);
  if (!main) return undefined;
  const others = leaves.filter((leaf) => leaf !== main && leaf.text !== "");
  const whole = (leaf: typeof main, text: (ref: Ref) => string): ProposedSpan => ({
    leaf: leaf.id,
    from: 0,
    to: leaf.text.length,
    render: text,
  });
  const marker = keepInstructions(
    leaves.map(({ text }) => text),
    render,
  );
  return { part, spans: [whole(main, marker), ...others.map((leaf) => whole(leaf, () => ""))], ...rest };
}

/** All of a part's text that is its own: without the instructions that a host loaded into it. */
export function ownText(facts: Facts, part: number): string {
  const texts = facts.transcript.part(part).leaves.map(({ text }) => text);
  const text = texts.length === 1 ? (texts[0] ?? "") : texts.filter((leaf) => leaf !== "").join("\n");
  return omitInstructions(text);
}

export function countOwn(facts: Facts, part: number): number {
  const { leaves } = facts.transcript.part(part);
  const text = ownText(facts, part);
  const whole = leaves.find((leaf) => leaf.text === text);
  return whole ? estimateLeaf(whole) : estimateTokens(text);
}

/** Instructions of the host that stand in the replaced texts stand behind the marker. */
export function keepInstructions(
  texts: readonly string[],
  render: (ref: Ref) => string,
): (ref: Ref) => string {
  const kept = texts.flatMap(listInstructions);
  return kept.length === 0 ? render : (ref) => [render(ref), ...kept].join("\n");
}

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";

/** What a host loaded into a text beside its own (OpenCode: a nested AGENTS.md) outlives the text. */
export function findInstructions(text: string): readonly Span[] {
  const found: Span[] = [];
  for (let from = text.indexOf(OPEN); from >= 0; from = text.indexOf(OPEN, found.at(-1)?.to)) {
    const close = text.indexOf(CLOSE, from);
    if (close < 0) break;
    found.push({ from, to: close + CLOSE.length });
  }
  return found;
}

function listInstructions(text: string): readonly string[] {
  return findInstructions(text).map(({ from, to }) => text.slice(from, to));
}

export function omitInstructions(text: string): string {
  const instructions = findInstructions(text);
  if (instructions.length === 0) return text;
  const starts = [0, ...instructions.map(({ to }) => to)];
  return starts.map((start, i) => text.slice(start, instructions[i]?.from)).join("");
}

/** Of a part that was replaced: the marker. */
export function withoutInstructions(text: string): string {
  const at = text.indexOf(OPEN);
  return at < 0 ? text : text.slice(0, at);
}
