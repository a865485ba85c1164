import { countOf } from "../basics/numbers.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { maskLabel } from "../redaction/mask-label.ts";
import { rankFailures } from "../strategies/summaries/failure-lines.ts";
import { hasFailed } from "../strategies/summaries/has-failed.ts";
import { capLine, splitLines } from "../strategies/summaries/lines.ts";
import { hasHostTag } from "../strategies/texts/host-instructions.ts";
import { normalizePath } from "../tool-kinds/paths.ts";
import { runsTests } from "../tool-kinds/runs-tests.ts";
import type { FileTouch } from "../tool-kinds/tool-use.ts";

const FILES_SHOWN = 6;
const TODOS_SHOWN = 6;
const FAILURES_SHOWN = 3;
const LONG_LABEL = 160;

/**
 * The state of an agent's work, so that it can go on after its history has become a summary. At most 19 lines; no
 * lines if nothing was done. Everything comes from the transcript, so the same transcript gives the same lines.
 *
 *   Files changed, the newest first (2): src/cart.ts, src/old.ts (deleted), one per line
 *   Open todos (1):                      [in progress] Round the totals
 *   The last test run that failed:       npm test, and the first lines that report a failure
 *
 * @param directory the folder that paths are shown relative to
 */
export function describeWork(facts: Facts, directory?: string): readonly string[] {
  return [...describeFiles(facts, directory), ...describeTodos(facts), ...describeFailure(facts)];
}

function describeFiles(facts: Facts, directory: string | undefined): readonly string[] {
  const changes = new Map<string, FileTouch["operation"]>();
  for (const result of facts.calls.results) {
    const fact = facts.calls.of(result);
    for (const { path, operation } of fact?.ok ? fact.use.files : []) {
      if (operation === "read") continue;
      // The newest change must be last.
      changes.delete(path);
      changes.set(path, operation);
    }
  }
  const root = directory === undefined ? undefined : `${normalizePath(directory)}/`;
  const shown = [...changes].reverse().map(([path, operation]) => {
    const name = root !== undefined && path.startsWith(root) ? path.slice(root.length) : path;
    return operation === "delete" ? `${name} (deleted)` : name;
  });
  return list("Files changed, the newest first", shown, FILES_SHOWN);
}

function describeTodos({ todoList }: Facts): readonly string[] {
  const inProgress = todoList.tasks.filter(({ status }) => status === "in_progress");
  const pending = todoList.tasks.filter(({ status }) => status === "pending");
  const shown = [
    ...inProgress.map(({ text }) => `[in progress] ${text}`),
    ...pending.map(({ text }) => `[pending] ${text}`),
  ];
  return list("Open todos", shown, TODOS_SHOWN);
}

function list(title: string, all: readonly string[], most: number): readonly string[] {
  const shown = all.filter((each) => !hasHostTag(each)).slice(0, most);
  if (shown.length === 0) return [];
  const left = all.length - shown.length;
  const more = left === 0 ? "" : `, ${left} not shown`;
  return [`${title} (${all.length}${more}):`, ...shown.map((each) => `- ${label(each)}`)];
}

function describeFailure(facts: Facts): readonly string[] {
  const failure = findLastFailure(facts);
  if (!failure) return [];
  const { fact, isTest, passedSince } = failure;
  const lines = splitLines(textOf(facts, fact));
  const ranks = rankFailures({ length: lines.length, at: (line) => lines[line] });
  const failures = lines.filter((line, i) => ranks[i] === "failure" && !hasHostTag(line));
  const shown = failures.slice(0, FAILURES_SHOWN);
  const more = failures.length - shown.length;
  const others = passedSince === 0 ? "" : ` (${countOf(passedSince, "other")} passed)`;
  const what = isTest ? "test run" : "command";
  return [
    `The last ${what} that failed and has not passed since${others}: ${label(fact.use.command ?? "")}`,
    ...shown.map((line) => `| ${label(line)}`),
    ...(more > 0 ? [`(${countOf(more, "more line")} of its output report a failure)`] : []),
  ];
}

interface Failure {
  readonly fact: CallFact;
  readonly isTest: boolean;
  /** The number of other test runs that passed since. */
  readonly passedSince: number;
}

/**
 * Finds the last test run that failed, or else the last other command that failed. If a command ran more than once,
 * only its newest run counts. Commands that only look something up do not count.
 */
function findLastFailure(facts: Facts): Failure | undefined {
  const known = new Set<string>();
  let passedSince = 0;
  let other: CallFact | undefined;
  for (const result of facts.calls.results.toReversed()) {
    const fact = facts.calls.of(result);
    const command = fact?.use.command?.trim();
    if (!fact || command === undefined || fact.use.shows !== undefined || known.has(command)) continue;
    known.add(command);
    const isTest = runsTests(fact.use);
    const failed = hasFailed(fact.use, textOf(facts, fact), { failed: !fact.ok }) && !hasHostTag(command);
    if (failed && isTest) return { fact, isTest, passedSince };
    if (failed) other ??= fact;
    else if (isTest) passedSince++;
  }
  return other && { fact: other, isTest: false, passedSince: 0 };
}

function textOf({ transcript }: Facts, { result }: CallFact): string {
  return transcript
    .part(result)
    .leaves.map(({ text }) => text)
    .join("\n");
}

/** Shortens a text to one line, and masks secrets. */
function label(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with a control character.
  const plain = text.replace(/\u001b\[[\d;]{0,20}[A-Za-z]/g, "").replace(/[\s\p{Cc}]+/gu, " ");
  return capLine(maskLabel(plain.trim()), LONG_LABEL);
}
