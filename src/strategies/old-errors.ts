import type { CutPlan } from "../edits/cut-plan.ts";
import { wasCut } from "../edits/own-marks.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import type { BuiltIn } from "./built-in.ts";
import type { FailureAge } from "./failed-inputs.ts";
import { onIn } from "./pass-setting.ts";
import { listOwnTexts, replacePart } from "./replacing/replace-part.ts";
import { opensHostTag } from "./texts/host-instructions.ts";
import { pickErrorLines } from "./texts/pick-error-lines.ts";

/**
 * Shrinks the result of a call that failed long ago to its first line, the error line and the frame of the error.
 *
 *   Traceback, 12 frames, KeyError: 'rate' | 5 steps   ->  Traceback, the last frame, KeyError: 'rate'
 */
export const oldErrors: BuiltIn<FailureAge> = {
  name: "old-errors",
  mechanism: "errors",
  flag: {
    key: "truncateOldErrors",
    description:
      "Errors older than `purgeErrors.turns` keep their first line, the error line and the stack frame it happened in. If off, no pass cuts errors while the window has room; only errors larger than `schedule.ingestCap` shrink before they are first sent.",
    presets: onIn("compact"),
  },
  facts: ["failures"],
  optionsFor: ({ strategies }) => strategies.purgeErrors,
  propose: (step, facts, { turns }) =>
    facts.failures.grownOld(step, turns).flatMap((failed) => truncate(facts, failed) ?? []),
};

function truncate(facts: Facts, { result }: CallFact): CutPlan | undefined {
  if (wasCut(facts, result)) return undefined;
  const lines = listOwnTexts(facts, result).flatMap((text) => text.split(/\r\n|\n|\r/));
  const kept = pickErrorLines(lines).filter((line) => !opensHostTag(line));
  const gone = lines.filter((line) => line.trim() !== "").length - kept.length;
  if (gone <= 0) return undefined;
  const count = `${gone} more ${gone === 1 ? "line" : "lines"}`;
  return replacePart(facts, result, (ref) => [...kept, `[old error: ${count} · ${ref}]`].join("\n"), {
    reason: "an old error",
  });
}
