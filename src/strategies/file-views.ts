import type { Facts } from "../facts/facts.ts";
import type { FileOperation } from "../facts/files.ts";
import { coversRange } from "../tool-kinds/line-range.ts";
import type { FileTouch, ToolUse } from "../tool-kinds/tool-use.ts";
import type { Proposal, Strategy } from "./strategy.ts";
import { type SupersedeOptions, supersede } from "./supersede.ts";

/**
 * One file, one view. Whatever happens to a file makes everything older stale.
 *
 *   read a | write a | edit a          ->  the edit stays
 *   read a:1-99 | read a:100-200       ->  nothing: neither shows what the other does
 *   read a and b | edit a              ->  nothing yet: b is as it was
 */
export const fileOperations: Strategy<SupersedeOptions> = {
  name: "file-views",
  mayReplace: { tools: ["write", "edit"], files: ["read", "write", "edit", "delete"] },
  propose: (step, facts, options) => proposeStale(step.files, facts, STRICT, options),
};

/**
 * One file, one view, and what the agent needs to go on editing: the newest full view and the edits after it.
 *
 *   read a | edit a | edit a           ->  nothing
 *   read a | edit a | read a | edit a  ->  the second read and the second edit stay
 *   read a:1-50 | read a:1-99          ->  the second stays
 */
export const fileViews: Strategy<SupersedeOptions> = {
  name: "file-views",
  mayReplace: { tools: ["write", "edit"], files: ["write", "edit"] },
  propose: (step, facts, options) => proposeStale(step.files, facts, VIEWS, options),
};

interface Rule {
  /** Does it make everything older stale? */
  replacesAll(newer: FileOperation): boolean;
  /** Where it doesn't: does it make this one stale? */
  replaces(newer: FileOperation, older: FileOperation): boolean;
}

const STRICT: Rule = {
  replacesAll: ({ touch }) => touch.range === undefined,
  replaces: (newer, older) => !isView(older) || coversRange(newer.touch.range, older.touch.range),
};

const VIEWS: Rule = {
  replacesAll: (newer) => isView(newer) && newer.touch.range === undefined,
  replaces: (newer, older) =>
    isView(newer) && isView(older) && coversRange(newer.touch.range, older.touch.range),
};

/** Shows the file's text. What the shell writes to a file is seen by nobody. */
function isView({ touch, fact }: FileOperation): boolean {
  return touch.operation === "read" || (touch.operation === "write" && fact.use.kind !== "shell");
}

function proposeStale(
  operations: readonly FileOperation[],
  facts: Facts,
  rule: Rule,
  options: SupersedeOptions,
): readonly Proposal[] {
  return operations.flatMap((newer) =>
    listStale(newer, facts, rule)
      .filter(({ fact }) => isAboutFiles(fact.use))
      .filter((older) => allStale(older, facts, rule))
      .flatMap(({ fact }) => supersede(facts, fact, REASONS[newer.touch.operation], options)),
  );
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
function allStale({ fact }: FileOperation, facts: Facts, rule: Rule): boolean {
  return fact.use.files.every((touch) =>
    facts.files.history(touch.path).some((newer) => supersedes(newer, { fact, touch }, rule)),
  );
}
