import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { NO_READING, provenWindow, type Trust, weigh } from "../../src/schedule/trust.ts";
import type { Usage } from "../../src/transcript/message.ts";
import { Conversation, textOf } from "../conversation.ts";

describe("the provider's figures that are believed", () => {
  const terms = { prefix: 8_000, window: 200_000 };
  /** Readings of requests that grow by 1,500 estimated tokens each, from 10,000 on. */
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
    ["as estimated", [10_000, 11_500, 13_000], [false, true, true]],
    ["another tokenizer and a large prompt", [45_000, 47_300, 49_600], [false, true, true]],
    ["hardly any prompt", [2_100, 3_600, 5_100], [false, true, true]],
    ["one that is far too large", [10_000, 3_000_000, 13_000], [false, false, true]],
    ["one that is too large", [10_000, 11_500, 40_000, 14_500], [false, true, false, true]],
    ["one that is too small", [30_000, 31_500, 300, 34_500], [false, true, false, true]],
    ["two that agree with each other, and are far too small", [30, 100, 13_000], [false, false, false]],
    ["the first is wrong", [3_000_000, 11_500, 13_000], [false, false, true]],
    ["the first is wrong, but plausible", [90_000, 11_500, 13_000], [false, false, true]],
    ["sums over the session", [10_000, 21_500, 34_500, 49_000], [false, false, false, false]],
    ["tools were added", [10_000, 11_500, 53_000, 54_500, 56_000], [false, true, false, true, true]],
    ["no number", [10_000, 11_500, Number.POSITIVE_INFINITY, 14_500], [false, true, false, true]],
  ])("%s", (_, counts, believed) => {
    expect(follow(counts)).toEqual(believed);
  });

  test("a window is proved larger than stated only if the messages fill it", () => {
    const small = { prefix: 8_000, window: 9_000 };
    expect(follow([15_000, 16_500], small)).toEqual([false, true]);
    expect(follow([30_000, 31_500], small)).toEqual([false, false]);
  });

  test("in a small window, sums over the session are not taken for text that a host adds unseen", () => {
    const small = { prefix: 800, window: 8_192 };
    const sums = [10_000, 13_900, 17_800, 21_700];
    expect(follow(sums, { prefix: 800, window: 200_000 })).toEqual([false, true, true, true]);
    expect(follow(sums.slice(0, 2), small)).toEqual([false, false]);
  });

  test("only text that was really sent proves a window, and only twice in a row", () => {
    const sent = { counted: 24_000, with: 23_000, without: 60_000 };
    const sum = { counted: 25_000, with: 23_000, without: 60_000 };
    const next = { counted: 23_000, with: 22_500, without: 60_000 };
    expect(provenWindow(next, sent, terms)).toBe(23_000);
    expect(provenWindow(next, sum, terms)).toBe(0);
    expect(provenWindow(sum, sent, terms)).toBe(0);
    expect(provenWindow(undefined, sent, terms)).toBe(0);
  });

  test("requests from before Coppice was installed are measured without cuts", () => {
    const first = weigh(NO_READING, { counted: 58_500, with: 56_500, without: 56_500 }, terms);
    const before = weigh(first, { counted: 60_000, with: 58_000, without: 58_000 }, terms);
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
  const run = (
    usageOf: (step: number, counted: number) => number | undefined,
    window = 60_000,
    size = 800,
  ) => {
    // A small window has no room for a large prompt.
    const prompt = Math.min(8_000, window / 10);
    const conversation = new Conversation();
    const pruner = createPruner({ config: { window, schedule: { ingestCap: null } } });
    let doubted = 0;
    let overflows = 0;
    let smallest = Number.POSITIVE_INFINITY;
    let sent = 0;
    for (let step = 0; step < STEPS; step++) {
      const input = step === 0 ? undefined : usageOf(step, sent);
      const usage: Usage | undefined =
        input === undefined ? undefined : { input, cacheRead: 1, cacheWrite: 0, output: 100 };
      conversation.call("read", { filePath: `f${step}.ts` }, textOf(size, step), usage && { usage });
      const { report } = pruner.prune([...conversation.messages], {
        model: "claude-sonnet-4-5",
        meta: [...conversation.meta],
      });
      sent = prompt + report.tokens.after;
      if (report.issues.some(({ code }) => code === "context-overflow")) overflows++;
      if (report.issues.some(({ code }) => code === "usage-doubted")) doubted++;
      if (step > 20) smallest = Math.min(smallest, report.tokens.after);
      expect(report.pressure.window).toBe(window);
    }
    return { doubted, overflows, smallest };
  };
  const right = run((_, counted) => counted);

  test("correct figures are all believed", () => {
    expect(right.doubted).toBe(0);
    expect(right.smallest).toBeGreaterThan(15_000);
  });

  test("a figure of three million changes neither the window nor the cuts, and is reported", () => {
    for (const at of [1, 20])
      expect(run((step, counted) => (step === at ? 3_000_000 : counted))).toEqual({ ...right, doubted: 1 });
  });

  test("sums over the session change neither the window nor the cuts, and are reported", () => {
    let sum = 0;
    const summed = run((_, counted) => {
      sum += counted;
      return sum;
    });
    expect(summed.doubted).toBeGreaterThan(STEPS / 2);
    expect(summed.smallest).toBeGreaterThan(0.8 * right.smallest);
  });

  test.each([
    ["a window of 60,000", 60_000, 55_000],
    ["a window of 8,192", 8_192, 12_000],
  ])("a first figure that is wrong, but plausible, changes nothing: %s", (_, window, wrong) => {
    const good = run((_, counted) => counted, window);
    const bad = run((step, counted) => (step === 1 ? wrong : counted), window);
    expect(bad.smallest).toBeGreaterThan(0.9 * good.smallest);
    expect(bad.overflows).toBe(good.overflows);
    expect(bad.doubted).toBe(1);
  });

  test.each([
    [200, 10],
    [800, 1],
    // Each sum is possible after the one before it and such a result.
    [2_000, 0],
  ])("sums over the session do not widen a small window: results of %s", (size, doubted) => {
    let sum = 0;
    const summed = run(
      (_, counted) => {
        sum += counted;
        return sum;
      },
      8_192,
      size,
    );
    expect(summed.doubted).toBeGreaterThanOrEqual(doubted);
  });
});
