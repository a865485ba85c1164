import type { CutPlan, PlannedSpan, ReplacePlan } from "../edits/cut-plan.ts";
import type { Facts } from "../facts/facts.ts";
import { keepTexts, replacePart } from "../strategies/replacing/replace-part.ts";
import { findInstructions } from "../strategies/texts/host-instructions.ts";
import { stripTags } from "../transcript/own-tags.ts";
import { EMPTIED, type Leaf } from "../transcript/part.ts";
import type { Ref, Span } from "../transcript/refs.ts";
import { describePart } from "./subject.ts";

/**
 * The cut plan for a discard. Signed reasoning is dropped as a whole. Other reasoning keeps its field: some
 * providers reject calls without it, and a session may continue with one of them.
 */
export function proposeDiscard(facts: Facts, part: number): CutPlan | undefined {
  const target = facts.transcript.part(part);
  const rest = { reason: "the agent discarded it", mechanism: "discard", requested: true } as const;
  if (target.kind === "reasoning")
    return target.signed ? { part, drop: true, ...rest } : replacePart(facts, part, () => EMPTIED, rest);
  if (target.kind === "text" && target.leaves.every(({ text }) => isDiscarded(text))) return undefined;
  return replacePart(facts, part, (ref) => writeMarker("discarded", facts, part, ref), rest);
}

/** Is this the placeholder of a discard, in a transcript that was pruned before? */
function isDiscarded(text: string): boolean {
  return text.length <= LONGEST_MARKER && text.startsWith("[discarded: message ") && text.endsWith("]");
}

const LONGEST_MARKER = 200;

export function proposeDistill(facts: Facts, part: number, summary: string): ReplacePlan | undefined {
  const text = stripTags(summary).trim();
  return replacePart(facts, part, (ref) => `${writeMarker("distilled", facts, part, ref)}\n${text}`, {
    reason: "the agent distilled it",
    mechanism: "distill",
    requested: true,
  });
}

/**
 * Only results show their ref: a model would learn to repeat refs in its own texts. `context_info` lists the other
 * refs.
 */
function writeMarker(what: "discarded" | "distilled", facts: Facts, part: number, ref: Ref): string {
  const isResult = facts.transcript.part(part).kind === "result";
  return `[${what}: ${describePart(facts, part)}${isResult ? ` · ${ref}` : ""}]`;
}

/** A stretch of a part's original text, counted over all its leaves as if they were one. */
export interface Stretch {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** The cut plan for a replace. If the stretch spans several leaves, the longest piece gets the replacement. */
export function proposeReplace(
  facts: Facts,
  { part, from, to }: Stretch,
  replacement: string,
): ReplacePlan | undefined {
  const pieces = cutPieces(facts.transcript.part(part).leaves, from, to);
  const main = findLongest(pieces);
  if (!main) return undefined;
  const kept = listInstructions(facts, part)
    .filter((each) => from <= each.from && each.to <= to)
    .map(({ text }) => text);
  const others = pieces.filter((piece) => piece !== main);
  const spans: [PlannedSpan, ...PlannedSpan[]] = [
    { ...main, render: keepTexts(kept, () => replacement) },
    ...others.map((piece) => ({ ...piece, render: () => "" })),
  ];
  return { part, spans, reason: "the agent replaced it", mechanism: "replace", requested: true };
}

/** Does the stretch begin or end inside the host's instructions? Those must stay whole. */
export function splitsInstructions(facts: Facts, { part, from, to }: Stretch): boolean {
  const instructions = listInstructions(facts, part);
  return [from, to].some((at) => instructions.some((each) => each.from < at && at < each.to));
}

/** The host's instructions in a part, counted over all its leaves as if they were one. */
function listInstructions(facts: Facts, part: number): readonly (Span & { readonly text: string })[] {
  const found = findInstructions(facts, part);
  let start = 0;
  return facts.transcript.part(part).leaves.flatMap(({ id, text }) => {
    const at = start;
    start += text.length;
    return found
      .filter(({ leaf }) => leaf === id)
      .map(({ from, to }) => ({ from: at + from, to: at + to, text: text.slice(from, to) }));
  });
}

/** Is this the ref of exactly this stretch? If not, the answer that names it is outdated or forged. */
export function isRefOf(ref: Ref, facts: Facts, { part, from, to }: Stretch): boolean {
  const piece = findLongest(cutPieces(facts.transcript.part(part).leaves, from, to));
  if (!piece) return false;
  const place = { part: facts.transcript.key(part), ...piece };
  return facts.refs.mayName(ref, place);
}

interface Piece {
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
}

/** The pieces of a stretch, by leaf; empty if it ends beyond the text. */
function cutPieces(leaves: readonly Leaf[], from: number, to: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const { id, text } of leaves) {
    const piece = {
      leaf: id,
      from: Math.max(0, from - start),
      to: Math.min(text.length, to - start),
    };
    if (piece.from < piece.to) pieces.push(piece);
    start += text.length;
  }
  return to <= start ? pieces : [];
}

function findLongest(pieces: readonly Piece[]): Piece | undefined {
  let longest: Piece | undefined;
  for (const piece of pieces)
    if (!longest || piece.to - piece.from > longest.to - longest.from) longest = piece;
  return longest;
}
