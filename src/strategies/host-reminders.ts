import type { CutPlan } from "../edits/cut-plan.ts";
import { wasCut } from "../edits/own-marks.ts";
import type { Facts } from "../facts/facts.ts";
import type { Strategy } from "./strategy.ts";
import { findInstructions } from "./texts/host-instructions.ts";

/**
 * Some hosts add the same reminder to many results, word for word. The newest stays. The others are cut together
 * with a cut before them, or when that costs nothing. The file above them is not changed, so it counts as whole.
 *
 *   read a | reminder, read b | reminder, read c | reminder   ->   read a, read b, read c | reminder
 */
export const hostReminders: Strategy = {
  name: "host-reminders",
  mechanism: "reminder",
  propose: (step, facts) =>
    facts.hostBlocks
      .listRepeated(step.completed, step.from)
      .flatMap((part) => (staysWhole(facts, part) ? [] : proposeWithout(facts, part))),
};

function staysWhole(facts: Facts, part: number): boolean {
  const fact = facts.calls.of(part);
  return wasCut(facts, part) || fact === undefined;
}

function proposeWithout(facts: Facts, part: number): readonly CutPlan[] {
  const { leaves } = facts.transcript.part(part);
  return findInstructions(facts, part).flatMap(({ leaf, from, to }): readonly CutPlan[] => {
    const text = leaves.find(({ id }) => id === leaf)?.text ?? "";
    const copy = facts.hostBlocks.findCopy(text.slice(from, to), part);
    if (copy === undefined) return [];
    let start = from;
    while (text[start - 1] === "\n") start--;
    // A reminder in a separate text is cut with the next cut of its result.
    if (start === 0) return [];
    const span = { leaf, from: start, to, render: () => "" };
    const reason = "a newer result has the same reminder";
    return [{ part, spans: [span], reason, lossless: { copy }, rides: true }];
  });
}
