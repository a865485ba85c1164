import type { Risk } from "../risk/risk.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref, Span } from "../transcript/refs.ts";
import type { Draft, ReplaceDraft } from "./guard.ts";
import type { Mechanism } from "./mechanism.ts";

/** A span of an original leaf and its replacement. `render` is used when the cut is made; it must be pure. */
export interface ProposedSpan extends Span {
  readonly leaf: string;
  readonly render: (ref: Ref) => string;
}

/** A cut of another part that goes with a proposal, by an author who may cut there. */
export interface AlongCut extends ProposedSpan {
  readonly part: number;
  readonly author: string;
  readonly mechanism: Mechanism;
  readonly reason: string;
}

/** At most this many spans of one text are proposed at a time: the guard counts the whole leaf again for each. */
export const MOST_SPANS = 32;

interface ProposalBase {
  /** Index of the part. */
  readonly part: number;
  readonly reason: string;
  /** Only where it differs from that of the pass. */
  readonly mechanism?: Mechanism;
  /** The agent or a person asked for it: it goes before other proposals, and at once where that is cheap. */
  readonly requested?: true;
  readonly timing?: Timing;
  /** It never makes a cut worth its price: it goes with one that is made before it, or where that costs nothing. */
  readonly rides?: true;
  /** How often what it takes out is expected to be needed again; without it that is not asked. */
  readonly risk?: Risk;
}

/** Replaces texts of a part. */
export interface ReplaceProposal extends ProposalBase {
  /** The first gives the ref that is shown; if it can't be cut, none is. */
  readonly spans: readonly [ProposedSpan, ...ProposedSpan[]];
  readonly needs?: readonly PartKey[];
  readonly yields?: true;
  readonly lossless?: true;
  /** Texts of other, later parts that this makes superfluous: they go with it, as far as the guard lets them. */
  readonly along?: readonly AlongCut[];
  /** It waits until all proposals of this batch together save enough, except under pressure. */
  readonly batch?: Batch;
}

/** Drops a part with all that has to go with it: see `DropEdit`. */
export interface DropProposal extends ProposalBase {
  readonly drop: true;
}

/** What a pass, a rung, the agent or a person would cut. When it is due is decided later. */
export type Proposal = ReplaceProposal | DropProposal;

/**
 * What the agent was told when it asked, and so what has to be done: cut with this very request, or with the next cut
 * that reaches it. Where nothing is known of this, the price decides.
 */
export type Timing = "now" | "later";

/** The ref of a cut, or of a whole part, whose edits by the same author are to be taken back. */
export interface RestoreWish {
  readonly ref: Ref;
  readonly timing?: Timing;
}

export interface Batch {
  readonly name: string;
  /** Tokens that its proposals have to save together. */
  readonly minimum: number;
}

/**
 * The drafts that the guard is asked for, one per span. All texts show `ref`, the ref of the first; without it each
 * shows its own.
 */
export function toDrafts(proposal: Proposal, author: string, ref?: Ref): readonly [Draft, ...Draft[]] {
  const { part, reason, mechanism } = proposal;
  const by = { author, reason, ...(mechanism && { mechanism }) };
  if ("drop" in proposal) return [{ type: "drop", part, ...by }];
  const { spans, needs, yields, lossless, along = [] } = proposal;
  const depends = { ...(needs && { needs }), ...(yields && { yields }), ...(lossless && { lossless }) };
  const draft = ({ render, ...place }: ProposedSpan): ReplaceDraft => ({
    type: "replace",
    part,
    text: (own) => render(ref ?? own),
    ...by,
    ...place,
  });
  const [main, ...others] = spans.map((span) => ({ ...draft(span), ...depends }));
  return [main as ReplaceDraft, ...others, ...along.map(draft)];
}
