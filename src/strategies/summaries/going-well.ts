/** Lines that report success. */
const WENT_WELL: readonly RegExp[] = [
  // Vitest, Jest, Mocha, Playwright, Bun: `✓ adds (2 ms)`, `PASS src/a.test.ts`, `(pass) adds [1.00ms]`.
  /^\s*[✓✔√]\s|^\s*PASS\s+\S|^\(pass\) /,
  // Go: `--- PASS: TestSum (0.00s)`, `ok   example.com/sum   0.01s`, `?   example.com/cmd   [no test files]`.
  /^\s*--- (?:PASS|SKIP): |^ok\s{2,}\S|^\?\s+\S+\s+\[no test files\]/,
  // Cargo and unittest: `test sum::adds ... ok`, `test_adds (tests.Sum) ... ok`.
  /^test[ _].*\.\.\. (?:ok|ignored)$/,
  // pytest: `tests/test_a.py::test_adds PASSED  [ 10%]`, `[gw0] [ 10%] PASSED tests/…`.
  / (?:PASSED|SKIPPED|XFAIL)(?: \([^()]*\))? +\[ *\d+%\]$|^\[gw\d+\] \[ *\d+%\] (?:PASSED|SKIPPED) /,
  // Gradle, Bazel, CTest: `SumTest > adds() PASSED`, `//sum:adds PASSED in 0.3s`, `1/9 Test #1: adds ... Passed`.
  /^[\w.$]+ > [\w.$]+\(.*\) (?:PASSED|SKIPPED)$|^\/\/\S+\s+(?:\(cached\) )?PASSED in |^ *\d+\/\d+ Test +#\d+: .* Passed /,
  // GoogleTest and TAP: `[       OK ] Sum.Adds (0 ms)`, `ok 12 - adds`.
  /^\[ {2,}OK \] |^\s*ok \d+ /,
  // Dots: `tests/test_a.py ....s..  [ 40%]`, `.......... 10 / 10 (100%)`.
  /^(?:\S+\.py )?[.sx]{3,}(?:\s+\[ *\d+%\]|\s+\d+ \/ \d+ \( *\d+%\))?$/,
  // Bars: `45%|████▌     | 45/100`, `━━━━━━━━ 1.2/1.2 MB 9.1 MB/s`.
  /^[^|]{0,80}\d+%\|[█▏▎▍▌▋▊▉#\s-]*\||^\s*[━╸╺]{8,}/,
  // `Requirement already satisfied: …`, `> Task :compileJava UP-TO-DATE`.
  /^Requirement already satisfied: |^> Task \S+ (?:UP-TO-DATE|FROM-CACHE|NO-SOURCE|SKIPPED)$/,
];

/** Lines that announce the next action. They are not needed if it succeeded. */
const BEGINS: readonly RegExp[] = [
  /^=== (?:RUN|PAUSE|CONT|NAME) |^\[ RUN {6}\] |^ +Start +\d+: /,
  /^\s*(?:Compiling|Checking|Downloading|Downloaded|Fresh|Collecting|Unpacking|Installing|Fetching) \S/,
  /^(?:\[INFO\] )?Download(?:ing|ed) from \S|^ {2}Using cached \S/,
  /^(?:Get:\d+ |Preparing to unpack |Selecting previously |Setting up )\S/,
  // CMake and Ninja: `[ 45%] Building CXX object …`, `[12/340] Building …`.
  /^\[ *\d+%\] Building |^\[\d+\/\d+\] (?:Building|Compiling|CXX|CC) /,
];

/**
 * For each line: is it certainly about a passed test or progress, and not about an error? A line that announces an
 * action counts only if another such line follows: the last one may be the action that failed.
 *
 *   === RUN   TestAdd          goes
 *   --- PASS: TestAdd          goes
 *   === RUN   TestSum          stays
 *       sum_test.go:9: got 3   stays
 */
export function findGoingWell(lines: readonly string[]): readonly boolean[] {
  const well = lines.map((line) => matches(WENT_WELL, line));
  const begins = lines.map((line, i) => !well[i] && matches(BEGINS, line));
  return lines.map((_, i) => well[i] === true || (begins[i] === true && !!(well[i + 1] || begins[i + 1])));
}

function matches(patterns: readonly RegExp[], line: string): boolean {
  return patterns.some((pattern) => pattern.test(line));
}
