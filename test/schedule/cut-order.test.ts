import { expect, test } from "vitest";
import type { CutPlan } from "../../src/edits/cut-plan.ts";
import { createPruner } from "../../src/pruner.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import type { PartKey } from "../../src/transcript/part.ts";
import { Conversation, textOf } from "../conversation.ts";

/** Characters 0 to 900, or 500 to 1,400, of a result: they overlap. */
const start = (part: number): CutPlan => ({
  part,
  spans: [{ leaf: "output", from: 0, to: 900, render: () => "[start]" }],
  reason: "start",
});
const middle = (part: number): CutPlan => ({
  part,
  spans: [{ leaf: "output", from: 500, to: 1_400, render: () => "[middle]" }],
  reason: "middle",
});
const asked = (proposal: CutPlan): CutPlan => ({ ...proposal, requested: true });
const needing = (proposal: CutPlan, part: string): CutPlan => ({ ...proposal, needs: [part as PartKey] });

/** Parts: 0 is the prompt, then calls and results alternate: results are 2, 4 and 6. */
test.each<[string, readonly CutPlan[], readonly string[]]>([
  ["the first of two that overlap", [start(2), middle(2)], ["start"]],
  ["requested cuts first", [start(2), asked(middle(2))], ["middle"]],
  ["the first of two requested cuts", [asked(middle(2)), asked(start(2))], ["middle"]],
  ["then the first in the history", [needing(start(6), "result:call_0#1"), middle(2)], ["middle"]],
  ["unless it was not requested", [middle(2), asked(needing(start(6), "result:call_0#1"))], ["start"]],
  ["all plans that do not conflict", [start(6), asked(middle(4)), start(2)], ["middle", "start", "start"]],
])("the plans in one cut: %s", (_, proposals, expected) => {
  const wishes: Strategy = { name: "wishes", propose: (step) => (step.from === 5 ? proposals : []) };
  const pruner = createPruner({
    passes: [usePass(wishes)],
    ladder: [],
    config: { schedule: { mode: "eager", ingestCap: null } },
  });
  const conversation = new Conversation();
  for (let i = 0; i < 3; i++) conversation.call("bash", { command: `${i}` }, textOf(900, i));
  const { report } = pruner.prune(conversation.messages, { meta: conversation.meta });
  expect(report.edits.map(({ edit }) => edit.reason)).toEqual(expected);
});
