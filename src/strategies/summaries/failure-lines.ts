import { isErrorStart, isException } from "./error-lines.ts";
import { hasExitCode } from "./exit-code.ts";
import { saysFailed } from "./key-numbers.ts";
import type { LineList } from "./lines.ts";

/**
 * What a line has to do with a failure: it is one (a failed test, an error, an exit code), it is what one says (`Expected:
 * 4`), it stands behind one, or nothing.
 */
export type FailureRank = "failure" | "message" | "behind" | "none";

/** Lines by which programs report a failure, beside those that begin as errors do. */
const FAILURES: readonly RegExp[] = [
  // Vitest, Jest, Mocha, TAP, PHPUnit, RSpec: `× adds 5ms`, `FAIL src/a.test.ts`, `● sum › adds`, `1) adds:`, `not ok 3`.
  /^\s*(?:[✗✖✘×✕❌]\s|not ok \d|FAIL(?:ED|URE|URES)?\b|rspec \S+:\d)|^ {1,4}● \S|^ {2,6}\d{1,5}\) \S|^\d{1,5}\) [\w\\]+::\w/,
  // pytest: `tests/a.py::test_x FAILED [ 10%]`, `[gw0] [ 10%] FAILED tests/…`, `____ test_x ____`.
  /\s(?:FAILED|ERROR)(?:\s+\[ *\d+%\])?$|^\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) |^_{3,} \S.* _{3,}$/,
  // Go, GoogleTest, CTest, unittest, Cargo: `--- FAIL: TestSum`, `[  FAILED  ] Sum`, `***Failed`, `test_x ... FAIL`.
  /^\s*--- FAIL: |^\[ {2}FAILED {2}\]|\*\*\*(?:Failed|Exception|Timeout)|\.\.\. (?:FAIL|FAILED|ERROR)$/,
  // Compilers and linters: `a.go:3:5: undefined: x`, `  12:5  error  'x' is not defined`, `[ERROR] …`, `##[error]…`.
  /^\S+\.\w{1,5}:\d+:\d+: (?!warning|note|info|help|hint)|^\s+\d+:\d+\s+error\s|^\s*(?:\[(?:ERROR|FATAL|error)\]|##\[error\]|(?:ERROR|FATAL|CRITICAL)\b)/,
  // Programs that died, and what `make` says of them.
  /^(?:thread '[^']*'[^']{0,40} panicked|panic:|Segmentation fault|Killed$|Aborted\b|Bus error|make(?:\[\d+\])?: \*\*\* )/,
];

/** Below a line that matches, names of files stand before the failures in them: `/src/a.ts`, then `  12:5  error  …`. */
const BELOW_FILE = /^\s+\d+:\d+\s+error\s/;

/** What a failed test says: pytest's `E   …` and `>   …`, Go's `sum_test.go:9: …`, `Expected: 4`, Cargo's `left: 1`. */
const MESSAGES =
  /^(?:E|>) {3,}\S|^\S+\.py:\d+: \w+$|^\s+\S+\.(?:go|rs):\d+: |^\s*(?:Expected|Received|expected|received|actual|Actual|left|right|got|want)\b.{0,20}:|^\s*[-+] (?:Expected|Received|expected|actual)\b|^assertion [`'f]/;

/** Lines behind a failure that may belong to it. */
const BEHIND = 8;

/** Lines behind a panic that are its message. */
const BEHIND_PANIC = 3;

const PANIC = /^thread '[^']*'[^']{0,40} panicked/;

/** Codes for colours and the like. */
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
