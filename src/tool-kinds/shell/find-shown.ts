import type { ResultContent } from "../tool-use.ts";
import { findGitAction } from "./git.ts";
import { isWriter } from "./is-writer.ts";
import { isMove } from "./locate.ts";
import { programOf, type ShellCommand } from "./shell-command.ts";

/**
 * The content of a line's output, if the line only looks something up.
 *
 *   cd lib && git --no-pager status   ->  git-status
 *   rg applyRate src | head -20       ->  matches
 *   ls | wc -l, ls && npm test        ->  nothing
 */
export function findShown(commands: readonly ShellCommand[]): ResultContent | undefined {
  const [first, ...filters] = commands.filter((command) => !isMove(command));
  if (!first || commands.some((command) => command.nested || isWriter(command))) return undefined;
  if (!filters.every((filter) => filter.joint === "|" && FILTERS.has(programOf(filter)))) return undefined;
  return programOf(first) === "" ? undefined : shownBy(first.words.map(({ text }) => text));
}

/** The content of a program's output, if its name defines it. */
export function shownBy(words: readonly string[]): ResultContent | undefined {
  const [name = ""] = words;
  const program = name.slice(name.lastIndexOf("/") + 1);
  if (program !== "git") return PROGRAMS.get(program);
  const action = findGitAction(words)?.action;
  return action === undefined ? undefined : GIT_ACTIONS.get(action);
}

const PROGRAMS: ReadonlyMap<string, ResultContent> = new Map<string, ResultContent>([
  ["ls", "files"],
  ["find", "files"],
  ["fd", "files"],
  ["tree", "tree"],
  ["grep", "matches"],
  ["egrep", "matches"],
  ["fgrep", "matches"],
  ["rg", "matches"],
  ["ag", "matches"],
  ["ack", "matches"],
]);

const GIT_ACTIONS: ReadonlyMap<string, ResultContent> = new Map<string, ResultContent>([
  ["status", "git-status"],
  ["diff", "git-diff"],
  ["show", "git-diff"],
  ["log", "git-log"],
  ["ls-files", "files"],
  ["grep", "matches"],
]);

/** Programs that pass lines on unchanged, though perhaps fewer or in another order. */
const FILTERS: ReadonlySet<string> = new Set(
  "cat head tail grep egrep fgrep rg sort uniq less more".split(" "),
);
