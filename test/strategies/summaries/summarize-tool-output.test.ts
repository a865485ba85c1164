import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type SummarizeToolOutputOptions,
  summarizeToolOutput,
} from "../../../src/strategies/summaries/summarize-tool-output.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";

const repeat = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

type Row = readonly [
  what: string,
  tool: string,
  content: string,
  options: SummarizeToolOutputOptions,
  summary: string,
];

const files = ["a.py", "b.py", "c.py", ...Array.from({ length: 124 }, (_, i) => `src/module${i}.py`)].join(
  "\n",
);
const tree = `.\n${repeat(45, (i) => `├── dir${i}\n│   ├── one.ts\n│   └── two.ts`)}\n\n45 directories, 90 files`;
const longStatus = [
  "On branch main",
  "Your branch is up to date with 'origin/main'.",
  "",
  "Changes to be committed:",
  '  (use "git restore --staged <file>..." to unstage)',
  "\tnew file:   src/a.ts",
  "\tmodified:   src/b.ts",
  "",
  "Changes not staged for commit:",
  '  (use "git add <file>..." to update what will be committed)',
  "\tmodified:   src/c.ts",
  "\tmodified:   src/d.ts",
  "",
  "Untracked files:",
  '  (use "git add <file>..." to include in what will be committed)',
  "\tnotes.md",
].join("\n");
const shortStatus = "## main...origin/main\nM  src/a.ts\nA  src/b.ts\n M src/c.ts\n M src/d.ts\n?? notes.md";
const pytest = `${repeat(60, (i) => `tests/test_${i}.py::test_case PASSED`)}\n45 passed, 2 skipped, 0 failed in 3.21s`;
const diff = repeat(
  3,
  (i) =>
    `diff --git a/f${i}.ts b/f${i}.ts\nindex 1..2 100644\n--- a/f${i}.ts\n+++ b/f${i}.ts\n@@ -1,4 +1,5 @@\n context line of the file, long enough\n-the old line, long enough to count\n+the new line, long enough to count\n+one more line\n context`,
);
const grep = repeat(15, (i) => `src/file${i}.ts:${10 + i}:  const rate = order.rate(${i}); // compute`);

