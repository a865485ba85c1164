import type { Cut, Ref } from "../edits/edit.ts";
import type { ReplaceDraft } from "../edits/guard.ts";
import type { Result } from "../issue.ts";
import type { Proposal, ProposedSpan } from "../strategies/strategy.ts";
import type { Claim } from "./choose-cut.ts";

/** A proposal in the queue: not yet due, paying rent. */
export interface Waiting extends Claim {
  readonly ref: Ref;
  readonly author: string;
  readonly reason: string;
  /** The edits to apply when it is due, rendered then. The first decides. */
  drafts(): readonly [ReplaceDraft, ...ReplaceDraft[]];
}

/**
 * Puts new proposals into the queue: those that the guard would let through now. Of two for the same place the one
 * that saves more stays, with the rent that the first has paid.
 */
export function enqueue(
  queue: readonly Waiting[],
  proposals: readonly (readonly [Proposal, author: string])[],
  rentClock: number,
  guard: (draft: ReplaceDraft) => Result<Cut>,
): readonly Waiting[] {
  if (proposals.length === 0) return queue;
  const byRef = new Map(queue.map((waiting) => [waiting.ref, waiting]));
  for (const [proposal, author] of proposals) {
    const admitted = admit(proposal, author, rentClock, guard);
    if (!admitted.ok) continue;
    const waiting = admitted.value;
    const rival = byRef.get(waiting.ref);
    if (!rival) byRef.set(waiting.ref, waiting);
    else if (waiting.saves > rival.saves || waiting.asked) {
      byRef.set(waiting.ref, { ...waiting, since: rival.since, asked: waiting.asked || rival.asked });
    }
  }
  return [...byRef.values()];
}

/** Would the guard let it through now, and what would it save? */
export function admit(
  proposal: Proposal,
  author: string,
  since: number,
  guard: (draft: ReplaceDraft) => Result<Cut>,
): Result<Waiting> {
  const [main, ...others] = proposal.spans;
  const draft = (span: ProposedSpan, ref: Ref): ReplaceDraft => ({
    type: "replace",
    part: proposal.part,
    leaf: span.leaf,
    from: span.from,
    to: span.to,
    text: span.render(ref),
    author,
    reason: proposal.reason,
    ...(proposal.needs && { needs: proposal.needs }),
  });
  const first = guard(draft(main, UNKNOWN_REF));
  if (!first.ok) return first;
  const ref = first.value.ref;
  let saves = first.value.saved;
  for (const span of others) {
    const checked = guard(draft(span, ref));
    if (checked.ok) saves += checked.value.saved;
  }
  if (saves < MINIMUM_SAVING && !proposal.asked) {
    const message = `${author} would save only ${saves} tokens: not worth a cut`;
    return { ok: false, issue: { code: "edit-refused", message, severity: "info" } };
  }
  const drafts = (): readonly [ReplaceDraft, ...ReplaceDraft[]] => [
    draft(main, ref),
    ...others.map((span) => draft(span, ref)),
  ];
  const { reason, part: at, asked = false } = proposal;
  return { ok: true, value: { at, saves, since, asked, ref, author, reason, drafts } };
}

/** Below this a cut is not worth its marker; and a marker is never worth another marker. */
const MINIMUM_SAVING = 10;

/** As long as any ref, so that the estimate before the ref is known is right. */
const UNKNOWN_REF = "000000" as Ref;
