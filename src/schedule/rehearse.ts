import { attempt } from "../edits/attempt.ts";
import {
  type CutPlan,
  listSpans,
  type PlannedSpan,
  type SignedPlan,
  type Timing,
} from "../edits/cut-plan.ts";
import { Cutting } from "../edits/cutting.ts";
import type { Cut, Edit, EditId } from "../edits/edit.ts";
import { pricePlan } from "../edits/price-plan.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Now } from "./now.ts";
import { listRestored } from "./restorals.ts";
import type { Scheduler, Session } from "./scheduler.ts";

/** The cuts that one author wants, and the texts that it wants back. */
export interface Wishes {
  readonly author: string;
  readonly plans?: readonly CutPlan[];
  readonly restored?: readonly Ref[];
}

/** The time when a wish is fulfilled, and the tokens that it saves or brings back. */
export interface Foreseen {
  readonly when: Timing;
  readonly tokens: number;
}

export interface Rehearsal {
  /** For each plan, in order; `undefined` if it can't be made together with the others. */
  readonly cuts: readonly (Foreseen | undefined)[];
  /** For each ref to restore, in order. */
  readonly restored: readonly Foreseen[];
}

export interface RehearsedSession extends Session {
  readonly scheduler: Scheduler;
}

/**
 * Finds out what the next request will do with these wishes: the scheduler carries them out, and then everything is
 * undone. So the agent gets a true answer. Pressure is left out, because it only makes cuts come sooner.
 */
export function rehearse(session: RehearsedSession, wishes: Wishes, now: Omit<Now, "usedBefore">): Rehearsal {
  const { facts, view } = session;
  return attempt({ transcript: facts.transcript, view }, () => ({
    keep: false,
    value: play(session, wishes, { ...now, usedBefore: 0 }),
  }));
}

function play(session: RehearsedSession, { author, plans = [], restored = [] }: Wishes, now: Now): Rehearsal {
  const { facts, ledger, scheduler } = session;
  const restorals = restored.map((ref) => ({ ref, author }));
  const targets = restorals.map((restoral) => listRestored(restoral, facts, ledger));
  const signed = plans.map((plan): SignedPlan => ({ ...plan, author }));
  const possible = signed.map((plan) => {
    const priced = pricePlan(plan, now.guard);
    return priced.ok ? priced.value : undefined;
  });
  scheduler.take(signed, restorals, now.guard);
  const done = scheduler.cut(now, { shake: undefined, restore: [] }, [])?.edits ?? [];
  return {
    cuts: foreseeCuts(session, possible, done, author),
    restored: foreseeRestored(session, targets, done, now),
  };
}

function foreseeCuts(
  { facts: { transcript }, scheduler }: RehearsedSession,
  plans: readonly (SignedPlan | undefined)[],
  done: readonly Edit[],
  author: string,
): readonly (Foreseen | undefined)[] {
  const saved = new Map<string, number>();
  for (const edit of done)
    if (edit.type !== "undo" && edit.author === author)
      saved.set(nameOf(edit.part, edit.type === "drop" ? undefined : edit), edit.saved);
  const listNames = (plan: SignedPlan) =>
    listSpans(plan).map((span) => nameOf(transcript.key(plan.part), span));
  const waiting = new Map<string, number>();
  for (const plan of scheduler.waiting)
    if (plan.author === author) waiting.set(listNames(plan)[0] ?? "", plan.price.saves);
  return plans.map((plan): Foreseen | undefined => {
    if (!plan) return undefined;
    const along = "drop" in plan ? [] : (plan.along ?? []);
    const names = [plan, ...along].flatMap(listNames);
    const [main = ""] = names;
    if (saved.has(main)) {
      const tokens = names.reduce((sum, name) => sum + (saved.get(name) ?? 0), 0);
      return { when: "now", tokens };
    }
    const tokens = waiting.get(main);
    return tokens === undefined ? undefined : { when: "later", tokens };
  });
}

/** The name of a place: a span of a part, or the whole part. */
function nameOf(part: PartKey, span: Omit<PlannedSpan, "render"> | undefined): string {
  return span ? JSON.stringify([part, span.leaf, span.from, span.to]) : part;
}

/** Undoes the cuts that do not come back with the next request, to count their tokens. A cut counts once. */
function foreseeRestored(
  { facts, ledger, view }: RehearsedSession,
  targets: readonly (readonly Cut[])[],
  done: readonly Edit[],
  { request, guard }: Now,
): readonly Foreseen[] {
  const later = new Cutting({ transcript: facts.transcript, ledger, view, request, guard });
  const back = new Map<EditId, number>();
  const note = (edits: readonly Edit[]) => {
    for (const edit of edits) if (edit.type === "undo") back.set(edit.target, 0 - edit.saved);
  };
  note(done);
  const waits = targets.map((cuts) => cuts.filter(({ id }) => ledger.stands(id)));
  for (const cuts of waits)
    later.undo(
      cuts.filter(({ id }) => ledger.stands(id)),
      "",
      "",
    );
  note(later.edits);
  return targets.map((cuts, i): Foreseen => {
    let tokens = 0;
    for (const { id } of cuts) {
      tokens += back.get(id) ?? 0;
      back.delete(id);
    }
    return { when: (waits[i]?.length ?? 0) > 0 ? "later" : "now", tokens };
  });
}
