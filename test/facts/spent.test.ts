import { expect, test } from "vitest";
import type { SpentAges } from "../../src/facts/spent.ts";
import { play, type Use } from "../play.ts";

const ages: SpentAges = { results: 2, views: 4, edited: 3 };
const run: Use = ["bash", { command: "npm test" }];
const read = (path: string): Use => ["read", { filePath: path }];
const edit = (path: string): Use => ["edit", { filePath: path, oldString: "a", newString: "b" }];
const other: Use = ["glob", { pattern: "*" }];

/** `step a: step b` for each result of step a that is spent once step b is done. */
function listSpent(steps: readonly (readonly Use[])[]): readonly string[] {
  const spent: string[] = [];
  play(steps, (delta, facts) => {
    for (const { step, use } of facts.spent.list(delta, ages))
      if (use.name !== "glob") spent.push(`${use.name} ${step}: ${facts.transcript.lastStep}`);
  });
  return spent;
}

test.each<[string, readonly (readonly Use[])[], readonly string[]]>([
  ["a result after two steps", [[run], [other], [other], [other]], ["bash 1: 3"]],
  ["not before", [[run], [other]], []],
  ["a view after four", [[read("a")], [other], [other], [other], [other]], ["read 1: 5"]],
  ["cat is a view", [[["bash", { command: "cat a" }]], [other], [other], [other], [other]], ["bash 1: 5"]],
  [
    "not while its file is being edited; what the edit showed is no view",
    [[read("a")], [other], [other], [edit("a")], [other], [other], [other], [other]],
    ["edit 4: 6", "read 1: 7"],
  ],
  [
    "nor when it was edited again meanwhile",
    [[read("a")], [other], [edit("a")], [other], [edit("a")], [other], [other], [other], [other]],
    ["edit 3: 5", "edit 5: 7", "read 1: 8"],
  ],
  [
    "an edit after it was spent does not make it spent again",
    [[read("a")], [other], [other], [other], [other], [edit("a")], [other], [other], [other], [other]],
    ["read 1: 5", "edit 6: 8"],
  ],
  [
    "another file's edits do not hold it",
    [[read("a")], [edit("b")], [edit("b")], [other], [other]],
    ["edit 2: 4", "edit 3: 5", "read 1: 5"],
  ],
])("%s", (_, steps, expected) => {
  expect(listSpent(steps)).toEqual(expected);
});
