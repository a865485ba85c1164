import type { Proposal } from "../../edits/proposal.ts";
import type { CurrentOperations } from "../../facts/current-operations.ts";
import type { Facts } from "../../facts/facts.ts";
import type { FileOperation } from "../../facts/files.ts";
import type { FileTouch, ToolUse } from "../../tool-kinds/tool-use.ts";
import { type SupersedeOptions, supersede } from "./supersede.ts";

/** What these operations have made stale. */
export function proposeStale(
  operations: readonly FileOperation[],
  facts: Facts,
  current: CurrentOperations,
  options: SupersedeOptions,
): readonly Proposal[] {
  return operations.flatMap((newer) =>
    current
      .madeStaleBy(newer)
      .filter((older) => isStale(older, current))
      .flatMap((older) => proposeFor(older, newer, facts, options)),
  );
}

export function proposeFor(
  older: FileOperation,
  newer: FileOperation,
  facts: Facts,
  options: SupersedeOptions,
): readonly Proposal[] {
  return supersede(facts, older.fact, REASONS[newer.touch.operation], options);
}

const REASONS: Readonly<Record<FileTouch["operation"], string>> = {
  read: "newer read of the file",
  write: "the file was written since",
  edit: "the file was edited since",
  delete: "the file was deleted since",
};

/** Is what a call shows about its files and nothing else? A line that changes files may show anything: a test run. */
function isAboutFiles({ kind, files }: ToolUse): boolean {
  return kind !== "shell" || files.every(({ operation }) => operation === "read");
}

/** A call that touches several files is stale when the last of them is. */
export function isStale({ fact }: FileOperation, current: CurrentOperations): boolean {
  return isAboutFiles(fact.use) && !current.isCurrent(fact);
}
