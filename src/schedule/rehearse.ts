import { admit } from "../edits/admit.ts";
import { Cutting } from "../edits/cutting.ts";
import type { Cut, Edit, EditId } from "../edits/edit.ts";
import type { Draft } from "../edits/guard.ts";
import type { Proposal, Timing } from "../edits/proposal.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Now } from "./now.ts";
import { listRestored } from "./restorals.ts";
import type { Scheduler, Session } from "./scheduler.ts";

/** What one author wants. */
export interface Wishes {
  readonly author: string;
  readonly proposals?: readonly Proposal[];
  readonly restored?: readonly Ref[];
}

/** When a wish is fulfilled, and how many tokens that saves or brings back. */
export interface Foreseen {
  readonly when: Timing;
  readonly tokens: number;
}

export interface Rehearsal {
  /** For each proposal, in order; `undefined` where it can't be made together with the others. */
  readonly cuts: readonly (Foreseen | undefined)[];
  /** For each ref to restore, in order. */
  readonly restored: readonly Foreseen[];
}

/** The session to rehearse with. All that a rehearsal changes is journaled, and rolled back. */
export interface RehearsedSession extends Session {
  readonly scheduler: Scheduler;
}

/**
 * What the next request will do with these wishes, as far as that is known now: the scheduler really does it, and then
 * it is rolled back. So the agent is told what the scheduler will do. Pressure is left out: it only makes cuts come
 * sooner.
 */
export function rehearse(session: RehearsedSession, wishes: Wishes, now: Omit<Now, "usedBefore">): Rehearsal {
  const { facts, view } = session;
  const mark = facts.transcript.undoLog.mark();
  try {
    return play(session, wishes, { ...now, usedBefore: 0 });
  } finally {
    facts.transcript.rollback(mark);
    view.forget();
  }
}

function play(
  session: RehearsedSession,
  { author, proposals = [], restored = [] }: Wishes,
  now: Now,
): Rehearsal {
  const { facts, ledger, scheduler } = session;
  const restorals = restored.map((ref) => ({ ref, author }));
  const targets = restorals.map((restoral) => listRestored(restoral, facts, ledger));
  const drafts = proposals.map((proposal) => {
    const admitted = admit(proposal, author, now.guard);
    return admitted.ok ? admitted.value.drafts : undefined;
  });
  scheduler.take(
    proposals.map((proposal) => [proposal, author] as const),
    restorals,
    now.guard,
  );
  const done = scheduler.cut(now, { shake: undefined, restore: [] }, [])?.edits ?? [];
  return {
    cuts: foreseeCuts(session, drafts, done, author),
    restored: foreseeRestored(session, targets, done, now),
  };
}

type Drafts = readonly [Draft, ...Draft[]];

function foreseeCuts(
  { facts: { transcript }, scheduler }: RehearsedSession,
  all: readonly (Drafts | undefined)[],
  done: readonly Edit[],
  author: string,
): readonly (Foreseen | undefined)[] {
  const saved = new Map<string, number>();
  for (const edit of done)
    if (edit.type !== "undo" && edit.author === author) saved.set(placeOf(edit, edit.part), edit.saved);
  const waiting = new Map<string, number>();
  const nameOf = (draft: Draft) => placeOf(draft, transcript.key(draft.part));
  for (const each of scheduler.waiting)
    if (each.author === author) waiting.set(nameOf(each.drafts[0]), each.saves);
  return all.map((drafts): Foreseen | undefined => {
    if (!drafts) return undefined;
    const names = drafts.map(nameOf);
    const [main = ""] = names;
    if (saved.has(main)) {
      const tokens = names.reduce((sum, name) => sum + (saved.get(name) ?? 0), 0);
      return { when: "now", tokens };
    }
    const tokens = waiting.get(main);
    return tokens === undefined ? undefined : { when: "later", tokens };
  });
}

function placeOf(edit: Cut | Draft, part: PartKey): string {
  return edit.type === "drop" ? part : JSON.stringify([part, edit.leaf, edit.from, edit.to]);
}

/** Undoes here what does not come back with the next request, to see how many tokens that is. A cut counts once. */
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
