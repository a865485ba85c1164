import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { NO_READING, type Trust, weigh } from "../../src/schedule/trust.ts";
import type { Usage } from "../../src/transcript/message.ts";
import { Conversation, textOf } from "../conversation.ts";

describe("which figures of a provider are believed", () => {
  const terms = { prefix: 8_000, window: 200_000 };
  /** Of requests that grow by 1,500 estimated tokens each, from 10,000 on. */
  const follow = (counts: readonly number[], { prefix, window } = terms): readonly boolean[] => {
    let trust: Trust = NO_READING;
    return counts.map((counted, i) => {
      const estimated = 10_000 + 1_500 * i;
      const reading = { counted, with: estimated, without: estimated };
      trust = weigh(trust, reading, { prefix, window });
      return trust.believed === reading;
    });
  };

  test.each([
    ["as estimated", [10_000, 11_500, 13_000], [true, true, true]],
    ["another tokenizer and a large prompt", [45_000, 47_300, 49_600], [true, true, true]],
    ["hardly any prompt", [2_100, 3_600, 5_100], [true, true, true]],
    ["one that is out of all bounds", [10_000, 3_000_000, 13_000], [true, false, true]],
    ["one that is too large", [10_000, 40_000, 13_000], [true, false, true]],
    ["one that is too small", [30_000, 300, 33_000], [true, false, true]],
    ["the first is wrong", [3_000_000, 11_500, 13_000], [false, true, true]],
    ["the first is wrong and might be right", [90_000, 11_500, 13_000], [true, false, true]],
    ["sums over the session", [10_000, 21_500, 34_500, 49_000], [true, false, false, false]],
    ["tools were added", [10_000, 51_500, 53_000, 54_500], [true, false, true, true]],
    ["no number", [10_000, Number.POSITIVE_INFINITY, 13_000], [true, false, true]],
  ])("%s", (_, counts, believed) => {
    expect(follow(counts)).toEqual(believed);
  });

  test("a window is larger than it is said to be only where the messages fill it", () => {
    const small = { prefix: 8_000, window: 9_000 };
    expect(follow([15_000], small)).toEqual([true]);
    expect(follow([30_000], small)).toEqual([false]);
  });

  test("requests that were made before Coppice came are measured without cuts", () => {
    const before = weigh(NO_READING, { counted: 60_000, with: 58_000, without: 58_000 }, terms);
    const uncut = { counted: 63_000, with: 20_000, without: 61_000 };
    const cut = { counted: 21_000, with: 20_000, without: 61_000 };
    expect(weigh(before, uncut, terms).believed).toBe(uncut);
    expect(weigh(before, cut, terms).believed).toBe(cut);
    const neither = { counted: 130_000, with: 20_000, without: 61_000 };
    expect(weigh(before, neither, terms).believed).not.toBe(neither);
  });
});

describe("a session with wrong usage figures", () => {
  const STEPS = 40;
  const run = (usageOf: (step: number, counted: number) => number | undefined, window = 60_000) => {
    const conversation = new Conversation();
    const pruner = createPruner({ config: { window, schedule: { ingestCap: null } } });
    let doubted = 0;
    let smallest = Number.POSITIVE_INFINITY;
    let sent = 0;
    for (let step = 0; step < STEPS; step++) {
      const input = step === 0 ? undefined : usageOf(step, sent);
      const usage: Usage | undefined =
        input === undefined ? undefined : { input, cacheRead: 1, cacheWrite: 0, output: 100 };
      conversation.call("read", { filePath: `f${step}.ts` }, textOf(800, step), usage && { usage });
      const { report } = pruner.prune([...conversation.messages], {
        model: "claude-sonnet-4-5",
        meta: [...conversation.meta],
      });
      sent = 8_000 + report.tokens.after;
      if (report.issues.some(({ code }) => code === "usage-doubted")) doubted++;
      if (step > 20) smallest = Math.min(smallest, report.tokens.after);
      expect(report.pressure.window).toBe(window);
    }
    return { doubted, smallest };
  };
  const right = run((_, counted) => counted);

  test("right ones are all believed", () => {
    expect(right.doubted).toBe(0);
    expect(right.smallest).toBeGreaterThan(15_000);
  });

  test("one of three millions changes neither the window nor the cuts, and is reported", () => {
    for (const at of [1, 20])
      expect(run((step, counted) => (step === at ? 3_000_000 : counted))).toEqual({ ...right, doubted: 1 });
  });

  test("sums over the session change neither, and are reported", () => {
    let sum = 0;
    const summed = run((_, counted) => {
      sum += counted;
      return sum;
    });
    expect(summed.doubted).toBeGreaterThan(STEPS / 2);
    expect(summed.smallest).toBeGreaterThan(0.8 * right.smallest);
  });
});
