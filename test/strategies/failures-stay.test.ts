import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { Conversation } from "../conversation.ts";

/* A result that is capped before its first send keeps every failure, wherever it is. */

const CAP = 500;

function cap(output: string, command = "npm test", ingestCap = CAP): string {
  const { messages } = createPruner({ config: { schedule: { ingestCap } } }).prune(
    new Conversation().call("bash", { command }, output).messages,
  );
  return String((messages.at(-1) as { content: unknown }).content);
}

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i));

/** The lines of a runner's output that must stay, between many others. */
interface Output {
  readonly command: string;
  readonly around: (i: number) => string;
  readonly failures: readonly string[];
}

const OUTPUTS: Readonly<Record<string, Output>> = {
  pytest: {
    command: "pytest -v",
    around: (i) => `tests/test_orders.py::test_total_${i} PASSED                       [ 10%]`,
    failures: [
      "tests/test_orders.py::test_rate FAILED                             [ 41%]",
      "____________________________ test_rate ____________________________",
      ">       assert rate(order) == 4",
      "E       assert 3 == 4",
      "tests/test_orders.py:12: AssertionError",
      "ERROR tests/test_config.py - ModuleNotFoundError: No module named 'yaml'",
      "FAILED tests/test_orders.py::test_rate - assert 3 == 4",
    ],
  },
  vitest: {
    command: "npx vitest run",
    around: (i) => ` ✓ src/orders/total${i}.test.ts (4 tests) 12ms`,
    failures: [
      " ❯ src/rate.test.ts (2 tests | 1 failed) 9ms",
      "   × rate > divides by the total 5ms",
      " FAIL  src/rate.test.ts > rate > divides by the total",
      "AssertionError: expected 3 to be 4 // Object.is equality",
      "- Expected",
      "+ Received",
    ],
  },
  jest: {
    command: "npx jest",
    around: (i) => `PASS src/orders/total${i}.test.ts`,
    failures: [
      "FAIL src/rate.test.ts",
      "  ● rate › divides by the total",
      "    Expected: 4",
      "    Received: 3",
      "Tests:       1 failed, 900 passed, 901 total",
    ],
  },
  "jest with colours": {
    command: "npx jest --colors",
    around: (i) => `\u001b[32mPASS\u001b[39m src/orders/total${i}.test.ts`,
    failures: ["\u001b[31mFAIL\u001b[39m src/rate.test.ts", "\u001b[31m  ● rate › divides\u001b[39m"],
  },
  "go test": {
    command: "go test ./...",
    around: (i) => `--- PASS: TestTotal${i} (0.00s)`,
    failures: [
      "--- FAIL: TestRate (0.00s)",
      "    rate_test.go:9: got 3, want 4",
      "panic: runtime error: index out of range [3] with length 3",
      "FAIL\texample.com/orders/rate\t0.012s",
      "./orders.go:12:3: undefined: applyRate",
    ],
  },
  "cargo test": {
    command: "cargo test",
    around: (i) => `test orders::total_${i} ... ok`,
    failures: [
      "test orders::rate ... FAILED",
      "thread 'orders::rate' panicked at src/orders.rs:12:9:",
      "assertion `left == right` failed",
      "  left: 3",
      " right: 4",
      "error[E0308]: mismatched types",
      "error: test failed, to rerun pass `--lib`",
    ],
  },
  tsc: {
    command: "npx tsc --listFiles",
    around: (i) => `/home/me/project/node_modules/@types/node/module${i}.d.ts`,
    failures: [
      "src/orders.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      "src/rate.ts:7:1 - error TS2304: Cannot find name 'applyRate'.",
    ],
  },
  eslint: {
    command: "npx eslint .",
    around: (i) => `  ${i + 1}:3  warning  Unexpected console statement  no-console`,
    failures: [
      "  12:5  error  'applyRate' is not defined  no-undef",
      "  14:9  error  Missing semicolon  semi",
      "✖ 902 problems (2 errors, 900 warnings)",
    ],
  },
  make: {
    command: "make",
    around: (i) => `cc -O2 -c src/module${i}.c -o build/module${i}.o`,
    failures: [
      "src/rate.c:9:3: error: unknown type name 'rate_t'",
      "make[1]: *** [Makefile:12: build/rate.o] Error 1",
      "Process exited with code 2",
    ],
  },
};

