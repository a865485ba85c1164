import { describe, expect, test } from "vitest";
import { compareWork, describeCompared, describeSplit } from "../../src/analysis/compare-work.ts";
import { RATES, showCounts, showRate } from "../../src/analysis/work-rates.ts";
import { NO_WORK, type WorkCounts } from "../../src/facts/work-counts.ts";
import type { Arm, SessionRow } from "../../src/stores/store.ts";

function session(
  arm: Arm | undefined,
  work: Partial<WorkCounts>,
  cuts = arm === "pruned" ? 1 : 0,
): SessionRow {
  const requests = work.requests ?? 10;
  return {
    ...{ id: "s", startedAt: 0, lastAt: 0, requests, tokensWith: 0, tokensWithout: 0, priced: 0 },
    ...{ answered: 0, pings: 0, paid: 0, cuts },
    arms: { pruned: arm === "pruned" ? requests : 0, heldOut: arm === "heldOut" ? requests : 0 },
    work: { ...NO_WORK, requests, prompts: 1, ...work },
  };
}

/** This many sessions of ten edits each; this many of all their edits fail, one per session. */
function arm(which: Arm, sessions: number, failed: number): readonly SessionRow[] {
  return Array.from({ length: sessions }, (_, i) =>
    session(which, { edits: 10, missedEdits: i < failed ? 1 : 0, prompts: 1 + (i % 2) }),
  );
}

const words = (rows: readonly SessionRow[]) => (compareWork(rows).rates ?? []).map(describeCompared);

describe("the two arms of a holdout", () => {
  test("no difference", () => {
    const rows = [...arm("pruned", 412, 87), ...arm("heldOut", 51, 12)];
    expect(words(rows)[0]).toBe(
      "failed edits: 2.1 of 100 with, 2.4 without (412 and 51 sessions): no difference seen, between 1.6 fewer and 1.1 more",
    );
  });

  test("more with pruning", () => {
    const rows = [...arm("pruned", 200, 120), ...arm("heldOut", 100, 10)];
    expect(words(rows)[0]).toBe(
      "failed edits: 6.0 of 100 with, 1.0 without (200 and 100 sessions): more with pruning, between 3.4 more and 6.6 more",
    );
  });

  test("fewer with pruning", () => {
    const rows = [...arm("pruned", 200, 20), ...arm("heldOut", 100, 60)];
    expect(words(rows)[0]).toBe(
      "failed edits: 1.0 of 100 with, 6.0 without (200 and 100 sessions): fewer with pruning, between 6.2 fewer and 3.8 fewer",
    );
  });

  test("ignores sessions without an edit, and too few sessions", () => {
    const idle = Array.from({ length: 100 }, () => session("heldOut", {}));
    const rows = [...arm("pruned", 412, 87), ...arm("heldOut", 49, 12), ...idle];
    expect(words(rows)[0]).toBe(
      "failed edits: 2.1 of 100 with, 2.4 without (412 and 49 sessions): too few sessions to tell",
    );
    expect(words([...arm("pruned", 412, 87), ...idle])[0]).toBe(
      "failed edits: 2.1 of 100 with, none without (412 and 0 sessions): too few sessions to tell",
    );
  });

  test("one long session does not decide", () => {
    const long = session("heldOut", { edits: 10_000, missedEdits: 900 });
    const rows = [...arm("pruned", 412, 87), ...arm("heldOut", 60, 12), long];
    expect(compareWork(rows).rates?.[0]?.verdict).toBe("too-few");
  });

  test("an arm without failures is not certain to have none", () => {
    const few = Array.from({ length: 60 }, () => session("heldOut", { edits: 1 }));
    const rates = compareWork([...arm("pruned", 400, 84), ...few]).rates;
    expect(rates?.[0]).toMatchObject({
      pruned: { rate: 0.021 },
      heldOut: { rate: 0 },
      verdict: "no-difference",
    });
  });

  test("requests per prompt is a ratio and not a share; recalls are not compared", () => {
    const rows = [...arm("pruned", 100, 0), ...arm("heldOut", 100, 0)];
    expect(compareWork(rows).rates?.map(({ name }) => name)).toEqual([
      "missedEdits",
      "rereads",
      "reruns",
      "requests",
    ]);
    expect(words(rows).at(-1)).toMatch(
      /^requests per prompt: 6\.7 with, 6\.7 without \(100 and 100 sessions\): no difference seen, between \d\.\d fewer and \d\.\d more$/,
    );
  });

  test("without any events there is no range", () => {
    const rows = [...arm("pruned", 60, 0), ...arm("heldOut", 60, 0)];
    expect(words(rows)[0]).toBe(
      "failed edits: 0.0 of 100 with, 0.0 without (60 and 60 sessions): no difference seen",
    );
  });

  test("a session that changed its arm belongs to neither", () => {
    const rows = [...arm("pruned", 60, 3), ...arm("heldOut", 60, 3)];
    const mixed = {
      ...session("pruned", { edits: 1_000, missedEdits: 1_000 }),
      arms: { pruned: 4, heldOut: 6 },
    };
    expect(words([...rows, mixed])[0]).toBe(words(rows)[0]);
  });

  test("without a difference, one is found in about one of twenty cases", () => {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    // Sessions are of many lengths, and in some of them edits fail much more often than in others.
    const draw = (which: Arm) => {
      const edits = 1 + Math.floor(30 * random() ** 2);
      const rate = 0.06 * random() ** 2;
      const missedEdits = Array.from({ length: edits }, random).filter((each) => each < rate).length;
      return session(which, { edits, missedEdits });
    };
    let seen = 0;
    for (let i = 0; i < 120; i++) {
      const rows = [
        ...Array.from({ length: 300 }, () => draw("pruned")),
        ...Array.from({ length: 60 }, () => draw("heldOut")),
      ];
      if (compareWork(rows).rates?.[0]?.verdict !== "no-difference") seen++;
    }
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(12);
  });
});

describe("without a holdout", () => {
  const rows = [
    session(undefined, { edits: 3, missedEdits: 1 }, 2),
    session(undefined, { edits: 5 }, 0),
    session(undefined, { requests: 0 }, 0),
  ];

  test("sessions with cuts are shown next to those without, and no conclusion is drawn", () => {
    const compared = compareWork(rows);
    expect(compared.rates).toBeUndefined();
    expect(compared.pruned).toMatchObject({ sessions: 1, counts: { edits: 3, missedEdits: 1 } });
    expect(compared.unpruned).toMatchObject({ sessions: 1, counts: { edits: 5, missedEdits: 0 } });
    expect(describeSplit(compared)).toBe(
      "1 session with cuts, 1 without. Short sessions are not cut: only a holdout (--holdout) compares like with like.",
    );
    expect(describeSplit(compareWork(rows.slice(1)))).toBe("0 sessions with cuts, 1 without.");
  });
});

test("rates in words", () => {
  const work = {
    ...NO_WORK,
    requests: 1_190,
    prompts: 100,
    edits: 1_571,
    missedEdits: 33,
    reads: 10,
    rereads: 1,
  };
  expect(RATES.map((rate) => `${rate.title}: ${showRate(rate, work)} (${showCounts(rate, work)})`)).toEqual([
    "edits that failed: text not found: 2.1 of 100 (33 of 1,571 edits)",
    "reads of text already read: 10.0 of 100 (1 of 10 reads)",
    "commands run again: – (no commands)",
    "recalls of cut text: 0.0 of 100 (0 of 1,190 requests)",
    "requests per prompt: 11.9 (1,190 for 100 prompts)",
  ]);
});