describe("the text that stays, by kind", () => {
  test.each<Row>([
    ["a file list", "list_files", files, {}, "[Pruned list_files: 127 files, e.g., a.py, b.py, c.py...]"],
    ["a glob", "glob", files, {}, "[Pruned glob: 127 files, e.g., a.py, b.py, c.py...]"],
    ["ls", "ls", files, {}, "[Pruned ls: 127 files, e.g., a.py, b.py, c.py...]"],
    [
      "ls in a shell",
      "bash",
      files,
      { input: { command: "cd src && ls" } },
      "[Pruned ls: 127 files, e.g., a.py, b.py, c.py...]",
    ],
    [
      "ls -la: names, not columns; directories do not count as files",
      "bash",
      `total 48\ndrwxr-xr-x 2 me me 4096 Nov 16 10:00 .\n${repeat(20, (i) => `-rw-r--r-- 1 me me 812 Nov 16 10:00 f${i}.ts`)}\ndrwxr-xr-x 2 me me 4096 Nov 16 10:00 lib`,
      { input: { command: "ls -la" } },
      "[Pruned ls: 20 files, e.g., f0.ts, f1.ts, f2.ts...]",
    ],
    [
      "a list as JSON",
      "glob",
      JSON.stringify(Array.from({ length: 30 }, (_, i) => `src/module${i}.ts`)),
      {},
      "[Pruned glob: 30 files, e.g., src/module0.ts, src/module1.ts, src/module2.ts...]",
    ],
    ["a tree", "tree", tree, {}, "[Pruned tree: ~45 directories, 137 lines of structure]"],
    [
      "a tree in a shell",
      "bash",
      tree,
      { input: { command: "tree -L 2" } },
      "[Pruned tree: ~45 directories, 137 lines of structure]",
    ],
    [
      "a tree that does not count itself",
      "directory_tree",
      repeat(10, (i) => `dir${i}/\n  one.ts\n  two.ts`),
      {},
      "[Pruned tree: ~10 directories, 30 lines of structure]",
    ],
    [
      "a repo map",
      "get_repo_map",
      `Repository map (36 files analyzed)\n${"x".repeat(4_965)}`,
      {},
      "[Pruned repo_map: 36 files analyzed, ~5,000 chars of structure]",
    ],
    [
      "a repo map that does not count itself",
      "get_repo_map",
      repeat(12, (i) => `src/file${i}.py:\n  class Order${i}\n  def total(self)`),
      {},
      "[Pruned repo_map: 12 files analyzed, ~567 chars of structure]",
    ],
    ["git status", "git_status", longStatus, {}, "[Pruned git_status: 2 modified, 1 untracked, 2 staged]"],
    [
      "git status -s",
      "bash",
      shortStatus,
      { input: { command: "git status -sb" } },
      "[Pruned git_status: 2 modified, 1 untracked, 2 staged]",
    ],
    [
      "a clean one",
      "git_status",
      "On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing to commit, working tree clean",
      {},
      "[Pruned git_status: clean]",
    ],
    [
      "a shell",
      "run_shell",
      pytest,
      { input: { command: "pytest tests/" } },
      "[Pruned run_shell: pytest tests/ → ✓ success, numbers: 45, 2, 0]",
    ],
    [
      "a code structure",
      "code_structure",
      repeat(60, (i) => `function number${i}(value: string): number`),
      {},
      `${repeat(12, (i) => `function number${i}(value: string): number`)}\n... [48 lines omitted] ...`,
    ],
    [
      "git diff",
      "git_diff",
      diff,
      {},
      `${diff.split("\n").slice(0, 14).join("\n")}\n[Pruned git_diff: 3 files, +6 -3, 16 lines omitted]`,
    ],
    [
      "a diff without git's own headers",
      "git_diff",
      diff.replace(/^(?:diff|index) .*\n/gm, ""),
      {},
      `${diff
        .replace(/^(?:diff|index) .*\n/gm, "")
        .split("\n")
        .slice(0, 13)
        .join("\n")}\n[Pruned git_diff: 3 files, +6 -3, 11 lines omitted]`,
    ],
    [
      "the files that the task names come first, matches too",
      "glob",
      files,
      { task: "src/module77.py" },
      "[Pruned glob: 127 files, e.g., a.py, b.py, src/module77.py...]",
    ],
    [
      "git log",
      "bash",
      repeat(40, (i) => `a1b2c${10 + i} Change number ${i} of this log, with a subject`),
      { input: { command: "git log --oneline" } },
      `${repeat(5, (i) => `a1b2c${10 + i} Change number ${i} of this log, with a subject`)}\n[Pruned git_log: 40 commits, 35 lines omitted]`,
    ],
    [
      "grep",
      "grep_code",
      grep,
      {},
      `[Pruned grep_code: 15 matches, first 3:\n${grep.split("\n").slice(0, 3).join("\n")}\n... +12 more]`,
    ],
    [
      "rg in a shell",
      "bash",
      grep,
      { input: { command: "rg rate src | head -20" } },
      `[Pruned rg: 15 matches, first 3:\n${grep.split("\n").slice(0, 3).join("\n")}\n... +12 more]`,
    ],
    [
      "a search that names only files",
      "grep",
      `Found 40 files\n${repeat(40, (i) => `src/file${i}.ts`)}`,
      {},
      "[Pruned grep: 40 matches, first 3:\nsrc/file0.ts\nsrc/file1.ts\nsrc/file2.ts\n... +37 more]",
    ],
    [
      "matches under the names of their files",
      "grep",
      `Found 30 matches\n${repeat(3, (i) => `/work/src/file${i}.ts:\n  Line 4: const rate = ${i};\n  Line 9: return rate + ${i};\n`)}`,
      {},
      "[Pruned grep: 30 matches, first 3:\n/work/src/file0.ts: Line 4: const rate = 0;\n/work/src/file0.ts: Line 9: return rate + 0;\n/work/src/file1.ts: Line 4: const rate = 1;\n... +27 more]",
    ],
    [
      "a page",
      "webfetch",
      `# Streams\n\nA stream is a thing.\n\n${repeat(50, (i) => `Paragraph ${i} of the page.`)}`,
      { input: { url: "https://a.org/streams" } },
      "[Pruned webfetch: Streams, https://a.org/streams, 1,322 chars:\nA stream is a thing.\nParagraph 0 of the page.\nParagraph 1 of the page.]",
    ],
    [
      "a web search",
      "websearch",
      `Title: Node streams\n${repeat(40, (i) => `Result ${i}: something about streams`)}`,
      { input: { query: "node streams" } },
      "[Pruned websearch: Node streams, node streams, 1,409 chars:\nResult 0: something about streams\nResult 1: something about streams\nResult 2: something about streams]",
    ],
    [
      "anything else",
      "mystery",
      `${"lorem ipsum ".repeat(1_028)}dolor nec`,
      {},
      "[Tool output pruned - 12,345 chars]",
    ],
  ])("%s", (_, tool, content, options, summary) => {
    expect(summarizeToolOutput(tool, content, options)).toBe(summary);
  });
});