describe("failures in the middle of a long output", () => {
  test.each(Object.entries(OUTPUTS))("%s", (_, { command, around, failures }) => {
    const lines = failures.flatMap((failure, i) => [...many(150, (at) => around(150 * i + at)), failure]);
    const output = [...lines, ...many(200, (at) => around(5_000 + at))].join("\n");
    const shown = cap(output, command);
    expect(shown).toMatch(/lines omitted · [0-9a-f]{6}\]/);
    expect(estimateTokens(shown)).toBeLessThan(2 * CAP);
    for (const failure of failures) expect(shown.split("\n")).toContain(failure);
  });

  test("the file that a linter names above its errors", () => {
    const warnings = many(400, (i) => `  ${i + 1}:3  warning  Unexpected console statement  no-console`);
    const file = "/home/me/project/src/rate.ts";
    const shown = cap(
      ["/home/me/a.ts", ...warnings, "", file, "  12:5  error  no  no-undef", "", "/b.ts", ...warnings].join(
        "\n",
      ),
      "npx eslint .",
    );
    expect(shown.split("\n")).toContain(file);
  });
});

describe("very many failures", () => {
  const passed = many(2_000, (i) => `test orders::total_${i} ... ok`);
  const failed = (count: number) => many(count, (i) => `test orders::rate_${i} ... FAILED`);

  test("hundreds stay, far beyond the cap", () => {
    const names = failed(600);
    const output = names.flatMap((name, i) => [...passed.slice(3 * i, 3 * i + 3), name]).join("\n");
    const shown = cap(output, "cargo test");
    expect(shown.split("\n").filter((line) => line.endsWith("FAILED"))).toEqual(names);
    expect(shown).toMatch(/lines? omitted/);
    expect(shown).not.toContain("that report a failure");
  });

  test("of thousands, as many as fit, and the others are counted", () => {
    const names = failed(10_000);
    const shown = cap([...passed, ...names, ...passed].join("\n"), "cargo test");
    const left = shown.split("\n").filter((line) => line.endsWith("FAILED"));
    expect(left).toEqual(names.slice(0, left.length));
    expect(left.length).toBeGreaterThan(1_000);
    expect(estimateTokens(shown)).toBeLessThan(21_000);
    const [, more = ""] = /^\[([\d,]+) more lines that report a failure omitted\]$/m.exec(shown) ?? [];
    expect(Number(more.replaceAll(",", ""))).toBe(10_000 - left.length);
  });

  test("the names of failed tests stay before their messages", () => {
    const names = failed(500);
    const output = names.flatMap((name) => [name, ...many(20, (i) => `  left: ${"order ".repeat(9)}${i}`)]);
    const shown = cap([...output, ...passed].join("\n"), "cargo test").split("\n");
    for (const name of names) expect(shown).toContain(name);
    expect(shown.join("\n")).toMatch(/more lines that report a failure omitted/);
  });

  test("a capped result is not capped again", () => {
    const once = cap([...passed, ...failed(300), ...passed].join("\n"), "cargo test");
    expect(estimateTokens(once)).toBeGreaterThan(2 * CAP);
    expect(cap(once, "cargo test")).toBe(once);
  });
});

test("an output without failures does not get longer", () => {
  const shown = cap(many(3_000, (i) => `step ${i} of the build is done, 0 failed, exit code 0`).join("\n"));
  expect(estimateTokens(shown)).toBeLessThanOrEqual(CAP);
});
