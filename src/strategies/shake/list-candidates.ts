import { remember } from "../../basics/remember.ts";
import type { PlannedSpan, ReplacePlan } from "../../edits/cut-plan.ts";
import { wasReplaced } from "../../edits/own-marks.ts";
import type { Instructions } from "../../facts/behind-file.ts";
import type { Facts } from "../../facts/facts.ts";
import { PROTECTED_TOOLS } from "../../protection/defaults.ts";
import { isNewlyRecalled } from "../../protection/protection.ts";
import { matchNames } from "../../tool-kinds/match-names.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { estimateLeaf } from "../../transcript/estimate-leaf.ts";
import { findLeaf } from "../../transcript/find-leaf.ts";
import { EMPTIED, type Leaf, type Part, type Role } from "../../transcript/part.ts";
import type { Span } from "../../transcript/refs.ts";
import type { ShownSession } from "../rung.ts";
import { findInstructions } from "../texts/host-instructions.ts";
import { findBlocks } from "./find-blocks.ts";
import type { ProtectedToolMatcher, ShakeConfig } from "./shake-config.ts";
import { joinLeaves, renderPlaceholder, shakeBlock, shakeResult } from "./shake-part.ts";

/** A region as a cut plan. */
export interface Candidate {
  readonly plan: ReplacePlan;
  /** The text of a result's leaves, or of a block. */
  readonly text: string;
  readonly tokens: number;
  /** Tokens saved with the real placeholder, compared with the text shown now. */
  readonly saves: number;
}

type ShakenText = Pick<ShownSession, "tokens" | "isCut"> & {
  /** May a result that was shortened before be cut again, if that makes it smaller still? */
  readonly recut: boolean;
};

/**
 * Everything that a shake would cut, in document order; empty if that saves less than the configured minimum. Once
 * the minimum is reached, the rest is searched only on demand.
 */
export function* listCandidates(
  facts: Facts,
  config: ShakeConfig,
  shown: ShakenText,
): Generator<Candidate, void> {
  const first: Candidate[] = [];
  let saves = 0;
  for (const candidate of findCandidates(facts, config, shown)) {
    saves += candidate.saves;
    if (saves < config.minSavings) {
      first.push(candidate);
      continue;
    }
    yield* first.splice(0);
    yield candidate;
  }
}

function* findCandidates(facts: Facts, config: ShakeConfig, shown: ShakenText): Generator<Candidate, void> {
  const { transcript } = facts;
  const isProtected = matchTools(config.protectedTools);
  const edge = findEdge(transcript.tokens, config.protectTokens);
  for (let index = 0; index < edge; index++) {
    if (shown.tokens[index] === 0) continue;
    const part = transcript.part(index);
    if (part.kind === "result") {
      const isLeft = shown.isCut(index)
        ? !shown.recut || (shown.tokens[index] ?? 0) < SHORT_TEXT
        : !isWhole(facts, index);
      if (isLeft) continue;
      if (isProtected(facts, index) || facts.rereads.isNeeded(index) || isNewlyRecalled(facts, index))
        continue;
      const candidate = takeResult(facts, index, shown.tokens[index] ?? 0);
      if (candidate) yield candidate;
    } else if (hasBlocks(part, transcript.tokens[index] ?? 0, config) && !isNewestPrompt(facts, index)) {
      yield* takeBlocks(facts, index, config.fenceMinTokens, shown);
    }
  }
}

/** In tokens. A result that was cut to less is already a placeholder, or not worth one. */
const SHORT_TEXT = 40;

function hasBlocks({ kind, role }: Part, tokens: number, { fenceMinTokens }: ShakeConfig): boolean {
  return kind === "text" && BLOCK_ROLES.has(role) && tokens >= fenceMinTokens;
}

const BLOCK_ROLES: ReadonlySet<Role> = new Set(["user", "developer", "assistant", "custom"]);

/** The first part of the newest `size` tokens. */
function findEdge(tokens: readonly number[], size: number): number {
  let inside = 0;
  let edge = tokens.length;
  while (edge > 0 && inside < size) inside += tokens[--edge] ?? 0;
  return edge;
}

/** All user text of the newest turn counts as its prompt, even after results. */
function isNewestPrompt({ transcript }: Facts, index: number): boolean {
  return transcript.part(index).role === "user" && transcript.turn[index] === transcript.lastTurn;
}

