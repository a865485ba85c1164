import { expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { Conversation, textOf } from "../conversation.ts";

type Call = readonly [tool: string, input: unknown];
const write = (path: string): Call => ["write", { filePath: path, content: textOf(400) }];
const edit = (path: string, i = 0): Call => [
  "edit",
  { filePath: path, oldString: textOf(200, i), newString: textOf(200, i + 1) },
];
const read = (path: string): Call => ["read", { filePath: path }];
const other = (i: number): Call => ["glob", { pattern: `*.${i}` }];
const START = [other(1), other(2), other(3), other(4), other(5)];
const REST = [other(6), other(7), other(8)];

/** The calls whose inputs are cut in an eager run, by number, after the start. */
function listCut(calls: readonly Call[], aggressiveFilePrune: "views" | false = "views"): readonly number[] {
  const conversation = new Conversation();
  const all = [...START, ...calls];
  for (const [i, [tool, input]] of all.entries())
    conversation.call(tool, input, tool === "read" ? textOf(300, i) : "ok");
  const pruner = createPruner({
    config: {
      schedule: { mode: "eager" },
      strategies: { aggressivePruning: { preset: "balanced", aggressiveFilePrune }, spent: { inputs: 99 } },
    },
  });
  const { messages, report } = pruner.prune(conversation.messages);
  for (const { edit: each } of report.edits)
    if (each.type !== "undo") expect(each.author).toBe("rested-edits");
  return calls.flatMap((_, i) => {
    const at = 2 * (i + START.length) + 1;
    return messages[at] === conversation.messages[at] ? [] : [i];
  });
}

test.each<[string, readonly Call[], readonly number[]]>([
  ["all but the newest edit", [write("a"), edit("a"), edit("a", 2), ...REST], [0, 1]],
  ["not while the file is in play", [write("a"), edit("a"), edit("a", 2), ...REST.slice(1)], []],
  ["also where it has rested before", [write("a"), edit("a"), ...REST, edit("a", 2), ...REST], [0, 1]],
  ["what shows the file stays", [read("a"), edit("a"), ...REST], []],
  ["the only edit stays", [edit("a"), edit("b"), ...REST], []],
])("%s", (_, calls, expected) => {
  expect(listCut(calls)).toEqual(expected);
});

test("nothing if file views are off", () => {
  expect(listCut([write("a"), edit("a"), edit("a", 2), ...REST], false)).toEqual([]);
});

test("a patch of two files stays while one of them is in use", () => {
  const both: Call = [
    "apply_patch",
    {
      path: "x",
      patchText: `*** Begin Patch\n*** Update File: a\n-${textOf(200)}\n*** Update File: b\n-x\n*** End Patch`,
    },
  ];
  const turns = [both, edit("a"), edit("b"), other(6), other(7), edit("b", 2)];
  expect(listCut(turns)).toEqual([]);
});
