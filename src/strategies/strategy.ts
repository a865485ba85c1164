import type { CutPlan, RestoreWish } from "../edits/cut-plan.ts";
import type { Mechanism } from "../edits/mechanism.ts";
import type { Delta, Facts, OptionalFact } from "../facts/facts.ts";
import type { MayReplace } from "../protection/protection.ts";
import type { Ref } from "../transcript/refs.ts";

/** A pure pass. It plans cuts of what *this step* made stale. It never sees or changes a message. */
export interface Strategy<Options = undefined> {
  readonly name: string;
  /** The category of its cuts in statistics; `other` without one. */
  readonly mechanism?: Mechanism;
  readonly mayReplace?: MayReplace;
  /** The indices of `Facts` that it reads and that are built only on request. */
  readonly facts?: readonly OptionalFact[];
  propose(step: Delta, facts: Facts, options: Options): readonly CutPlan[];
  /** Its earlier edits that this step undoes. */
  restores?(step: Delta, facts: Facts): readonly RestoreWish[];
  /** Refs of parts that this step points the agent to. All cuts of them are undone, whoever made them. */
  needs?(step: Delta, facts: Facts): readonly Ref[];
}

/** A strategy with its options. */
export interface Pass {
  readonly name: string;
  readonly mechanism?: Mechanism;
  readonly mayReplace: MayReplace;
  readonly facts?: readonly OptionalFact[];
  propose(step: Delta, facts: Facts): readonly CutPlan[];
  restores(step: Delta, facts: Facts): readonly RestoreWish[];
  needs?(step: Delta, facts: Facts): readonly Ref[];
}

export function usePass(strategy: Strategy): Pass;
export function usePass<Options>(strategy: Strategy<Options>, options: Options): Pass;
export function usePass<Options>(strategy: Strategy<Options>, options?: Options): Pass {
  return {
    name: strategy.name,
    ...(strategy.mechanism && { mechanism: strategy.mechanism }),
    mayReplace: strategy.mayReplace ?? {},
    ...(strategy.facts && { facts: strategy.facts }),
    propose: (step, facts) => strategy.propose(step, facts, options as Options),
    restores: (step, facts) => strategy.restores?.(step, facts) ?? NONE,
    needs: (step, facts) => strategy.needs?.(step, facts) ?? NONE,
  };
}

const NONE: readonly never[] = [];
