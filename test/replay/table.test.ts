import { expect, test } from "vitest";
import { keepLastResults } from "../../src/replay/peers.ts";
import { prepareReplay, type Replay } from "../../src/replay/replay.ts";
import { noPruning } from "../../src/replay/replay-policy.ts";
import { formatReplayTable, summarizeReplays } from "../../src/replay/table.ts";
import { answer, makeRecording, user } from "./make-recording.ts";

function session(changes: Partial<Replay>): Replay {
  const { unpruned } = prepareReplay(makeRecording([user("go", 0), answer("done")]));
  return { ...unpruned, ...changes };
}

test("a row holds the means over sessions and the worst of them", () => {
  const row = summarizeReplays("p", [
    session({
      share: 0.5,
      bill: 100,
      rewriteFree: 80,
      evidence: { counted: 10, kept: 9 },
      breaks: 3,
      peak: 1000,
      illegal: 1,
    }),
    session({
      share: 1.1,
      bill: 200,
      rewriteFree: 100,
      evidence: { counted: 2, kept: 1 },
      breaks: 0,
      peak: 3000,
      illegal: 0,
    }),
    session({ share: 9, count: 0 }),
  ]);
  // Shares 0.5 and 1.1; if rewriting were free 0.5 * 0.8 = 0.4 and 1.1 * 0.5 = 0.55; evidence 0.9 and 0.5.
  expect(row).toMatchObject({
    policy: "p",
    sessions: 2,
    bill: 0.8,
    worst: 1.1,
    breaks: 1.5,
    peak: 2000,
    illegal: 1,
  });
  expect(row.rewriteFree).toBeCloseTo(0.475);
  expect(row.evidence).toBeCloseTo(0.7);
  expect(row.editEvidence).toBeUndefined();
});

test("the table is aligned and always the same", () => {
  const row = summarizeReplays("a long name of a policy", [
    session({
      share: 0.876,
      bill: 100,
      rewriteFree: 50,
      editEvidence: { counted: 3, kept: 2 },
      breaks: 12,
      peak: 123_456,
    }),
  ]);
  expect(formatReplayTable([summarizeReplays("none", []), row])).toBe(
    [
      "policy                     bill  worst session  rewriting free  evidence  edit evidence  cache breaks    peak  illegal",
      "none                     100.0%         100.0%          100.0%         –              –           0.0    0.0k        0",
      "a long name of a policy   87.6%          87.6%           43.8%         –          66.7%          12.0  123.5k        0",
    ].join("\n"),
  );
});

test("policies on one recording share the unpruned replay", () => {
  const bench = prepareReplay(makeRecording([user("go", 0), answer("done")]));
  expect(bench.run(noPruning)).toEqual(bench.unpruned);
  expect(bench.run(keepLastResults(3)).share).toBe(1);
});
