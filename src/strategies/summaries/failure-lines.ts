import { isErrorStart, isException } from "./error-lines.ts";
import { hasExitCode } from "./exit-code.ts";
import { saysFailed } from "./key-numbers.ts";
import type { LineList } from "./lines.ts";

/**
 * The relation of a line to a failure: a failure itself (a failed test, an error, an exit code), its message
 * (`Expected: 4`), a line after it, or none.
 */
export type FailureRank = "failure" | "message" | "behind" | "none";

/** Lines with which programs report a failure, in addition to those that begin like errors. */
const FAILURES: readonly RegExp[] = [
  // Vitest, Jest, Mocha, TAP, PHPUnit, RSpec: `× adds 5ms`, `FAIL src/a.test.ts`, `● sum › adds`, `1) adds:`, `not ok 3`.
  /^\s*(?:[✗✖✘×✕❌]\s|not ok \d|FAIL(?:ED|URE|URES)?\b|rspec \S+:\d)|^ {1,4}● \S|^ {2,6}\d{1,5}\) \S|^\d{1,5}\) [\w\\]+::\w/,
  // pytest: `tests/a.py::test_x FAILED [ 10%]`, `[gw0] [ 10%] FAILED tests/…`, `____ test_x ____`.
  /\s(?:FAILED|ERROR)(?:\s+\[ *\d+%\])?$|^\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) |^_{3,} \S.* _{3,}$/,
  // Go, GoogleTest, CTest, unittest, Cargo: `--- FAIL: TestSum`, `[  FAILED  ] Sum`, `***Failed`, `test_x ... FAIL`.
  /^\s*--- FAIL: |^\[ {2}FAILED {2}\]|\*\*\*(?:Failed|Exception|Timeout)|\.\.\. (?:FAIL|FAILED|ERROR)$/,
  // Compilers and linters: `a.go:3:5: undefined: x`, `  12:5  error  'x' is not defined`, `[ERROR] …`, `##[error]…`.
  /^\S+\.\w{1,5}:\d+:\d+: (?!warning|note|info|help|hint)|^\s+\d+:\d+\s+error\s|^\s*(?:\[(?:ERROR|FATAL|error)\]|##\[error\]|(?:ERROR|FATAL|CRITICAL)\b)/,
  // Programs that crashed, and the messages of `make` about them.
  /^(?:thread '[^']*'[^']{0,40} panicked|panic:|Segmentation fault|Killed$|Aborted\b|Bus error|make(?:\[\d+\])?: \*\*\* )/,
];

/** If a line matches, the names of files come before their failures: `/src/a.ts`, then ` 12:5 error …`. */
const BELOW_FILE = /^\s+\d+:\d+\s+error\s/;

/**
 * Messages of a failed test: pytest's `E …` and `> …`, Go's `sum_test.go:9: …`, `Expected: 4`, Cargo's `left: 1`.
 */
const MESSAGES =
  /^(?:E|>) {3,}\S|^\S+\.py:\d+: \w+$|^\s+\S+\.(?:go|rs):\d+: |^\s*(?:Expected|Received|expected|received|actual|Actual|left|right|got|want)\b.{0,20}:|^\s*[-+] (?:Expected|Received|expected|actual)\b|^assertion [`'f]/;

/** Lines after a failure that may belong to it. */
const BEHIND = 8;

/** Lines after a panic that are its message. */
const BEHIND_PANIC = 3;

const PANIC = /^thread '[^']*'[^']{0,40} panicked/;

/** Codes for colours and similar. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them.
const COLORS = /\u001b\[[\d;]{0,20}[A-Za-z]/g;

/**
 * Ranks every line of an output.
 *
 *   ✓ adds                      none
 *   × divides                   failure
 *     Expected: 4               message
 *     at sum.test.ts:9:3        behind
 */
export function rankFailures(lines: LineList): readonly FailureRank[] {
  const ranks: FailureRank[] = [];
  let heading = -1;
  let behind = 0;
  let panic = 0;
  for (let i = 0; i < lines.length; i++) {
    const whole = lines.at(i) ?? "";
    const line = whole.includes("\u001b") ? whole.replace(COLORS, "") : whole;
    const isBlank = line.trim() === "";
    if (reportsFailure(line)) {
      ranks.push("failure");
      if (heading >= 0 && BELOW_FILE.test(line)) ranks[heading] = "failure";
      behind = BEHIND;
      panic = PANIC.test(line) ? BEHIND_PANIC : 0;
    } else if (MESSAGES.test(line) || (panic > 0 && !isBlank)) ranks.push("message");
    else ranks.push(behind > 0 && !isBlank ? "behind" : "none");
    if (ranks[i] !== "failure") {
      behind--;
      panic--;
    }
    if (!isBlank && !/^\s/.test(line)) heading = i;
  }
  return ranks;
}

export function isFailure(rank: FailureRank | undefined): boolean {
  return rank === "failure" || rank === "message";
}

function reportsFailure(line: string): boolean {
  return (
    isErrorStart(line) ||
    isException(line.trimStart()) ||
    FAILURES.some((pattern) => pattern.test(line)) ||
    saysFailed(line) ||
    hasExitCode(line)
  );
}
