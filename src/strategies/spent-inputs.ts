import { shrinkHeredocs } from "./replacing/shrink-heredocs.ts";
import { shrinkInput } from "./replacing/shrink-input.ts";
import type { Strategy } from "./strategy.ts";

export interface SpentInputOptions {
  /** Steps after which the agent has done with what it sent. */
  readonly age: number;
  /** Those of calls that failed too? */
  readonly failed: boolean;
}

const REASON = "the call lies some steps back";

/**
 * Large inputs of calls that lie some steps back shrink to the fields that say what the call was about. Where a tool is
 * protected (`write`, `edit`), its inputs are too.
 *
 *   cat > a.py <<EOF | 80 lines | EOF        ->  cat > a.py <<EOF | … | EOF
 *   task {description: "look", prompt: 900 tokens} | 6 steps   ->  {description: "look", prompt: ""}
 */
export const spentInputs: Strategy<SpentInputOptions> = {
  name: "spent-inputs",
  mechanism: "inputs",
  propose: (delta, facts, { age, failed }) =>
    facts.spent
      .listDue(delta, age)
      .filter(({ ok }) => ok || failed)
      .flatMap((fact) => shrinkInput(facts, fact, REASON) ?? shrinkHeredocs(facts, fact, REASON) ?? []),
};
