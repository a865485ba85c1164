import { remember } from "../../basics/remember.ts";
import type { CutPlan } from "../../edits/cut-plan.ts";
import type { CallFact } from "../../facts/calls.ts";
import type { CurrentOperations } from "../../facts/current-operations.ts";
import type { Facts } from "../../facts/facts.ts";
import type { FileOperation } from "../../facts/files.ts";
import type { FileTouch, ToolUse } from "../../tool-kinds/tool-use.ts";
import { type SupersedeOptions, supersede } from "./supersede.ts";

/** Plans to replace the operations that these have made stale. */
export function proposeStale(
  operations: readonly FileOperation[],
  facts: Facts,
  current: CurrentOperations,
  options: SupersedeOptions,
): readonly CutPlan[] {
  const propose = proposeOnce(facts, options);
  return operations.flatMap((newer) =>
    current
      .madeStaleBy(newer)
      .filter((older) => isStale(older, current))
      .flatMap((older) => propose(older, newer)),
  );
}

/**
 * Returns each stale call once per reason, and not once for each of its files: a call with many files would give as
 * many long plans.
 */
export function proposeOnce(
  facts: Facts,
  options: SupersedeOptions,
): (older: FileOperation, newer: FileOperation) => readonly CutPlan[] {
  const proposed = new Map<CallFact, Set<string>>();
  return ({ fact }, { touch }) => {
    const reason = REASONS[touch.operation];
    const reasons = proposed.get(fact) ?? new Set();
    if (reasons.has(reason)) return [];
    proposed.set(fact, reasons.add(reason));
    return supersede(facts, fact, reason, options);
  };
}

const REASONS: Readonly<Record<FileTouch["operation"], string>> = {
  read: "newer read of the file",
  write: "the file was written since",
  edit: "the file was edited since",
  delete: "the file was deleted since",
};

/** Does the result show only files? A shell command that changes files may print anything, such as a test run. */
const isAboutFiles = remember(
  ({ kind, files }: ToolUse) => kind !== "shell" || files.every(({ operation }) => operation === "read"),
);

/** A call that touches several files is stale once it is stale for all of them. */
export function isStale({ fact }: FileOperation, current: CurrentOperations): boolean {
  return isAboutFiles(fact.use) && !current.isCurrent(fact);
}
