import { expect, test } from "vitest";
import { Cutting } from "../../src/edits/cutting.ts";
import { type Draft, guard } from "../../src/edits/guard.ts";
import { MessageBench } from "../../src/workbench/message-bench.ts";
import { textOf } from "../conversation.ts";

/** Parts: 0 the prompt, 1 call, 2 result, 3 call, 4 result, 5 the next prompt. */
function makeCutting() {
  const use = (id: string) => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name: "bash", input: {} }],
  });
  const result = (id: string, text: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: text }],
  });
  const messages = [use("a"), result("a", textOf(300)), use("b"), result("b", textOf(300, 1))];
  const bench = new MessageBench([
    { role: "user", content: "go" },
    ...messages,
    { role: "user", content: "on" },
  ]);
  const { transcript, ledger, view, facts } = bench;
  const context = {
    transcript,
    ledger,
    view,
    refs: facts.refs,
    reasoning: "none",
    userAfterResult: true,
    callAfterResponse: true,
    showsRefs: true,
    protectedFrom: () => undefined,
  } as const;
  const cutting = new Cutting({
    transcript,
    ledger,
    view,
    request: 3,
    guard: (draft) => guard(draft, context),
  });
  return { cutting, bench };
}

const replace = (part: number, from: number, to: number): Draft => {
  const rest = { leaf: "output", text: "…", author: "test", reason: "old" } as const;
  return { type: "replace", part, from, to, ...rest };
};
const none = replace(2, 5, 5);

test.each<[string, readonly [Draft, ...Draft[]], edits: number, refused: number, from: number]>([
  ["one", [replace(4, 0, 500)], 1, 0, 4],
  ["several, in whatever order", [replace(4, 0, 500), replace(2, 0, 500)], 2, 0, 2],
  ["one that is refused is left out", [replace(2, 0, 500), none, replace(2, 600, 999)], 2, 1, 2],
  ["where the first is refused, all are", [none, replace(2, 0, 500)], 0, 1, Number.POSITIVE_INFINITY],
  ["a group begins with its call", [{ type: "drop", part: 3, author: "test", reason: "old" }], 1, 0, 3],
])("%s", (_, drafts, edits, refused, from) => {
  const { cutting, bench } = makeCutting();
  cutting.apply(drafts);
  expect(cutting.edits.length).toBe(edits);
  expect(bench.ledger.entries.map(({ edit, request }) => [edit, request])).toEqual(
    cutting.edits.map((edit) => [edit, 3]),
  );
  expect(cutting.refused.length).toBe(refused);
  expect(cutting.from).toBe(from);
});

test("what is taken back shows again, and changes the text from there on", () => {
  const { cutting, bench } = makeCutting();
  const whole = bench.view.total;
  cutting.apply([replace(4, 0, 500)]);
  expect(bench.view.total).toBeLessThan(whole);
  cutting.undo(bench.ledger.active(), "person", "restored");
  expect(bench.view.total).toBe(whole);
  expect(cutting.edits.map(({ type }) => type)).toEqual(["replace", "undo"]);
});

test("a cut that is given up keeps what it had before", () => {
  const { cutting, bench } = makeCutting();
  const nothing = cutting.mark();
  cutting.apply([replace(4, 0, 500)]);
  const one = cutting.mark();
  const before = [[...cutting.edits], [...cutting.refused], cutting.from];
  cutting.apply([replace(2, 0, 500), none]);
  cutting.backTo(one);
  expect([cutting.edits, cutting.refused, cutting.from]).toEqual(before);
  cutting.undo(bench.ledger.active(), "person", "restored");
  cutting.backTo(nothing);
  expect([cutting.edits, cutting.refused, cutting.from]).toEqual([[], [], Number.POSITIVE_INFINITY]);
});
