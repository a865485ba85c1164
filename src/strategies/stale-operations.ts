import type { Facts } from "../facts/facts.ts";
import type { FileOperation } from "../facts/files.ts";
import { coversRange } from "../tool-kinds/line-range.ts";
import type { FileTouch, ToolUse } from "../tool-kinds/tool-use.ts";
import type { Proposal } from "./strategy.ts";
import { type SupersedeOptions, supersede } from "./supersede.ts";

/** What an operation on a file makes of those before it. */
interface Rule {
  /** Does it make everything older stale? */
  replacesAll(newer: FileOperation): boolean;
  /** Where it doesn't: does it make this one stale? */
  replaces(newer: FileOperation, older: FileOperation): boolean;
}

export const STRICT: Rule = {
  replacesAll: ({ touch }) => touch.range === undefined,
  replaces: (newer, older) => !isView(older) || coversRange(newer.touch.range, older.touch.range),
};

export const VIEWS: Rule = {
  replacesAll: (newer) => isView(newer) && newer.touch.range === undefined,
  replaces: (newer, older) =>
    isView(newer) && isView(older) && coversRange(newer.touch.range, older.touch.range),
};

/** Shows the file's text. What the shell writes to a file is seen by nobody. */
function isView({ touch, fact }: FileOperation): boolean {
  return touch.operation === "read" || (touch.operation === "write" && fact.use.kind !== "shell");
}

/** What these operations have made stale. */
export function proposeStale(
  operations: readonly FileOperation[],
  facts: Facts,
  rule: Rule,
  options: SupersedeOptions,
): readonly Proposal[] {
  return operations.flatMap((newer) =>
    listStale(newer, facts, rule)
      .filter((older) => isStale(older, facts, rule))
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

/**
 * The operations of earlier steps that this one makes stale, back to the last one that replaced everything: what is
 * older was made stale by that one.
 */
function listStale(newer: FileOperation, facts: Facts, rule: Rule): readonly FileOperation[] {
  const history = facts.files.history(newer.touch.path);
  const stale: FileOperation[] = [];
  let settled: number | undefined;
  for (let i = history.lastIndexOf(newer) - 1; i >= 0; i--) {
    const older = history[i] as FileOperation;
    if (settled !== undefined && older.fact.step < settled) break;
    if (supersedes(newer, older, rule)) stale.push(older);
    if (older.fact.step < newer.fact.step && rule.replacesAll(older)) settled = older.fact.step;
  }
  return stale;
}

function supersedes(newer: FileOperation, older: FileOperation, rule: Rule): boolean {
  return older.fact.step < newer.fact.step && (rule.replacesAll(newer) || rule.replaces(newer, older));
}

/** Is what a call shows about its files and nothing else? A line that changes files may show anything: a test run. */
function isAboutFiles({ kind, files }: ToolUse): boolean {
  return kind !== "shell" || files.every(({ operation }) => operation === "read");
}

/** A call that touches several files is stale when the last of them is. */
export function isStale({ fact }: FileOperation, facts: Facts, rule: Rule): boolean {
  return (
    isAboutFiles(fact.use) &&
    fact.use.files.every((touch) =>
      facts.files.history(touch.path).some((newer) => supersedes(newer, { fact, touch }, rule)),
    )
  );
}
