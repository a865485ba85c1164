import { PERSON, SCHEDULER } from "../edits/authors.ts";
import type { Cutting } from "../edits/cutting.ts";
import type { Cut } from "../edits/edit.ts";
import type { Now } from "./now.ts";
import { readBefore } from "./prompt-cache.ts";
import { isOutdated, listRestored, type Restoral } from "./restorals.ts";
import type { SchedulePolicy, Session } from "./scheduler.ts";

interface RestoringNow extends Now {
  /**
   * The last part that must not change, because reasoning is bound to it: reasoning of the current turn, and any
   * reasoning.
   */
  readonly floors: { readonly current: number; readonly all: number };
}

/**
 * Undoes edits at the time that the agent was promised, or if that is cheap; otherwise with a cut before them or a
 * cold cache. Returns the wishes that still wait.
 */
export function restoreDue(
  restoring: readonly Restoral[],
  session: Session,
  policy: Pick<SchedulePolicy, "mode" | "requestedLimit">,
  now: RestoringNow,
  cutting: Cutting,
): readonly Restoral[] {
  const { facts, ledger } = session;
  const sumUpTo = sumTokens(session);
  return restoring.filter((restoral) => {
    const cuts = listRestored(restoral, facts, ledger);
    if (cuts.length === 0 || isOutdated(restoral, facts)) return false;
    if (!comesBack(cuts, restoral)) return true;
    cutting.undo(cuts, ...sayWhy(restoral));
    return false;
  });

  function comesBack(cuts: readonly Cut[], { timing, needed }: Restoral): boolean {
    const { prices, floors, cached } = now;
    const first = cuts.reduce(
      (least, cut) => Math.min(least, facts.transcript.find(cut.part) ?? 0),
      Number.POSITIVE_INFINITY,
    );
    // Reasoning of the current turn is bound to the text as cut, and must not be dropped.
    if (first <= floors.current) return false;
    if (cached.blocks <= first || needed || policy.mode === "eager" || prices.write === prices.read)
      return true;
    // Everything after this request's cut is rewritten anyway, and reasoning bound to it is dropped with it.
    if (cutting.from <= first) return true;
    if (timing === "later" || first <= floors.all) return false;
    if (timing === "now") return true;
    const end = Math.min(cached.blocks, cutting.from);
    const follows = end > first ? sumUpTo(end) - sumUpTo(first) : 0;
    const { entries } = cached;
    const lost = entries ? Math.max(follows, readBefore(entries, end) - readBefore(entries, first)) : follows;
    return (prices.write - prices.read) * lost <= policy.requestedLimit;
  }
}

/**
 * Returns a function for the tokens shown before a part. They are summed once: undoing changes only the text after
 * `cutting.from`, and no later sum is needed.
 */
function sumTokens({ view }: Session): (part: number) => number {
  let sums: number[] | undefined;
  return (part) => {
    if (!sums) {
      sums = [0];
      for (const tokens of view.tokens) sums.push((sums.at(-1) ?? 0) + tokens);
    }
    return sums[Math.min(part, sums.length - 1)] ?? 0;
  };
}

function sayWhy({ author, needed }: Restoral): readonly [author: string, reason: string] {
  return needed ? [SCHEDULER, "a newer result refers to it"] : [author ?? PERSON, "restored"];
}
