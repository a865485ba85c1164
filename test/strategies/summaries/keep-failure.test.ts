import { describe, expect, test } from "vitest";
import { keepFailure } from "../../../src/strategies/summaries/keep-failure.ts";
import { NO_SALIENCE } from "../../../src/strategies/summaries/salience.ts";
import { createToolKinds } from "../../../src/tool-kinds/tool-kinds.ts";

/** A run's output: texts about its failure, and lines of success between them. */
type Output = readonly (string | readonly string[])[];

const many = (line: (i: number) => string, count = 12): readonly string[] =>
  Array.from({ length: count }, (_, i) => line(i));

const OUTPUTS: Readonly<Record<string, Output>> = {
  jest: [
    many((i) => `PASS src/rates/rate-${i}.test.ts (5.${i} s)`),
    `FAIL src/sum.test.ts
  sum`,
    many((i) => `    ✓ adds ${i} and ${i} (${i} ms)`),
    `    ✕ adds 1 and 2 (4 ms)

  ● sum › adds 1 and 2

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      3 | test("adds 1 and 2", () => {
    > 4 |   expect(sum(1, 2)).toBe(4);
        |                     ^
      5 | });

      at Object.<anonymous> (src/sum.test.ts:4:21)

Test Suites: 1 failed, 12 passed, 13 total
Tests:       1 failed, 40 passed, 41 total`,
  ],
  vitest: [
    " RUN  v4.1.0 /work/app\n",
    many((i) => ` ✓ test/rates/rate-${i}.test.ts (${i + 2} tests) ${i + 3}ms`),
    ` ❯ test/sum.test.ts (2 tests | 1 failed) 6ms
   × sum > adds 1 and 2 5ms
     → expected 3 to be 4 // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/sum.test.ts > sum > adds 1 and 2
AssertionError: expected 3 to be 4 // Object.is equality

- Expected
+ Received

- 4
+ 3

 ❯ test/sum.test.ts:4:21
      2|
      4|   expect(sum(1, 2)).toBe(4);
       |                     ^

 Test Files  1 failed | 12 passed (13)`,
  ],
  "go test -v": [
    many((i) => (i % 2 === 0 ? `=== RUN   TestRate${i}` : `--- PASS: TestRate${i - 1} (0.00s)`)),
    `=== RUN   TestSum
    sum_test.go:9: got 3, want 4
--- FAIL: TestSum (0.00s)
panic: runtime error: index out of range [3] with length 3

goroutine 7 [running]:
example.com/sum.Total(...)
	/work/sum/sum.go:14 +0x1d
FAIL	example.com/sum	0.012s`,
    many((i) => `ok  \texample.com/rates/rate${i}\t0.0${i}s`),
    "FAIL",
  ],
  "cargo build": [
    many((i) => `   Compiling crate-${i} v1.${i}.0`, 11),
    `   Compiling sums v0.1.0 (/work/sums)
warning: unused variable: \`rate\`
 --> src/lib.rs:3:9
error[E0308]: mismatched types
  --> src/sum.rs:12:18
   |
11 | fn total() -> u32 {
   |               --- expected \`u32\` because of return type
12 |     "three"
   |     ^^^^^^^ expected \`u32\`, found \`&str\`
   |
   = help: try parsing it

For more information about this error, try \`rustc --explain E0308\`.
error: could not compile \`sums\` (lib) due to 1 previous error`,
  ],
  "cargo test": [
    "running 14 tests",
    many((i) => `test rates::adds_${i} ... ok`),
    `test sum::adds ... FAILED

failures:

---- sum::adds stdout ----
thread 'sum::adds' panicked at src/sum.rs:20:9:
assertion \`left == right\` failed
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

test result: FAILED. 12 passed; 1 failed; 0 ignored`,
  ],
  "pytest -v": [
    "============================= test session starts ==============================\ncollected 13 items\n",
    many((i) => `tests/test_rates.py::test_rate[${i}] PASSED                    [ ${i + 10}%]`),
    `tests/test_sum.py::test_sum FAILED                           [100%]

=================================== FAILURES ===================================
___________________________________ test_sum ___________________________________

    def test_sum():
>       assert total([1, 2]) == 4
E       assert 3 == 4
E        +  where 3 = total([1, 2])

tests/test_sum.py:5: AssertionError
----------------------------- Captured stdout call -----------------------------
adding 1 and 2
=========================== short test summary info ============================
FAILED tests/test_sum.py::test_sum - assert 3 == 4
========================= 1 failed, 12 passed in 0.21s =========================`,
  ],
  pytest: [
    "collected 130 items\n",
    many((i) => `tests/test_rates_${i}.py ..........          [ ${i + 10}%]`),
    "tests/test_sum.py ...F...                                                [100%]\n\nE       assert 3 == 4",
  ],
  tsc: [
    `src/sum.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/order.ts:3:10 - error TS2769: No overload matches this call.
  Overload 1 of 2, '(rate: number): Order', gave the following error.
    Argument of type 'string' is not assignable to parameter of type 'number'.

3   apply(order, "x");
                 ~~~

Found 2 errors in 2 files.`,
  ],
  "cmake and gcc": [
    many((i) => `[ ${i + 10}%] Building C object CMakeFiles/app.dir/rate-${i}.c.o`, 11),
    `[ 40%] Building C object CMakeFiles/app.dir/sum.c.o
In file included from /work/sum.c:1:
/work/sum.h: In function 'total':
/work/sum.h:7:12: error: 'rate' undeclared (first use in this function)
    7 |     return rate * 2;
      |            ^~~~
/work/sum.h:7:12: note: each undeclared identifier is reported only once
gmake[2]: *** [CMakeFiles/app.dir/build.make:76: CMakeFiles/app.dir/sum.c.o] Error 1`,
  ],
  "bun test": [
    many((i) => `(pass) rates > adds ${i} [0.${i}ms]`),
    "error: expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3\n\n      at <anonymous> (/work/sum.test.ts:4:21)\n(fail) sum > adds [1.00ms]",
  ],
  "a program that nobody knows": [
    "reading the ledger\nall is well so far\nthe disk is full\n12 records lost",
  ],
};

const use = createToolKinds().describe("bash", { command: "npm test" });
const textOf = (output: Output) => output.map((each) => [each].flat().join("\n")).join("\n");
const keep = (text: string) => keepFailure(use, text, { salience: NO_SALIENCE });

describe("for a failed command, everything except success stays", () => {
  test.each(Object.entries(OUTPUTS))("%s", (_, output) => {
    const left = output
      .map((each) => (typeof each === "string" ? each : `... [${each.length} lines omitted] ...`))
      .join("\n");
    const whole = textOf(output);
    expect(keep(whole) ?? whole).toBe(left);
  });

  test("nothing is cut if its mark would be larger", () => {
    expect(keep("✓ a\n✓ b\n× c\n  Expected: 4")).toBeUndefined();
  });

  test("a shortened text stays unchanged", () => {
    for (const output of Object.values(OUTPUTS)) {
      const left = keep(textOf(output));
      if (left !== undefined) expect(keep(left)).toBeUndefined();
    }
  });

  test("a command that only shows something keeps all of it", () => {
    const shown = createToolKinds().describe("bash", { command: "cat log.txt missing.txt" });
    const log = textOf(OUTPUTS.jest ?? []);
    expect(keepFailure(shown, log, { salience: NO_SALIENCE })).toBeUndefined();
  });
});
