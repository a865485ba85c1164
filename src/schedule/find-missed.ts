import type { Cut } from "../edits/edit.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import { missedItsText } from "../facts/work.ts";
import { coversRange } from "../tool-kinds/line-range.ts";
import type { LineRange } from "../tool-kinds/tool-use.ts";
import { listRuleCuts } from "./find-fetched.ts";

/** The number of views of a file that are checked, newest first. */
const VIEWS = 20;

/**
 * For each edit that has just failed because its text was not found: the cuts by rules in the agent's views of the
 * file. Of views of the same lines, only the newest counts. Must be called before this request's cut, like
 * `findFetched`.
 *
 *   read a.ts, cut | edit a.ts: not found                ->  the cut of the read
 *   read a.ts, cut | read a.ts | edit a.ts: not found    ->  nothing: the agent saw the file
 */
export function findMissed(delta: Delta, facts: Facts, ledger: Ledger): readonly (readonly Cut[])[] {
  return delta.completed
    .filter((fact) => missedItsText(fact, facts.transcript))
    .map((fact) => findCutViews(fact, facts, ledger))
    .filter((cuts) => cuts.length > 0);
}

function findCutViews({ step, use }: CallFact, facts: Facts, ledger: Ledger): readonly Cut[] {
  const changed = use.files.filter(({ operation }) => operation !== "read");
  return [...new Set(changed.map(({ path }) => path))].flatMap((path) => {
    const newer: (LineRange | undefined)[] = [];
    return listNewest(facts.files.views(path), step).flatMap((view) => {
      const range = view.use.files[0]?.range;
      if (newer.some((each) => coversRange(each, range))) return [];
      newer.push(range);
      return listRuleCuts(view, facts, ledger);
    });
  });
}

/** The newest views of earlier steps, newest first. */
function listNewest(views: readonly CallFact[], step: number): readonly CallFact[] {
  const newest: CallFact[] = [];
  for (let i = views.length - 1; i >= 0 && newest.length < VIEWS; i--) {
    const view = views[i];
    if (view && view.step < step) newest.push(view);
  }
  return newest;
}
