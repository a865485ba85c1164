import type { Risk } from "../risk/risk.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Cut } from "./edit.ts";
import type { Draft } from "./guard.ts";
import { type Batch, type Proposal, type Timing, toDrafts } from "./proposal.ts";
import { type Guarded, refuse } from "./refusal.ts";

/** A proposal that the guard would let through. */
export interface Admitted {
  /** First part that it changes. */
  readonly at: number;
  /** Tokens that it would save on every request; without what goes along with it. */
  readonly saves: number;
  readonly ref: Ref;
  readonly author: string;
  readonly reason: string;
  /** The agent or a person asked for it, so it need not wait until its rent is paid. */
  readonly requested: boolean;
  readonly timing?: Timing | undefined;
  readonly rides?: true | undefined;
  readonly risk?: Risk | undefined;
  readonly batch?: Batch | undefined;
  /** What to ask the guard for when it is due; texts are rendered then. If the first is refused, none is applied. */
  readonly drafts: readonly [Draft, ...Draft[]];
}

/** Tokens. A smaller saving is not worth a marker; this also keeps a marker from replacing another marker. */
const MINIMUM_SAVING = 10;

/** Asks whether the guard would let a proposal through now, and what it would save. */
export function admit(
  proposal: Proposal,
  author: string,
  guard: (draft: Draft) => Guarded<Cut>,
): Guarded<Admitted> {
  const { part, reason, requested = false, timing, rides, risk } = proposal;
  const first = guard(toDrafts(proposal, author)[0]);
  if (!first.ok) return first;
  const { ref } = first.value;
  const [main, ...others] = toDrafts(proposal, author, ref);
  const drafts: [Draft, ...Draft[]] = [main];
  let saves = first.value.saved;
  for (const draft of others) {
    const checked = guard(draft);
    const isOwn = draft.part === part;
    if (checked.ok && isOwn) saves += checked.value.saved;
    if (checked.ok || isOwn) drafts.push(draft);
  }
  if (saves < MINIMUM_SAVING && !requested)
    return refuse(drafts[0], first.value.part, { code: "too-little", saves });
  const batch = "drop" in proposal ? undefined : proposal.batch;
  return {
    ok: true,
    value: { at: part, saves, ref, author, reason, requested, timing, rides, risk, batch, drafts },
  };
}