describe("reads", () => {
  const file = (lines: number) => repeat(lines, (i) => `line ${i + 1} of the file`);
  const cut = `${repeat(10, (i) => `line ${i + 1} of the file`)}\n... [180 lines omitted] ...\n${repeat(10, (i) => `line ${191 + i} of the file`)}`;

  test.each([["read_file"], ["read"], ["cat"]])("%s: first and last ten lines", (tool) => {
    expect(summarizeToolOutput(tool, file(200))).toBe(cut);
    expect(summarizeToolOutput(tool, file(20))).toBe(file(20));
  });

  test("cat in a shell is a read", () => {
    expect(summarizeToolOutput("bash", file(200), { input: { command: "cat src/a.ts" } })).toBe(cut);
  });

  test("a source file that contains TypeError: is not an error", () => {
    const source = repeat(60, (i) => (i === 30 ? "TypeError: what the parser throws" : `// line ${i}`));
    const summary = summarizeToolOutput("bash", source, { input: { command: "cat docs/errors.md" } });
    expect(summary).not.toMatch(/failure|✗/);
    expect(summarizeToolOutput("run_shell", source, { input: { command: "cat a.md; pwd" } })).toMatch(
      /✓ success/,
    );
  });

  test("lines that share a rare literal with the task stay too", () => {
    const source = repeat(200, (i) =>
      i === 99 ? "  return applyRate(order);" : `  const value${i} = ${i};`,
    );
    const summary = summarizeToolOutput("read", source, { task: "applyRate gives the wrong total" });
    expect(summary.split("\n").slice(10, 13)).toEqual([
      "... [89 lines omitted] ...",
      "  return applyRate(order);",
      "... [90 lines omitted] ...",
    ]);
  });
});

