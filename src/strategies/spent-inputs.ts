import { shrinkHeredocs } from "./replacing/shrink-heredocs.ts";
import { shrinkInput } from "./replacing/shrink-input.ts";
import type { Strategy } from "./strategy.ts";

export interface SpentInputOptions {
  /** Steps after which the agent no longer needs the input of a call. */
  readonly age: number;
  /** Inputs of failed calls too? */
  readonly failed: boolean;
  /** In tokens. Smaller inputs stay; the default depends on the kind of input. */
  readonly least?: number;
}

/**
 * Shrinks large inputs of calls some steps back to the fields that say what the call was about. The inputs of protected
 * tools (`write`, `edit`) stay.
 *
 *   cat > a.py <<EOF | 80 lines | EOF        ->  cat > a.py <<EOF | … | EOF
 *   task {description: "look", prompt: 900 tokens} | 6 steps   ->  {description: "look", prompt: ""}
 */
export const spentInputs: Strategy<SpentInputOptions> = {
  name: "spent-inputs",
  mechanism: "inputs",
  propose: (delta, facts, { age, failed, least }) => {
    const reason = age === 0 ? "the call has succeeded" : "the call lies some steps back";
    return facts.spent
      .listDue(delta, age)
      .filter(({ ok }) => ok || failed)
      .flatMap(
        (fact) => shrinkInput(facts, fact, reason, least) ?? shrinkHeredocs(facts, fact, reason, least) ?? [],
      );
  },
};
