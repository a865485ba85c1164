import { shrinkInput } from "./shrink-input.ts";
import type { Strategy } from "./strategy.ts";

export interface SpentInputOptions {
  /** Steps after which the agent has done with what it sent. */
  readonly age: number;
}

/**
 * Large inputs of calls that lie some steps back shrink to the fields that say what the call was about. Where a tool is
 * protected (`write`, `edit`), its inputs are too.
 *
 *   task {description: "look", prompt: 900 tokens} | 6 steps   ->  {description: "look", prompt: ""}
 */
export const spentInputs: Strategy<SpentInputOptions> = {
  name: "spent-inputs",
  propose(delta, facts, { age }) {
    const { step, lastStep } = facts.transcript;
    const known = step[delta.from - 1] ?? 0;
    return Array.from({ length: lastStep - known }, (_, i) => known + 1 + i - age)
      .flatMap((old) => facts.spent.callsOf(old))
      .flatMap((fact) => shrinkInput(facts, fact, "the call lies some steps back") ?? []);
  },
};
