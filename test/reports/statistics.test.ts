import { expect, test } from "vitest";
import { proposeDiscard, proposeDistill, proposeReplace } from "../../src/agent/propose.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { makePolicy } from "../../src/fold/policy.ts";
import { createPruner } from "../../src/pruner.ts";
import { joinReports } from "../../src/reports/join-reports.ts";
import { makeEmptyReport, type Report } from "../../src/reports/report.ts";
import { addStatistics, formatStatistics, makeStatistics } from "../../src/reports/statistics.ts";
import { countByMechanism, mechanismOf } from "../../src/reports/tally.ts";
import { Conversation, textOf } from "../conversation.ts";
import { makeCut } from "./make-cut.ts";

test("a cut counts under its mechanism; one without as other", () => {
  expect(mechanismOf({ mechanism: "file" })).toBe("file");
  expect(mechanismOf({})).toBe("other");
});

test("every pass and rung of a configuration states its mechanism", () => {
  const { passes, ladder, lastResort } = makePolicy({
    config: { strategies: { purgeErrors: { enabled: true }, aggressivePruning: { preset: "compact" } } },
  });
  const stating = [...passes, ...ladder.filter(({ name }) => !name.includes("shake")), ...lastResort];
  expect(stating.filter(({ mechanism }) => mechanism === undefined)).toEqual([]);
  expect(passes.length).toBeGreaterThan(12);
});

test("the agent's cuts count under its requests", () => {
  const messages = new Conversation().call("bash", { command: "make" }, textOf(600)).answer("Done.").messages;
  const { facts } = new MessageBench(messages);
  const mechanisms = [
    proposeDiscard(facts, 2)?.mechanism,
    proposeDistill(facts, 2, "It works.")?.mechanism,
    proposeReplace(facts, { part: 2, from: 0, to: 100 }, "…")?.mechanism,
  ];
  expect(mechanisms).toEqual(["discard", "distill", "replace"]);
});

test("cuts that were taken back do not count", () => {
  const [a, b, c] = [
    makeCut("result:1#1", 10),
    makeCut("result:2#1", 20),
    makeCut("result:3#1", 5, { author: "shake", mechanism: "shake" }),
  ];
  const undo = { type: "undo" as const, target: a.id, author: "agent", reason: "", saved: 0 };
  const edits = [a, b, c, undo].map((edit) => ({ edit, request: 0 }));
  expect(countByMechanism(edits)).toEqual({ hash: { cuts: 1, tokens: 20 }, shake: { cuts: 1, tokens: 5 } });
});

const report: Report = {
  ...makeEmptyReport({ code: "empty-input", message: "", severity: "info" }),
  edits: [
    makeCut("result:1#1", 12_400),
    makeCut("result:2#1", 600, { author: "retries", mechanism: "retry" }),
  ].map((edit) => ({
    edit,
    request: 0,
  })),
  waiting: [{ ref: "a", part: makeCut("result:9#1", 1).part, author: "todos", reason: "", saves: 1_500 }],
  tokens: { before: 20_000, after: 7_000, saved: 13_000 },
  bill: {
    with: 100_000,
    without: 150_000,
    newest: { with: 7_000, without: 20_000 },
    breaks: 1,
    dollars: { with: 0.3, without: 0.45 },
  },
};
const usages = [
  { input: 100, cacheRead: 0, cacheWrite: 900, output: 5 },
  { input: 0, cacheRead: 900, cacheWrite: 100, output: 5 },
];

test("of a report: by mechanism, tokens and money saved, cache hit rate, deferred", () => {
  expect(formatStatistics(makeStatistics(report, usages))).toBe(
    [
      "This session",
      "  hash: 1 cut, 12,400 tokens",
      "  retry: 1 cut, 600 tokens",
      "  the newest request is smaller by 13,000 tokens",
      "  saved on the bill: 50,000 tokens of plain input, $0.1500",
      "  read from the cache: 45.0% of the input",
      "  deferred: 1 cut, 1,500 tokens",
    ].join("\n"),
  );
});

test("with text from before a compaction: money adds up, and a cut that is in both counts once", () => {
  const before = { ...report, edits: report.edits.slice(0, 1), tokens: { before: 9, after: 9, saved: 0 } };
  const { cuts, saved, billSaved, dollarsSaved } = makeStatistics(joinReports([before], report));
  expect(cuts).toEqual({ hash: { cuts: 1, tokens: 12_400 }, retry: { cuts: 1, tokens: 600 } });
  expect({ saved, billSaved }).toEqual({ saved: 13_000, billSaved: 100_000 });
  expect(dollarsSaved).toBeCloseTo(0.3);
  expect(joinReports([], report)).toEqual(report);
});

test("unknown figures are reported as unknown", () => {
  const { dollars: _, ...bill } = report.bill;
  const text = formatStatistics(makeStatistics({ ...report, bill, edits: [] }));
  expect(text).toContain("nothing was cut");
  expect(text).toContain("50,000 tokens of plain input\n");
  expect(text).toContain("read from the cache: not known");
});

test("sessions add up, in any order, and a total is shown next to its session", () => {
  const one = makeStatistics(report, usages);
  const { dollars: _, ...bill } = report.bill;
  const other = makeStatistics({ ...report, bill, edits: report.edits.slice(1) });
  const sum = addStatistics(one, other);
  expect(sum).toEqual(addStatistics(other, one));
  expect(sum).toEqual({
    cuts: { hash: { cuts: 1, tokens: 12_400 }, retry: { cuts: 2, tokens: 1_200 } },
    saved: 26_000,
    billSaved: 100_000,
    dollarsSaved: one.dollarsSaved,
    input: { total: 2_000, fromCache: 900 },
    deferred: { cuts: 2, tokens: 3_000 },
  });
  expect(formatStatistics(one, sum)).toContain(
    "\n\nIn total\n  hash: 1 cut, 12,400 tokens\n  retry: 2 cuts, 1,200 tokens\n",
  );
});

test("of a real session: equal to the ledger", () => {
  const { messages } = new Conversation()
    .call("bash", { command: "npm test" }, textOf(600))
    .call("bash", { command: "npm test" }, textOf(600, 1));
  const pruned = createPruner({ config: { schedule: { mode: "eager" } } }).prune(messages);
  const { cuts, saved } = makeStatistics(pruned.report);
  expect(cuts).toEqual({ hash: { cuts: 1, tokens: saved } });
  expect(saved).toBeGreaterThan(500);
});
