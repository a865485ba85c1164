import { expect, test } from "vitest";
import { pickErrorLines } from "../../../src/strategies/texts/pick-error-lines.ts";

test.each<[string, readonly string[], readonly string[]]>([
  [
    "Python: the last frame with its code, and the error after it",
    [
      "Traceback (most recent call last):",
      '  File "a.py", line 1, in f',
      "    g()",
      '  File "b.py", line 2, in g',
      "    h",
      "KeyError: 'x'",
    ],
    ["Traceback (most recent call last):", '  File "b.py", line 2, in g', "    h", "KeyError: 'x'"],
  ],
  [
    "Python: the last of chained errors",
    [
      "Traceback (most recent call last):",
      '  File "a.py", line 1, in f',
      "KeyError: 'x'",
      "",
      "During handling of the above exception, another exception occurred:",
      "",
      '  File "b.py", line 2, in g',
      "app.errors.OrderError: no rate",
    ],
    ["Traceback (most recent call last):", '  File "b.py", line 2, in g', "app.errors.OrderError: no rate"],
  ],
  [
    "JavaScript: the first frame after the error",
    [
      "/srv/a.js:3",
      "  throw new TypeError('x');",
      "",
      "TypeError: x",
      "    at f (/srv/a.js:3:9)",
      "    at main (/srv/a.js:9:1)",
      "",
      "Node.js v20.20.0",
    ],
    ["/srv/a.js:3", "TypeError: x", "    at f (/srv/a.js:3:9)"],
  ],
  [
    "a code behind the name",
    ["x", "Error [ERR_MODULE_NOT_FOUND]: y", "z"],
    ["x", "Error [ERR_MODULE_NOT_FOUND]: y"],
  ],
  [
    "tsc",
    ["> tsc", "a.ts(1,2): error TS2322: no", "b.ts(1,2): error TS2304: no", "2 files"],
    ["> tsc", "b.ts(1,2): error TS2304: no"],
  ],
  [
    "rustc",
    ["Compiling a", "error[E0308]: mismatched types", " --> src/a.rs:1:2"],
    ["Compiling a", "error[E0308]: mismatched types"],
  ],
  [
    "gcc",
    ["make", "a.c:3:5: error: 'x' undeclared", "make: *** [a.o] 1"],
    ["make", "a.c:3:5: error: 'x' undeclared"],
  ],
  [
    "Go",
    ["panic: boom", "", "goroutine 1 [running]:", "main.main()", "\t/srv/a.go:12 +0x1d", "exit status 2"],
    ["panic: boom", "\t/srv/a.go:12 +0x1d"],
  ],
  ["git", ["Cloning", "fatal: no such remote", "hint"], ["Cloning", "fatal: no such remote"]],
  ["npm", ["up to date", "npm ERR! code E404", "see the log"], ["up to date", "npm ERR! code E404"]],
  [
    "pytest",
    ["=== FAILURES", "    def test():", "E   assert 1 == 2", "a.py:3"],
    ["=== FAILURES", "E   assert 1 == 2"],
  ],
  [
    "a compiler, not the runner after it",
    ["> check", "a.ts(1,2): error TS2304: no", "npm error code 1"],
    ["> check", "a.ts(1,2): error TS2304: no"],
  ],
  [
    "a linter, not its sums",
    ["Exit code 1", "a.go:12:3: unused (govet)", "* govet: 1"],
    ["Exit code 1", "a.go:12:3: unused (govet)"],
  ],
  [
    "go test",
    ["Exit code 1", "--- FAIL: TestTotal (0.00s)", "FAIL"],
    ["Exit code 1", "--- FAIL: TestTotal (0.00s)"],
  ],
  ["a runner", ["> lint", "[lint] ERROR task failed", "bye"], ["> lint", "[lint] ERROR task failed"]],
  [
    "no name: the last line",
    ["exit code 1", "a", "b", "could not connect", ""],
    ["exit code 1", "could not connect"],
  ],
  ["a word in a sentence is no error line", ["x", "the error: none of these", "y"], ["x", "y"]],
  ["one line", ["Error: no such file"], ["Error: no such file"]],
  ["blank lines before", ["", " ", "Error: x", ""], ["Error: x"]],
  ["nothing", ["", ""], []],
  ["no lines", [], []],
])("%s", (_, lines, kept) => expect(pickErrorLines(lines)).toEqual(kept));

test("picked lines are picked again", () => {
  const picked = pickErrorLines(["x", "TypeError: x", "    at f (a.js:3:9)", "    at g (a.js:4:9)", "y"]);
  expect(pickErrorLines(picked)).toEqual(picked);
});
