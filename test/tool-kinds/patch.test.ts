import { expect, test } from "vitest";
import { findPatchedFiles } from "../../src/tool-kinds/patch.ts";

const cases: readonly (readonly [name: string, patch: string, files: readonly string[]])[] = [
  [
    "an envelope",
    "*** Begin Patch\n*** Update File: src/a b.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+x\n*** Delete File: c.ts\n*** End Patch",
    ["edit src/a b.ts", "write b.ts", "delete c.ts"],
  ],
  ["a move", "*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n", ["delete a.ts", "edit b.ts"]],
  ["two updates of one file", "*** Update File: a.ts\n@@\n*** Update File: a.ts\n@@\n", ["edit a.ts"]],
  [
    "line ends of Windows",
    "*** Update File: a.ts\r\n@@\r\n*** Add File: b.ts\r\n+x\r\n",
    ["edit a.ts", "write b.ts"],
  ],
  [
    "headers inside content",
    "*** Add File: a.md\n+*** Delete File: b.md\n+--- x\n++++ y\n+@@\n",
    ["write a.md"],
  ],
  [
    "a git diff",
    "diff --git a/a.ts b/a.ts\nindex 1..2\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n",
    ["edit a.ts"],
  ],
  ["a new file", "--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+x\n", ["write a.ts"]],
  ["a deleted file", "--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", ["delete a.ts"]],
  ["a renamed file", "diff --git a/a b/b\nrename from a\nrename to b\n", ["delete a", "edit b"]],
  ["a plain diff", "--- a.ts\t2024-01-01\n+++ a.ts\t2024-01-02\n@@ -1 +1 @@\n", ["edit a.ts"]],
  [
    "a removed line like a header",
    "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1 @@\n--- old comment\n x\n",
    ["edit a.sql"],
  ],
  ["no patch", "hello\n--- a\nworld", []],
  ["nothing", "", []],
];

test.each(cases)("%s", (_, patch, files) => {
  expect(findPatchedFiles(patch).map(({ operation, path }) => `${operation} ${path}`)).toEqual(files);
});