describe("shell runs", () => {
  const run = (content: string, options: SummarizeToolOutputOptions = {}): string =>
    summarizeToolOutput("bash", `${repeat(60, (i) => `step ${i} of the build is done`)}\n${content}`, {
      input: { command: "make" },
      ...options,
    });

  test.each([
    ["0 failed", "✓ success"],
    ["45 passed, 0 failed, 0 errors", "✓ success"],
    ["Tests: 0 failures", "✓ success"],
    ["43 passed, 2 failed", "✗ failure"],
    ["failures=1", "✗ failure"],
    ["error: could not compile `a`", "✗ failure"],
    ["src/a.ts:3:5: error: no such name", "✗ failure"],
    ["src/a.ts(3,5): error TS2345: no such type", "✗ failure"],
    ["bash: foo: command not found", "✗ failure"],
    ["npm ERR! code 1", "✗ failure"],
    ["TypeError: x is not a function\n    at run (a.js:1:2)", "✗ failure"],
    ["TypeError: thrown where x is no function", "✓ success"],
    ["if (e) throw new TypeError: no", "✓ success"],
    ["done\n[exit code 3]", "✗ failure (exit code 3)"],
    ["2 failed\nProcess exited with code 0", "✓ success"],
  ])("by the text: %s", (content, outcome) => {
    expect(run(content)).toContain(`[Pruned bash: make → ${outcome}`);
  });

  test("the exit code has precedence over the text", () => {
    expect(run("2 failed", { exitCode: 0 })).toBe("[Pruned bash: make → ✓ success, numbers: 2]");
    expect(run("all fine", { exitCode: 2 })).toBe("[Pruned bash: make → ✗ failure (exit code 2)]");
  });

  test("on failure the error lines stay", () => {
    expect(run("FAILED tests/a.py::test_x - boom\n1 failed, 44 passed", { exitCode: 1 })).toBe(
      "[Pruned bash: make → ✗ failure (exit code 1), numbers: 1, 44:\nFAILED tests/a.py::test_x - boom]",
    );
    const many = run(
      repeat(9, (i) => `error: number ${i}`),
      { exitCode: 1 },
    );
    expect(many).toContain("error: number 4\n... +4 more errors]");
  });

  test("a traceback with exit code 0 is reported unchanged", () => {
    const traceback =
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: bad rate';
    const summary = run(traceback, { exitCode: 0 });
    expect(summary).toContain("✓ success, errors in the output");
    expect(summary).toContain("Traceback (most recent call last):\nValueError: bad rate]");
  });

  test("a long or many-lined command is one short line", () => {
    const summary = run("ok", { input: { command: `python - <<'EOF'\n${"print(1)\n".repeat(200)}EOF` } });
    expect(summary.split("\n").length).toBe(1);
    expect(summary.length).toBeLessThan(220);
  });

  test("lines that the task names stay", () => {
    expect(run("wrote dist/pricing.min.js", { task: "shrink dist/pricing.min.js" })).toContain(
      "✓ success:\nwrote dist/pricing.min.js]",
    );
  });
});

describe("traps", () => {
  test("very long lines are capped, between whole characters", () => {
    const long = `${"x".repeat(399)}👩${"y".repeat(10_000)}`;
    for (const tool of ["read", "grep", "bash", "webfetch", "code_structure", "git_diff", "git_log"]) {
      const summary = summarizeToolOutput(tool, `${long}\n${repeat(60, (i) => `line ${i}`)}`, {
        task: "line",
      });
      for (const line of summary.split("\n")) expect(line.length).toBeLessThan(450);
      expect(summary.isWellFormed()).toBe(true);
    }
    expect(summarizeToolOutput("read", long).length).toBeLessThan(450);
  });

  test("a summary that is not smaller is not used", () => {
    for (const content of ["a.ts\nb.ts", "", "ok", "On branch main"]) {
      for (const tool of ["glob", "tree", "bash", "grep", "mystery", "git_status", "webfetch"]) {
        expect(summarizeToolOutput(tool, content)).toBe(content);
      }
    }
  });

  const line = fc.constantFrom(
    "src/a.ts:12: const rate = applyRate(order);",
    "diff --git a/a.ts b/a.ts",
    "+the new line",
    "-the old line",
    " M src/a.ts",
    "2 failed, 3 passed",
    "TypeError: x is not a function",
    "    at run (a.js:1:2)",
    "├── src",
    "größte 👩‍🚀",
    "x".repeat(2_000),
    "",
    "]",
    "[Pruned",
    "... [",
  );
  const tool = fc.constantFrom(
    ...["list_files", "tree", "get_repo_map", "git_status", "bash", "read", "code_structure"],
    ...["git_diff", "git_log", "grep", "webfetch", "websearch", "mystery"],
  );
  const content = fc.array(line, { maxLength: 80 }).map((lines) => lines.join("\n"));
  const options = fc.record(
    { exitCode: fc.constantFrom(0, 1), task: fc.constant("applyRate in src/a.ts") },
    { requiredKeys: [] },
  );

  test("never larger; a summary of a summary is the summary", () => {
    let summarized = 0;
    fc.assert(
      fc.property(tool, content, options, (name, text, given) => {
        const once = summarizeToolOutput(name, text, given);
        if (once !== text) {
          summarized++;
          expect(estimateTokens(once)).toBeLessThan(estimateTokens(text));
        }
        expect(summarizeToolOutput(name, once, given)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
    expect(summarized).toBeGreaterThan(500);
  });
});
