import { isRecord } from "../basics/json.ts";
import { AGENT, PERSON, SCHEDULER } from "../edits/authors.ts";
import { type Cut, isLossless } from "../edits/edit.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import { isRecall } from "../tool-kinds/is-recall.ts";
import { coversRange } from "../tool-kinds/line-range.ts";
import { isRef } from "../transcript/refs.ts";
import { listRestored } from "./restorals.ts";

/**
 * The cuts by rules whose text the agent has just fetched again: by a recall, or by a read of the same lines of an
 * unchanged file. Must be called before this request's cut, because the agent saw the cuts that are active now.
 *
 *   read a.ts, cut | read a.ts               ->  the cut of the first read
 *   read a.ts, cut | edit a.ts | read a.ts   ->  nothing: it wanted to see the result of the edit
 */
export function findFetched(delta: Delta, facts: Facts, ledger: Ledger): readonly Cut[] {
  return delta.completed
    .filter(({ ok }) => ok)
    .flatMap((fact) =>
      isRecall(fact.use) ? findRecalled(fact, facts, ledger) : findReread(fact, facts, ledger),
    )
    .filter(isOfRule);
}

function findRecalled({ call }: CallFact, facts: Facts, ledger: Ledger): readonly Cut[] {
  const part = facts.transcript.part(call);
  const ref = part.kind === "call" && isRecord(part.input) ? part.input.ref : undefined;
  if (typeof ref !== "string" || !isRef(ref)) return [];
  return listRestored({ ref, author: undefined }, facts, ledger);
}

function findReread({ step, use }: CallFact, facts: Facts, ledger: Ledger): readonly Cut[] {
  const [touch, ...others] = use.files;
  if (touch?.operation !== "read" || others.length > 0) return [];
  const earlier = facts.files.views(touch.path).findLast((view) => view.step < step);
  if (!earlier || !coversRange(earlier.use.files[0]?.range, touch.range)) return [];
  const changed = facts.files.changes(touch.path).at(-1);
  if (changed !== undefined && changed >= earlier.step) return [];
  return listCuts(earlier, facts, ledger);
}

/**
 * The cuts by rules in views of files that the agent has just changed: it works on them. The newest view counts. If
 * the file was changed since that view, none does: the agent's own text may be enough.
 *
 *   read a.ts, cut | edit a.ts               ->  the cut of the read
 *   read a.ts, cut | edit a.ts | edit a.ts   ->  nothing more
 */
export function findEdited(delta: Delta, facts: Facts, ledger: Ledger): readonly Cut[] {
  return delta.files.flatMap(({ touch: { operation, path }, fact: { step } }) => {
    if (operation !== "edit") return [];
    const view = facts.files.views(path).findLast((each) => each.step < step);
    const changed = facts.files.changes(path).findLast((each) => each < step) ?? 0;
    return view && changed < view.step ? listRuleCuts(view, facts, ledger) : [];
  });
}

/** The cuts by rules in a call's result. */
export function listRuleCuts(fact: CallFact, facts: Facts, ledger: Ledger): readonly Cut[] {
  return listCuts(fact, facts, ledger).filter(isOfRule);
}

function listCuts({ result }: CallFact, facts: Facts, ledger: Ledger): readonly Cut[] {
  return ledger.cutsOf(facts.transcript.key(result)).filter((cut) => !isLossless(cut));
}

function isOfRule({ author }: Cut): boolean {
  return author !== AGENT && author !== PERSON && author !== SCHEDULER;
}
