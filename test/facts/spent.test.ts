import { expect, test } from "vitest";
import type { Delta, Facts } from "../../src/facts/facts.ts";
import type { SpentAges } from "../../src/facts/spent.ts";
import { play, type Use } from "../play.ts";

const ages: SpentAges = { results: 2, views: 4 };
const run: Use = ["bash", { command: "npm test" }];
const read = (path: string): Use => ["read", { filePath: path }];
const edit = (path: string): Use => ["edit", { filePath: path, oldString: "a", newString: "b" }];
const other: Use = ["glob", { pattern: "*" }];

/** The parts that stay at the beginning of every session. */
const START: readonly (readonly Use[])[] = Array.from({ length: 5 }, () => [other]);

/** `step a: step b` for each result of step a that is unneeded once step b is done; steps count after the start. */
function listSpent(
  steps: readonly (readonly Use[])[],
  list = (delta: Delta, facts: Facts) => facts.spent.list(delta, ages),
): readonly string[] {
  const spent: string[] = [];
  play([...START, ...steps], (delta, facts) => {
    for (const { step, use } of list(delta, facts))
      if (use.name !== "glob")
        spent.push(`${use.name} ${step - START.length}: ${facts.transcript.lastStep - START.length}`);
  });
  return spent;
}

test.each<[string, readonly (readonly Use[])[], readonly string[]]>([
  ["a result after two steps", [[run], [other], [other], [other]], ["bash 1: 3"]],
  ["not before", [[run], [other]], []],
  ["a view after four", [[read("a")], [other], [other], [other], [other]], ["read 1: 5"]],
  ["cat is a view", [[["bash", { command: "cat a" }]], [other], [other], [other], [other]], ["bash 1: 5"]],
])("%s", (_, steps, expected) => {
  expect(listSpent(steps)).toEqual(expected);
});

test("the first steps wait for the sixth", () => {
  const seen: string[] = [];
  play(
    Array.from({ length: 7 }, () => [run]),
    (delta, facts) => {
      const steps = facts.spent.list(delta, { ...ages, results: 1 }).map(({ step }) => step);
      seen.push(steps.join(" "));
    },
  );
  expect(seen.filter(Boolean)).toEqual(["1 2 3 4 5", "6"]);
});

test("without an age, a view is considered from the third step on", () => {
  const list = (delta: Delta, facts: Facts) => facts.spent.list(delta, { ...ages, views: null });
  expect(listSpent([[read("a")], [other], [other], [other]], list)).toEqual(["read 1: 4"]);
});

test("files that nobody has used for three steps are rested", () => {
  const list = (delta: Delta, facts: Facts) => facts.spent.listRested(delta, 3).map(({ fact }) => fact);
  const steps = [[edit("a")], [read("a")], [edit("b")], [other], [edit("b")], [other], [other], [other]];
  expect(listSpent(steps, list)).toEqual(["read 2: 5", "edit 5: 8"]);
});
