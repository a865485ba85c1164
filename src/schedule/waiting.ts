import type { Cut, Ref } from "../edits/edit.ts";
import type { Draft, ReplaceDraft } from "../edits/guard.ts";
import type { Issue, Result } from "../issue.ts";
import type { Batch, PartDrop, Proposal, ProposedSpan, Told } from "../strategies/strategy.ts";
import type { Claim } from "./choose-cut.ts";

/** A proposal in the queue: not yet due, paying rent. */
export interface Waiting extends Claim {
  readonly ref: Ref;
  readonly author: string;
  readonly reason: string;
  readonly batch?: Batch;
  /** The edits to apply when it is due, rendered then. The first decides. */
  drafts(): readonly [Draft, ...Draft[]];
}

type Guard = (draft: Draft) => Result<Cut>;

/**
 * Puts new proposals into the queue: those that the guard would let through now. Of two for the same place one stays,
 * with the rent that the first has paid.
 */
export function enqueue(
  queue: readonly Waiting[],
  proposals: readonly (readonly [Proposal | PartDrop, author: string])[],
  rentClock: number,
  guard: Guard,
): readonly Waiting[] {
  if (proposals.length === 0) return queue;
  const byRef = new Map(queue.map((waiting) => [waiting.ref, waiting]));
  for (const [proposal, author] of proposals) {
    const admitted = admit(proposal, author, rentClock, guard);
    if (!admitted.ok) continue;
    const waiting = admitted.value;
    const rival = byRef.get(waiting.ref);
    if (!rival) byRef.set(waiting.ref, waiting);
    else if (isPreferred(waiting, rival)) byRef.set(waiting.ref, { ...waiting, since: rival.since });
  }
  return [...byRef.values()];
}

/** What was asked for comes first, then what need not wait for others, then what saves more. */
function isPreferred(waiting: Waiting, rival: Waiting): boolean {
  if (waiting.asked || rival.asked) return waiting.asked;
  if (waiting.batch === undefined && rival.batch !== undefined) return true;
  return waiting.saves > rival.saves && (waiting.batch === undefined || rival.batch !== undefined);
}

/** Would the guard let it through now, and what would it save? */
export function admit(
  proposal: Proposal | PartDrop,
  author: string,
  since: number,
  guard: Guard,
): Result<Waiting> {
  const admitted =
    "drop" in proposal ? admitDrop(proposal, author, guard) : admitSpans(proposal, author, guard);
  if (!admitted.ok) return admitted;
  const { saves } = admitted.value;
  const { reason, asked = false, told } = proposal;
  if (saves < MINIMUM_SAVING && !asked) {
    const message = `${author} would save only ${saves} tokens: not worth a cut`;
    const issue: Issue = { code: "edit-refused", message, severity: "info" };
    return { ok: false, issue };
  }
  return { ok: true, value: { ...admitted.value, since, asked, author, reason, ...(told && { told }) } };
}

/** What was to go with the request before this one, and could not, goes with the next cut that reaches it. */
export function lapse<T extends { readonly told?: Told }>(queue: readonly T[]): readonly T[] {
  if (!queue.some(({ told }) => told === "now")) return queue;
  return queue.map((each) => (each.told === "now" ? { ...each, told: "later" } : each));
}

/** Those that may go now, and those that wait until their batch saves enough. */
export function splitHeld(queue: readonly Waiting[]): {
  readonly due: readonly Waiting[];
  readonly held: readonly Waiting[];
} {
  if (!queue.some(({ batch }) => batch)) return { due: queue, held: [] };
  const saves = new Map<string, number>();
  for (const { batch, saves: tokens } of queue)
    if (batch) saves.set(batch.name, (saves.get(batch.name) ?? 0) + tokens);
  const isHeld = ({ batch }: Waiting) => batch && (saves.get(batch.name) ?? 0) < batch.minimum;
  return { due: queue.filter((waiting) => !isHeld(waiting)), held: queue.filter(isHeld) };
}

type Admitted = Pick<Waiting, "at" | "saves" | "ref" | "drafts" | "batch">;

function admitDrop({ drop, reason }: PartDrop, author: string, guard: Guard): Result<Admitted> {
  const draft: Draft = { type: "drop", part: drop, author, reason };
  const checked = guard(draft);
  if (!checked.ok) return checked;
  const { saved: saves, ref } = checked.value;
  return { ok: true, value: { at: drop, saves, ref, drafts: () => [draft] } };
}

function admitSpans(proposal: Proposal, author: string, guard: Guard): Result<Admitted> {
  const { part, reason, needs, batch } = proposal;
  const [main, ...others] = proposal.spans;
  const draft = ({ leaf, from, to }: ProposedSpan, text: ReplaceDraft["text"]): ReplaceDraft => ({
    type: "replace",
    part,
    leaf,
    from,
    to,
    text,
    author,
    reason,
    ...(needs && { needs }),
  });
  const first = guard(draft(main, main.render));
  if (!first.ok) return first;
  const { ref } = first.value;
  let saves = first.value.saved;
  const rest = others.map((span) => draft(span, () => span.render(ref)));
  for (const each of rest) {
    const checked = guard(each);
    if (checked.ok) saves += checked.value.saved;
  }
  const drafts = (): readonly [Draft, ...Draft[]] => [draft(main, main.render), ...rest];
  return { ok: true, value: { at: part, saves, ref, drafts, ...(batch && { batch }) } };
}

/** Below this a cut is not worth its marker; and a marker is never worth another marker. */
const MINIMUM_SAVING = 10;
