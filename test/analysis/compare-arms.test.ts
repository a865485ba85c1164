import { describe, expect, test } from "vitest";
import { compareArms } from "../../src/analysis/compare-arms.ts";
import { isHeldOut } from "../../src/analysis/held-out.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import type { Arm, SessionRow } from "../../src/stores/store.ts";

function session(arm: Arm | undefined, requests: number, cost: number | undefined, i = 0): SessionRow {
  return {
    ...{ id: `s${i}`, startedAt: 0, lastAt: 0, requests, tokensWith: 0, tokensWithout: 0, priced: 0 },
    ...{ answered: 0, cuts: 0, pings: 0, paid: cost === undefined ? 0 : requests },
    work: NO_WORK,
    arms: { pruned: arm === "pruned" ? requests : 0, heldOut: arm === "heldOut" ? requests : 0 },
    ...(cost !== undefined && { cost }),
  };
}

/** This many conversations of two and of four requests in each arm. */
function arms(each: number): readonly SessionRow[] {
  return Array.from({ length: each }, (_, i) => {
    const requests = i % 2 === 0 ? 2 : 4;
    const noise = i % 3 === 0 ? 1.1 : 0.95;
    return [
      session("pruned", requests, requests * 3 * noise),
      session("heldOut", requests, requests * 4 * noise),
    ];
  }).flat();
}

test("money over requests in each arm, and the difference", () => {
  const { pruned, heldOut, saved, missing } = compareArms(arms(60));
  expect(pruned).toEqual({
    conversations: 60,
    requests: 180,
    cost: expect.closeTo(540),
    perRequest: expect.closeTo(3),
  });
  expect(heldOut).toMatchObject({ conversations: 60, requests: 180, perRequest: expect.closeTo(4) });
  expect(missing).toBe(0);
  expect(saved?.perRequest.mean).toBeCloseTo(1);
  expect(saved?.share.mean).toBeCloseTo(0.25);
  for (const figure of [saved?.perRequest, saved?.share]) {
    expect(figure?.low).toBeGreaterThan(0);
    expect(figure?.low).toBeLessThan(figure?.mean ?? 0);
    expect(figure?.high).toBeGreaterThan(figure?.mean ?? 0);
  }
});

test("by hand", () => {
  const rows = Array.from({ length: 50 }, (_, i) => [
    session("pruned", 1, i % 2 === 0 ? 1 : 3),
    session("heldOut", 2, 8),
  ]).flat();
  // Without one conversation the pruned arm pays 99 / 49 or 97 / 49 a request. All are as long: 50 are worth 50, and with
  // 49 degrees of freedom t is 2.0096. The other arm does not vary.
  const half = Math.log(99 / 97) / 2;
  const factor = Math.exp(2.0096 * Math.sqrt(49 * half ** 2));
  const { saved } = compareArms(rows);
  expect(saved?.perRequest.mean).toBeCloseTo(2);
  expect(saved?.perRequest.low).toBeCloseTo(4 - 2 * factor, 3);
  expect(saved?.perRequest.high).toBeCloseTo(4 - 2 / factor, 3);
  expect(saved?.share.mean).toBeCloseTo(0.5);
  expect(saved?.share.low).toBeCloseTo(1 - 0.5 * factor, 3);
  expect(saved?.share.high).toBeCloseTo(1 - 0.5 / factor, 3);
});

describe("not enough data yet", () => {
  test.each([
    ["nothing", [], 50],
    ["one arm", arms(100).filter(({ arms }) => arms.pruned > 0), 50],
    ["one too few", [...arms(49), session("pruned", 1, 1)], 1],
  ] as const)("%s", (_, rows, missing) => {
    const found = compareArms(rows);
    expect(found.missing).toBe(missing);
    expect(found).not.toHaveProperty("saved");
  });
  test("zero cost proves nothing", () => {
    const free = arms(60).map((row) => ({ ...row, cost: 0 }));
    expect(compareArms(free)).not.toHaveProperty("saved");
  });
});

test("ignores conversations outside a holdout, in both arms or without a cost", () => {
  const odd: readonly SessionRow[] = [
    session(undefined, 5, 1_000),
    { ...session("pruned", 5, 1_000), arms: { pruned: 3, heldOut: 2 } },
    { ...session("heldOut", 5, 1_000), arms: { pruned: 0, heldOut: 4 } },
    session("heldOut", 5, undefined),
  ];
  expect(compareArms([...arms(60), ...odd])).toEqual(compareArms(arms(60)));
});

test("only a conversation's requests with a known cost count", () => {
  const rows = arms(60).map((row) => ({ ...row, requests: row.requests + 1 }));
  const told = rows.map((row) => ({
    ...row,
    arms: row.arms.pruned > 0 ? { pruned: row.requests, heldOut: 0 } : { pruned: 0, heldOut: row.requests },
  }));
  expect(compareArms(told)).toEqual(compareArms(arms(60)));
});

test("from a store: the totals of several replicas", async () => {
  const store = memoryStore();
  for (let i = 0; i < 200; i++) {
    const id = `conversation ${i}`;
    const arm = isHeldOut(id, 50) ? "heldOut" : "pruned";
    const one = { session: id, time: i, tokensWith: 1, tokensWithout: 1, cuts: 0, arm } as const;
    for (let n = 0; n <= i % 4; n++) await store.addRequest({ ...one, cost: arm === "pruned" ? 1 : 2 });
    await store.addPing({ session: id, time: i, cost: 0.5 });
  }
  const { pruned, heldOut, saved } = compareArms(await store.listSessions());
  expect(pruned.conversations + heldOut.conversations).toBe(200);
  expect(pruned.cost).toBeCloseTo(pruned.requests + pruned.conversations * 0.5);
  expect(saved?.perRequest.low).toBeLessThan(1);
  expect(saved?.perRequest.high).toBeGreaterThan(0.9);
});

describe("the interval contains the true difference as often as stated", () => {
  /** Park and Miller: the same numbers every time. */
  function chance(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
  }
  const normal = (next: () => number) => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());

  /** Realistic conversations: a few are long, and every request of a long one is more expensive. */
  function draw(next: () => number, arm: Arm, factor: number): SessionRow {
    const requests = Math.max(1, Math.round(Math.exp(2.5 + 1.1 * normal(next))));
    const each = 0.02 * requests ** 0.3 * Math.exp(0.6 * normal(next));
    return session(arm, requests, requests * each * factor);
  }

  test.each([
    [50, 450],
    [300, 300],
  ])("%d held out, %d pruned", (held, pruned) => {
    const next = chance(2_026 + held);
    const many = Array.from({ length: 20_000 }, () => draw(next, "pruned", 1));
    const truth =
      many.reduce((sum, { cost = 0 }) => sum + cost, 0) / many.reduce((sum, row) => sum + row.requests, 0);
    const runs = 200;
    let money = 0;
    let share = 0;
    for (let run = 0; run < runs; run++) {
      const { saved } = compareArms([
        ...Array.from({ length: held }, () => draw(next, "heldOut", 1)),
        ...Array.from({ length: pruned }, () => draw(next, "pruned", 0.75)),
      ]);
      if (!saved) throw new Error("there are enough");
      if (saved.perRequest.low <= 0.25 * truth && 0.25 * truth <= saved.perRequest.high) money++;
      if (saved.share.low <= 0.25 && 0.25 <= saved.share.high) share++;
    }
    for (const covered of [money / runs, share / runs]) {
      expect(covered).toBeGreaterThan(0.85);
      expect(covered).toBeLessThan(0.99);
    }
  });
});
