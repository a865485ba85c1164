import { describe, expect, test } from "vitest";
import { profileFor } from "../../src/models/profile-for.ts";
import { fitUsage, type Sample } from "../../src/replay/fit-usage.ts";
import type { Usage } from "../../src/transcript/message.ts";

const CLAUDE = profileFor("claude-sonnet-4-5");
const GPT = profileFor("gpt-5.4");
const MINUTE = 60_000;

type Counts = (index: number, total: number, before: number) => Partial<Usage>;

/** Requests that grow by a thousand tokens, each counted as `scale` by the provider, after a prefix. */
function grow(
  {
    prefix,
    scale,
    count = 20,
    profile = CLAUDE,
    pause = MINUTE,
  }: Partial<Sample> & {
    readonly prefix: number;
    readonly scale: number;
    readonly count?: number;
    readonly pause?: number;
  },
  counts: Counts,
): readonly Sample[] {
  return Array.from({ length: count }, (_, i): Sample => {
    const estimate = 1_000 * (i + 1);
    const total = prefix + scale * estimate;
    const before = i === 0 ? 0 : total - scale * 1_000;
    const kept = { blocks: 2 * i - 2, tokens: estimate - 1_000 };
    const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 1, ...counts(i, total, before) };
    return { index: i, segment: 0, profile, time: i * pause, estimate, blocks: 2 * i, kept, usage };
  });
}

const written: Counts = (_, total, before) => ({ cacheRead: before, cacheWrite: total - before });

describe("fitUsage", () => {
  test("finds prefix and scale again", () => {
    const fit = fitUsage(grow({ prefix: 20_000, scale: 1.4 }, written)).get(CLAUDE.plainId);
    expect(fit?.prefix).toBeCloseTo(20_000);
    expect(fit?.scale).toBeCloseTo(1.4);
    expect(fit).toMatchObject({ shared: 0, caches: true, billsWrites: true, ttl: 0 });
    expect(fit?.hits).toBeCloseTo(1);
  });

  test("clearing by the host in between moves the prefix, not the scale", () => {
    const samples = grow({ prefix: 20_000, scale: 1.4 }, (i, total, before) =>
      written(i, i < 10 ? total : total - 5_000, i < 11 ? before : before - 5_000),
    );
    const fit = fitUsage(samples).get(CLAUDE.plainId);
    expect(fit?.scale).toBeCloseTo(1.4);
    expect(fit?.prefix).toBeCloseTo(17_500);
  });

  test("too little growth: the model's usual scale, and the prefix from the rest", () => {
    const fit = fitUsage(grow({ prefix: 5_000, scale: 9, count: 1 }, written)).get(CLAUDE.plainId);
    expect(fit?.scale).toBe(CLAUDE.tokensPerEstimate);
    expect(fit?.prefix).toBeCloseTo(14_000 - 1_000 * CLAUDE.tokensPerEstimate);
  });

  test("fewer tokens than estimated give no negative prefix", () => {
    const fit = fitUsage(grow({ prefix: -900, scale: 1 }, written)).get(CLAUDE.plainId);
    expect(fit?.prefix).toBe(0);
    expect(fit?.scale).toBeLessThan(1);
  });

  test("no reads and no writes: there is no cache", () => {
    const fit = fitUsage(grow({ prefix: 1_000, scale: 1.3 }, (_, total) => ({ input: total })));
    expect(fit.get(CLAUDE.plainId)).toMatchObject({ caches: false });
  });

  test("reads without writes: they are not billed as such. Misses are a share", () => {
    const samples = grow({ prefix: 20_000, scale: 1, profile: GPT }, (i, total, before) =>
      i % 2 === 0 ? { input: total } : { cacheRead: before, input: total - before },
    );
    const fit = fitUsage(samples).get(GPT.plainId);
    expect(fit?.billsWrites).toBe(false);
    expect(fit?.hits).toBeGreaterThan(0.45);
    expect(fit?.hits).toBeLessThan(0.6);
  });

  test("text that other sessions had sent is cached at a cold start", () => {
    const samples = grow({ prefix: 20_000, scale: 1 }, (i, total, before) =>
      i === 0 ? { cacheRead: 15_000, cacheWrite: total - 15_000 } : written(i, total, before),
    );
    expect(fitUsage(samples).get(CLAUDE.plainId)).toMatchObject({ shared: 15_000 });
  });

  test("hits after longer pauses show a longer cache lifetime", () => {
    const held = grow({ prefix: 20_000, scale: 1, profile: GPT, pause: 20 * MINUTE }, written);
    expect(fitUsage(held).get(GPT.plainId)).toMatchObject({ ttl: 20 * MINUTE });
    const lost = grow({ prefix: 20_000, scale: 1, profile: GPT, pause: 20 * MINUTE }, (_, total) => ({
      cacheWrite: total,
    }));
    expect(fitUsage(lost).get(GPT.plainId)).toMatchObject({ ttl: 0 });
  });

  test("each model by its own usage; one without any is left out", () => {
    const gpt = grow({ prefix: 9_000, scale: 1, profile: GPT }, written).map((sample) => ({
      ...sample,
      segment: 1,
    }));
    const silent = { ...(gpt[0] as Sample), profile: profileFor("gemini-3-flash"), usage: undefined };
    const fits = fitUsage([...grow({ prefix: 20_000, scale: 1.4 }, written), ...gpt, silent]);
    expect([...fits.keys()]).toEqual([CLAUDE.plainId, GPT.plainId]);
    expect(fits.get(GPT.plainId)?.prefix).toBeCloseTo(9_000);
  });
});
