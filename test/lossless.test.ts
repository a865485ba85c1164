import { describe, expect, test } from "vitest";
import type { ReplacePlan } from "../src/edits/cut-plan.ts";
import { createPruner } from "../src/pruner.ts";
import { type Strategy, usePass } from "../src/strategies/strategy.ts";
import { Conversation } from "./conversation.ts";

const TEXT = Array.from({ length: 60 }, (_, i) => `line ${i} of an output that is long enough`).join(
  "\n\n\n",
);

/** Plans a cut of the second result when the third arrives. */
function planning(name: string, plan: Omit<ReplacePlan, "part" | "reason">): Strategy {
  return {
    name,
    propose: (step) => (step.from === 5 ? [{ part: 2, reason: name, ...plan }] : []),
  };
}

function prune(...strategies: readonly Strategy[]) {
  const pruner = createPruner({
    passes: strategies.map((strategy) => usePass(strategy)),
    ladder: [],
    config: { schedule: { mode: "eager", ingestCap: null } },
  });
  const conversation = new Conversation();
  for (let i = 0; i < 3; i++) conversation.call("bash", { command: `${i}` }, TEXT);
  const { messages, report } = pruner.prune(conversation.messages, { meta: conversation.meta });
  const sent = messages.map((message) => JSON.stringify(message));
  return { report, sent: sent.find((text) => text.includes("call_0") && text.includes("line 59")) ?? "" };
}

const whole = (text: string): ReplacePlan["spans"][0] => ({
  leaf: "output",
  from: 0,
  to: TEXT.length,
  render: () => text,
});
const from = TEXT.indexOf("line 10 ");
const to = TEXT.indexOf("line 40 ");
const cutSpan = planning("cut-span", { spans: [{ leaf: "output", from, to, render: () => "[cut]" }] });

describe("a pass that claims to lose nothing", () => {
  test("is refused if it does: the text that another pass cut is not sent", () => {
    const collapse = planning("collapse-blank-lines", {
      spans: [whole(TEXT.replace(/\n+/g, "\n"))],
      lossless: true,
    });
    const { report, sent } = prune(collapse, cutSpan);
    expect(report.edits.map(({ edit }) => edit.author)).toEqual(["cut-span"]);
    expect(sent).toContain("[cut]line 40 ");
    expect(sent).not.toContain("line 20 ");
    expect(report.refusals).toMatchObject([
      {
        refusal: { code: "not-lossless" },
        message: expect.stringContaining("collapse-blank-lines wanted to replace"),
      },
    ]);
  });

  test.each<[string, string]>([
    ["drops a line", TEXT.replace("line 7 of an output that is long enough\n\n\n", "")],
    ["drops the first line", TEXT.slice(TEXT.indexOf("line 1 "))],
    ["drops the end", TEXT.slice(0, -400)],
    ["shortens a line", TEXT.replaceAll("of an output that is long enough", "")],
    ["replaces everything", "[cut]"],
  ])("is refused if it %s", (_, text) => {
    const { report } = prune(planning("loses", { spans: [whole(text)], lossless: true }));
    expect(report.edits).toEqual([]);
    expect(report.refusals.map(({ refusal }) => refusal.code)).toEqual(["not-lossless"]);
  });

  test("is refused if the part that it names has another text", () => {
    const text = "line 20 of an output that is long enough";
    const start = TEXT.indexOf(text);
    const span = { leaf: "output", from: start, to: TEXT.length, render: () => "" };
    const claim = (copy: number) => prune(planning("copies", { spans: [span], lossless: { copy } })).report;
    expect(claim(4).edits.length).toBe(1);
    for (const copy of [0, 1, 99])
      expect(claim(copy).refusals.map(({ refusal }) => refusal.code)).toEqual(["not-lossless"]);
  });
});

test("a report lists the plans that were refused for its request, and only these", () => {
  const small = planning("small", {
    spans: [{ leaf: "output", from: 0, to: 4, render: () => "" }],
  });
  expect(prune(small).report.refusals).toMatchObject([{ refusal: { code: "too-little" } }]);
  expect(prune(cutSpan).report.refusals).toEqual([]);
});
