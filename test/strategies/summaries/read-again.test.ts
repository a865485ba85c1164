import { expect, test } from "vitest";
import { readAgain } from "../../../src/strategies/summaries/read-again.ts";
import { createToolKinds } from "../../../src/tool-kinds/tool-kinds.ts";

const kinds = createToolKinds();

test.each([
  ["read", { filePath: "src/a.ts" }, "read src/a.ts again"],
  ["read", { filePath: "src/a.ts", offset: 120, limit: 75 }, "read src/a.ts lines 120-194 again"],
  ["Read", { file_path: "/repo/a.ts" }, "read /repo/a.ts again"],
  ["bash", { command: "sed -n 120,194p src/a.ts" }, "read src/a.ts lines 120-194 again"],
  ["bash", { command: "tail -n 20 src/a.ts" }, "read src/a.ts last 20 lines again"],
  ["bash", { command: "tail -n +20 src/a.ts" }, "read src/a.ts from line 20 again"],
  ["bash", { command: "cat a b c d e" }, "read a, b, c, 2 more again"],
])("%s %j", (tool, input, expected) => {
  expect(readAgain(kinds.describe(tool, input))).toBe(expected);
});

test.each([
  ["bash", { command: "npm test" }],
  ["grep", { pattern: "x", path: "src" }],
  ["edit", { filePath: "a.ts", oldString: "x", newString: "y" }],
  ["read", { filePath: "a · b]\nc" }],
])("nothing to read again: %s %j", (tool, input) => {
  expect(readAgain(kinds.describe(tool, input))).toBeUndefined();
});
