import type { BuiltIn } from "./built-in.ts";
import { shrinkHeredocs } from "./replacing/shrink-heredocs.ts";
import { shrinkInput } from "./replacing/shrink-input.ts";

export interface SpentInputOptions {
  /** Steps after which the agent no longer needs the input of a call. */
  readonly age: number;
  /** Inputs of failed calls too? */
  readonly failed: boolean;
  /** In tokens. Smaller inputs stay; the default depends on the kind of input. */
  readonly least?: number;
}

/** If reasoning is bound to the text before it: at once, if the input is large and the call has succeeded. */
const AT_FIRST_SEND: SpentInputOptions = { age: 0, failed: false, least: 400 };

/**
 * Shrinks large inputs of calls some steps back to the fields that say what the call was about. The inputs of protected
 * tools (`write`, `edit`) stay.
 *
 *   cat > a.py <<EOF | 80 lines | EOF        ->  cat > a.py <<EOF | … | EOF
 *   task {description: "look", prompt: 900 tokens} | 6 steps   ->  {description: "look", prompt: ""}
 */
export const spentInputs: BuiltIn<SpentInputOptions> = {
  name: "spent-inputs",
  mechanism: "inputs",
  settings: [
    {
      key: "strategies.spent.inputs",
      description:
        "Large inputs of calls shrink to their identifying fields, and here-documents to `…`, after this many steps. On models that bind reasoning to the text before it, this applies to inputs of 400 tokens or more, as soon as the call has succeeded.",
      default: 2,
    },
  ],
  isOn: ({ spends, pruneToolInputs }) => spends && pruneToolInputs,
  optionsFor: ({ bound, strategies: { spent, purgeErrors } }) =>
    bound ? AT_FIRST_SEND : { age: spent.inputs, failed: purgeErrors.enabled },
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