/** Does the result have text that neither the host nor Coppice has replaced? */
function isWhole(facts: Facts, index: number): boolean {
  const part = facts.transcript.part(index);
  if (part.kind !== "result" || part.status === "pending" || part.status === "cleared") return false;
  return part.leaves.some(({ text }) => text.trim() !== "") && !wasReplaced(facts, index);
}

function takeResult(facts: Facts, index: number, shown: number): Candidate | undefined {
  const { leaves } = facts.transcript.part(index);
  const tokens = leaves.reduce((sum, leaf) => sum + estimateLeaf(leaf), 0);
  const plan = shakeResult(facts, index, (ref) => renderPlaceholder(tokens, ref));
  if (!plan) return undefined;
  const [main = 0, ...others] = plan.spans.map((span) => countSaved(facts, index, span));
  const whole = facts.transcript.tokens[index] ?? 0;
  const saves = others.reduce((sum, saved) => sum + saved, shown - whole + main);
  return main > 0 && saves > 0 ? { plan, text: joinLeaves(leaves), tokens, saves } : undefined;
}

function takeBlocks(facts: Facts, index: number, minTokens: number, shown: ShakenText): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const instructions = findInstructions(facts, index);
  for (const leaf of facts.transcript.part(index).leaves) {
    const { id, text } = leaf;
    for (const { from, to } of listOwnBlocks(leaf, instructions)) {
      const block = text.slice(from, to);
      const tokens = estimateTokens(block);
      if (tokens < minTokens) continue;
      const plan = shakeBlock(index, { id }, { from, to }, (ref) => renderPlaceholder(tokens, ref));
      const saves = countSaved(facts, index, plan.spans[0]);
      if (saves >= LEAST_SAVING) candidates.push({ plan, text: block, tokens, saves });
    }
  }
  return withoutSaved(candidates, (facts.transcript.tokens[index] ?? 0) - (shown.tokens[index] ?? 0));
}

/** The blocks that are not the host's instructions. Instructions inside another block count as that block's text. */
function listOwnBlocks(leaf: Leaf, instructions: readonly Instructions[]): readonly Span[] {
  const starts = new Set(instructions.flatMap((each) => (each.leaf === leaf.id ? each.from : [])));
  return blocksOf(leaf).filter(({ from }) => !starts.has(from));
}

const blocksOf = remember(({ text }: Leaf) => findBlocks(text));

/**
 * Subtracts the savings of earlier cuts of the same part. The blocks of those cuts are unknown here; the guard will
 * refuse blocks that are already cut.
 */
function withoutSaved(candidates: readonly Candidate[], saved: number): readonly Candidate[] {
  let rest = Math.max(0, saved);
  const reduced = candidates.map((candidate) => {
    const counted = Math.min(rest, candidate.saves);
    rest -= counted;
    return { ...candidate, saves: candidate.saves - counted };
  });
  return reduced.some(({ saves }) => saves > 0) ? reduced : [];
}

/** In tokens. Estimates are rounded: two tokens saved on a block are at least one on the whole text. */
const LEAST_SAVING = 2;

function countSaved({ transcript, refs }: Facts, index: number, span: PlannedSpan): number {
  const { leaf: id, from, to } = span;
  const leaf = findLeaf(transcript.part(index), id);
  const text = leaf?.text.slice(from, to) ?? "";
  const ref = refs.expect({ part: transcript.key(index), leaf: id, from, to });
  return estimateTokens(text) - estimateTokens(span.render(ref) || EMPTIED);
}

/** Returns whether any of the matchers matches a result. */
function matchTools(matchers: readonly ProtectedToolMatcher[]): (facts: Facts, result: number) => boolean {
  const names = matchers.filter((matcher) => typeof matcher === "string");
  const predicates = matchers.filter((matcher) => typeof matcher !== "string");
  const matchesName = matchNames(names, PROTECTED_TOOLS);
  return ({ transcript, calls }, index) => {
    const result = transcript.part(index);
    if (result.kind !== "result") return false;
    const fact = calls.of(index);
    const call = fact && transcript.part(fact.call);
    if (call?.kind !== "call") return predicates.some((isAbout) => isAbout(result, undefined, undefined));
    return (
      (fact && matchesName(call.tool, fact.use)) ||
      predicates.some((isAbout) => isAbout(result, call, fact?.use))
    );
  };
}
