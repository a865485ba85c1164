import type { PartKey } from "../transcript/part.ts";
import type { Ref, Span } from "../transcript/refs.ts";
import type { Draft, ReplaceDraft } from "./guard.ts";
import type { Mechanism } from "./mechanism.ts";

/** A span of an original leaf, and what will stand there: rendered once, at the cut. Must be pure. */
export interface ProposedSpan extends Span {
  readonly leaf: string;
  readonly render: (ref: Ref) => string;
}

/** Each span of a leaf is weighed against the whole of it: so many of one leaf are proposed at most, the largest. */
export const MOST_SPANS = 32;

interface ProposalBase {
  /** Index of the part. */
  readonly part: number;
  readonly reason: string;
  /** Where it is not the pass's own. */
  readonly mechanism?: Mechanism;
  /** The agent or a person asked for it: first of all, and at once where that is cheap. */
  readonly asked?: true;
  readonly told?: Told;
}

/** Other texts in a part. */
export interface ReplaceProposal extends ProposalBase {
  /** The first carries the ref that people see; when it can't be cut, none is. */
  readonly spans: readonly [ProposedSpan, ...ProposedSpan[]];
  readonly needs?: readonly PartKey[];
  /** It waits until all that waits under this name saves so much together; pressure does not wait. */
  readonly batch?: Batch;
}

/** Something that leaves whole: of a call its group (all calls of that step, with their results), of reasoning that part. */
export interface DropProposal extends ProposalBase {
  readonly drop: true;
}

/** What a pass or the agent would cut, and when it is due is not decided yet. */
export type Proposal = ReplaceProposal | DropProposal;

/**
 * What the agent was told when it asked, and so what is done: with this very request, or with the next cut that reaches
 * it. Where that is not known, the price decides.
 */
export type Told = "now" | "later";

/** The ref of a cut, or of a part: the edits there by the same author are taken back. */
export interface RestoreWish {
  readonly ref: Ref;
  readonly told?: Told;
}

export interface Batch {
  readonly name: string;
  /** Tokens. */
  readonly minimum: number;
}

/**
 * What the guard is asked for a proposal, span by span; the first decides. All texts show the ref of the first, where that
 * is known.
 */
export function toDrafts(proposal: Proposal, author: string, ref?: Ref): readonly [Draft, ...Draft[]] {
  const { part, reason, mechanism } = proposal;
  const by = { author, reason, ...(mechanism && { mechanism }) };
  if ("drop" in proposal) return [{ type: "drop", part, ...by }];
  const { spans, needs } = proposal;
  const [main, ...others] = spans.map(
    ({ leaf, from, to, render }): ReplaceDraft => ({
      type: "replace",
      part,
      leaf,
      from,
      to,
      text: (own) => render(ref ?? own),
      ...by,
      ...(needs && { needs }),
    }),
  );
  return [main as ReplaceDraft, ...others];
}
