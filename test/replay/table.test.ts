import { expect, test } from "vitest";
import { keepLastResults } from "../../src/replay/peers.ts";
import { prepareReplay, type Replay } from "../../src/replay/replay.ts";
import { noPruning } from "../../src/replay/replay-policy.ts";
import { spread, summarizeReplays } from "../../src/replay/summarize.ts";
import { formatDetailsTable, formatLimitsTable, formatReplayTable } from "../../src/replay/table.ts";
import { answer, makeRecording, user } from "./make-recording.ts";

function session(changes: Partial<Replay>): Replay {
  const { unpruned } = prepareReplay(makeRecording([user("go", 0), answer("done")]));
  return { ...unpruned, ...changes };
}

test("a row holds the means over sessions and how they are spread", () => {
  const first = session({
    ...{
      share: 0.5,
      inputShare: 0.4,
      rewriteFreeShare: 0.4,
      fetchedShare: 0.6,
      dollars: 2,
      sent: 600,
      uncached: 90,
    },
    ...{ breaks: 3, peak: 1000, illegal: 1, compactions: { recorded: 2, left: 1 } },
    evidence: { counted: 10, kept: 9 },
    lostEdits: { counted: 4, lost: 1 },
  });
  const second = session({
    ...{ share: 1.1, inputShare: 1.2, rewriteFreeShare: 0.55, fetchedShare: 1.2, sent: 400, uncached: 300 },
    ...{ breaks: 0, peak: 3000, illegal: 0, compactions: { recorded: 1, left: 1 } },
    evidence: { counted: 2, kept: 1 },
    lostEdits: { counted: 4, lost: 3 },
  });
  const empty = session({ share: 9, count: 0 });
  const whole = [session({ sent: 1000, uncached: 100 }), session({ sent: 800, uncached: 100 }), empty];
  const row = summarizeReplays("p", [first, second, empty], whole);
  expect(row).toMatchObject({
    ...{ policy: "p", sessions: 2, breaks: 1.5, peak: 2000, largestPeak: 3000, illegal: 1, dollars: 2 },
    bill: { mean: 0.8, least: 0.5, most: 1.1 },
    inputBill: { mean: 0.8, least: 0.4, most: 1.2 },
    compactions: { recorded: 3, left: 2 },
  });
  // If rewriting were free 0.4 and 0.55; evidence 0.9 and 0.5.
  expect(row.rewriteFree).toBeCloseTo(0.475);
  expect(row.evidence).toMatchObject({ least: 0.5, most: 0.9 });
  expect(row.evidence?.mean).toBeCloseTo(0.7);
  expect(row.editEvidence).toBeUndefined();
  // One and three of four edits.
  expect(row.lostEdits).toMatchObject({ mean: 0.5, most: 0.75 });
  // 600 of 1000 and 400 of 800; 90 of 100 and 300 of 100.
  expect(row.sent).toBeCloseTo(0.55);
  expect(row.uncached).toBeCloseTo(1.95);
});

test.each([
  ["one figure", [7], { mean: 7, least: 7, lower: 7, median: 7, upper: 7, most: 7 }],
  ["five, in any order", [5, 1, 4, 2, 3], { mean: 3, least: 1, lower: 2, median: 3, upper: 4, most: 5 }],
  ["between two", [0, 10], { mean: 5, least: 0, lower: 2.5, median: 5, upper: 7.5, most: 10 }],
  ["none", [], undefined],
])("a spread of %s", (_, figures, expected) => {
  expect(spread(figures)).toEqual(expected);
});

test("the tables are aligned and always the same", () => {
  const row = summarizeReplays("a long name of a policy", [
    session({
      share: 0.876,
      inputShare: 0.8,
      rewriteFreeShare: 0.438,
      fetchedShare: 0.92,
      misses: 1,
      count: 40,
      editEvidence: { counted: 3, kept: 2 },
      lostEdits: { counted: 8, lost: 1 },
      ownEvidence: { counted: 4, kept: 3 },
      breaks: 12,
      peak: 123_456,
      compactions: { recorded: 3, left: 1 },
    }),
  ]);
  const rows = [summarizeReplays("none", []), row];
  expect(formatReplayTable(rows)).toBe(
    [
      "policy                     bill   worst  with misses  missed steps  evidence  worst  edit evidence  worst  lost edits  worst",
      "none                     100.0%  100.0%       100.0%          0.0%         –      –              –      –           –      –",
      "a long name of a policy   87.6%   87.6%        92.0%          2.5%         –      –          66.7%  66.7%       12.5%  12.5%",
    ].join("\n"),
  );
  expect(formatDetailsTable(rows)).toBe(
    [
      "policy                   by money  worst stop  input alone       middle half  rewriting free  worst with misses  own words  cache breaks  illegal",
      "none                       100.0%        0.0%       100.0%  100.0% to 100.0%          100.0%             100.0%          –           0.0        0",
      "a long name of a policy    100.0%      100.0%        80.0%    87.6% to 87.6%           43.8%              92.0%      75.0%          12.0        0",
    ].join("\n"),
  );
  expect(formatLimitsTable(rows)).toBe(
    [
      "policy                   tokens sent  not from cache    peak  largest peak  compactions",
      "none                          100.0%          100.0%    0.0k          0.0k       0 of 0",
      "a long name of a policy       100.0%          100.0%  123.5k        123.5k       1 of 3",
    ].join("\n"),
  );
});

test("a table that is too wide is split, and each worst stays with its column", () => {
  const rows = [summarizeReplays("none", []), summarizeReplays("a long name of a policy", [session({})])];
  expect(formatReplayTable(rows, "policy", 78)).toBe(
    [
      "policy                     bill   worst  with misses  missed steps",
      "none                     100.0%  100.0%       100.0%          0.0%",
      "a long name of a policy  100.0%  100.0%       100.0%          0.0%",
      "",
      "policy                   evidence  worst  edit evidence  worst",
      "none                            –      –              –      –",
      "a long name of a policy         –      –              –      –",
      "",
      "policy                   lost edits  worst",
      "none                              –      –",
      "a long name of a policy           –      –",
    ].join("\n"),
  );
  for (const table of [formatReplayTable(rows, "policy", 60), formatDetailsTable(rows, 60)]) {
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    for (const own of table.split("\n\n")) expect(own.split("\n")).toHaveLength(3);
  }
});

test("policies on one recording share the unpruned replay", () => {
  const bench = prepareReplay(makeRecording([user("go", 0), answer("done")]));
  expect(bench.run(noPruning)).toEqual(bench.unpruned);
  expect(bench.run(keepLastResults(3)).share).toBe(1);
});
