import { describeError, type Issue } from "../basics/issue.ts";
import { type SignedPlan, signPlan } from "../edits/cut-plan.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import type { Restoral } from "../schedule/restorals.ts";
import type { Pass } from "../strategies/strategy.ts";

/** The wishes of all passes for one request. */
interface PassWishes {
  readonly plans: readonly SignedPlan[];
  readonly restorals: readonly Restoral[];
  /** The passes that threw, and were skipped. */
  readonly failed: readonly Issue[];
}

/** Asks each pass in turn. A pass that throws adds nothing. */
export function askPasses(passes: readonly Pass[], delta: Delta, facts: Facts): PassWishes {
  const plans: SignedPlan[] = [];
  const restorals: Restoral[] = [];
  const failed: Issue[] = [];
  for (const pass of passes) {
    const author = pass.name;
    try {
      const planned = pass.propose(delta, facts);
      const restored = pass.restores(delta, facts);
      const needed = pass.needs?.(delta, facts) ?? [];
      for (const plan of planned) plans.push(signPlan(plan, pass));
      for (const wish of restored) restorals.push({ ...wish, author });
      for (const ref of needed) restorals.push({ ref, author: undefined, needed: true });
    } catch (error) {
      const message = `the pass ${author} was skipped for this request, because of an error: ${describeError(error)}`;
      failed.push({ code: "strategy-failed", message, where: author, severity: "error" });
    }
  }
  return { plans, restorals, failed };
}
