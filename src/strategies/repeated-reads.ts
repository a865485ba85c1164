import type { ReplacePlan } from "../edits/cut-plan.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { writePointer } from "../facts/pointer.ts";
import type { Repeat } from "../facts/repeats.ts";
import type { BuiltIn } from "./built-in.ts";
import { type Flag, onIn } from "./pass-setting.ts";
import { replacePart } from "./replacing/replace-part.ts";

/** Where the model binds reasoning to the text before it, `fold/passes.ts` turns it on as well. */
const PRUNE_REREADS: Flag = {
  key: "pruneRereads",
  description:
    "If the agent reads a file again while the context still shows it, the newer result points to the earlier one, or shows only what has changed since. Default for models that bind reasoning to the text before it: on, except in `verbose`.",
  presets: onIn("compact"),
};

/**
 * For a file that is read again while the context shows it: the newer result is replaced with a pointer before it
 * is first sent, which costs nothing, and the earlier one stays as long as the newer would have.
 *
 *   read a #a1b2c3 | read a           ->  [unchanged since it was read 1 step before (a1b2c3): see there · d4e5f6]
 *   read a, it has shrunk | read a    ->  nothing: only the newer shows all
 */
export const repeatedReads: BuiltIn = {
  name: "repeated-reads",
  mechanism: "file",
  mayReplace: { files: ["read"] },
  flag: PRUNE_REREADS,
  facts: ["repeats"],
  propose: (step, facts) =>
    listRepeats(step.completed, facts).flatMap(([again, repeat]) =>
      repeat.changes === undefined ? (proposePointer(facts, again, repeat) ?? []) : [],
    ),
};

/**
 * For a file that has changed a little since: only the new lines of the newer result stay.
 *
 *   read a #a1b2c3 | edit a | read a  ->  @@ -40,3 +40,3 @@ | … | [the rest: unchanged since it was read … · d4e5f6]
 */
export const changedReads: BuiltIn = {
  name: "changed-reads",
  mechanism: "file",
  flag: PRUNE_REREADS,
  facts: ["repeats"],
  propose: (step, facts) =>
    listRepeats(step.completed, facts).flatMap(([again, repeat]) =>
      repeat.changes === undefined ? [] : (proposePointer(facts, again, repeat) ?? []),
    ),
};

function listRepeats(
  completed: readonly CallFact[],
  { rereads }: Facts,
): readonly (readonly [CallFact, Repeat])[] {
  return completed.flatMap((again) => {
    const repeat = rereads.repeatOf(again);
    return repeat ? [[again, repeat] as const] : [];
  });
}

function proposePointer(
  facts: Facts,
  again: CallFact,
  { copy, changes, lines }: Repeat,
): ReplacePlan | undefined {
  const ref = facts.partRef(copy.result);
  if (ref === undefined) return undefined;
  const what = changes === undefined ? lines && `lines ${lines.from}–${lines.to}` : "the rest";
  const pointer = { copy: ref, steps: again.step - copy.step, ...(what !== undefined && { what }) };
  const lead = changes === undefined ? "" : `${changes}\n`;
  return replacePart(facts, again.result, (own) => lead + writePointer(pointer, own), {
    reason: changes === undefined ? "an earlier result shows it" : "an earlier result shows most of it",
    needs: [facts.transcript.key(copy.result)],
    yields: true,
  });
}
