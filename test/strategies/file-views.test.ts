import { describe, expect, test } from "vitest";
import { fileOperations, fileViews } from "../../src/strategies/file-views.ts";
import { type Outcome, play, type Use } from "../play.ts";
import { listStale, type Steps } from "./list-stale.ts";

const read = (path: string, outcome?: Outcome): Use => ["read", { filePath: path }, outcome];
const lines = (path: string, from: number, to: number): Use => [
  "read",
  { filePath: path, offset: from, limit: to - from + 1 },
];
const write = (path: string): Use => ["write", { filePath: path, content: "text" }];
const edit = (path: string, outcome?: Outcome): Use => [
  "edit",
  { filePath: path, oldString: "a", newString: "b" },
  outcome,
];
const bash = (command: string): Use => ["bash", { command }];
const patch = (...files: readonly string[]): Use => [
  "apply_patch",
  {
    input: `*** Begin Patch\n${files.map((file) => `*** Update File: ${file}\n@@\n-a\n+b\n`).join("")}*** End Patch`,
  },
];
const many = (...paths: readonly string[]): Use => ["read_many_files", { paths }];

/**
 * The calls that are cut under the strict rule, and under the one that keeps views; as numbers, in session order.
 */
type Row = readonly [what: string, steps: Steps, strict: readonly number[], views: readonly number[]];

const rows: readonly Row[] = [
  ["a newer read", [[read("a")], [read("a")]], [0], [0]],
  ["one spelling per file", [[read("./a")], [read("/work/a")]], [0], [0]],
  ["different files never touch each other", [[read("a")], [read("b")], [edit("b")]], [1], []],
  ["read, write, edit", [[read("a")], [write("a")], [edit("a")]], [0, 1], [0]],
  ["read, edit, edit", [[read("a")], [edit("a")], [edit("a")]], [0, 1], []],
  [
    "edits that a newer view contains",
    [[read("a")], [edit("a")], [read("a")], [edit("a")]],
    [0, 1, 2],
    [0, 1],
  ],
  ["a full write is a view", [[read("a")], [edit("a")], [write("a")]], [0, 1], [0, 1]],
  ["ranges that do not overlap", [[lines("a", 1, 99)], [lines("a", 100, 200)]], [], []],
  ["a range inside another", [[lines("a", 10, 50)], [lines("a", 1, 99)]], [0], [0]],
  ["a range does not stand for the whole", [[read("a")], [lines("a", 1, 99)]], [], []],
  ["nor for what was written", [[write("a")], [lines("a", 1, 99)]], [], []],
  [
    "a full read stands for ranges",
    [[lines("a", 1, 99)], [lines("a", 100, 200)], [read("a")]],
    [0, 1],
    [0, 1],
  ],
  ["a range after an edit", [[edit("a")], [lines("a", 1, 99)]], [0], []],
  ["ranges and an edit", [[lines("a", 1, 99)], [edit("a")]], [0], []],
  ["a failed operation does nothing", [[read("a")], [edit("a", "error")], [read("a", "error")]], [], []],
  ["and is not made stale", [[read("a", "error")], [read("a")]], [], []],
  ["nothing of the same step", [[read("a"), edit("a"), read("a")]], [], []],
  ["all of an earlier step", [[read("a"), edit("a")], [read("a")]], [0, 1], [0, 1]],
  ["a deletion", [[read("a")], [bash("rm a")]], [0], []],
  ["several files: one is as it was", [[many("a", "b")], [read("a")]], [], []],
  ["several files: the last one counts", [[many("a", "b")], [read("a")], [read("b")]], [0], [0]],
  ["several files: in one call", [[read("a")], [read("b")], [many("a", "b")]], [0, 1], [0, 1]],
  ["a patch of two files", [[patch("a", "b")], [read("a")], [edit("b")], [read("b")]], [0, 2], [0, 2]],
  [
    "the shell as a viewer",
    [[bash("cat a")], [bash("sed -n 1,80p b")], [read("a")], [read("b")]],
    [0, 1],
    [0, 1],
  ],
  ["the shell reads again", [[read("a")], [bash("cat a")]], [0], [0]],
  ["more than a view", [[bash("cat a && npm test")], [read("a")]], [], []],
  [
    "a line that changes a file shows something else",
    [[bash("sed -i s/a/b/ a && npm test")], [read("a")]],
    [],
    [],
  ],
  ["what the shell writes nobody has seen", [[read("a")], [bash("cp b a")]], [0], []],
];

describe("file views", () => {
  test.each(rows)("%s", (_, steps, strict, views) => {
    expect(callsOf(listStale(fileOperations, steps))).toEqual(strict);
    expect(callsOf(listStale(fileViews, steps))).toEqual(views);
  });

  test("the reason names the newer operation", () => {
    const steps: Steps = [[read("a")], [write("a")], [edit("a")], [read("a")], [bash("rm a")]];
    expect(listStale(fileOperations, steps)).toEqual([
      "c0: the file was written since",
      "c1: the file was edited since",
      "c2: newer read of the file",
      "c3: the file was deleted since",
    ]);
  });

  test.each([fileOperations, fileViews])(
    "only operations that a step made stale are proposed, and once",
    (pass) => {
      const proposed: number[] = [];
      play(
        Array.from({ length: 50 }, () => [read("a")]),
        (delta, facts) => {
          proposed.push(pass.propose(delta, facts, { pruneToolInputs: false }).length);
        },
      );
      expect(proposed).toEqual([0, ...Array(49).fill(1)]);
    },
  );
});

function callsOf(stale: readonly string[]): readonly number[] {
  return stale.map((line) => Number(/^c(\d+)/.exec(line)?.[1])).sort((a, b) => a - b);
}
