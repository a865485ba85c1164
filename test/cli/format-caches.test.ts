import pc from "picocolors";
import { describe, expect, test } from "vitest";
import type { CacheFigures } from "../../src/analysis/cache-figures.ts";
import { formatCaches } from "../../src/cli/format-caches.ts";
import { formatStatus } from "../../src/cli/format-status.ts";
import type { LiveSession, ProxyStatus } from "../../src/page/dashboard-data.ts";

const PLAIN = { columns: 200, paint: pc.createColors(false) };
const NO_LIVES = { requests: 0, wantLong: 0, short: 0, long: 0 };
const LOSSES: CacheFigures["losses"] = [
  { cause: "within the cache's life", count: 3, tokens: 90_000, dollars: 2 },
  { cause: "a pause over an hour", count: 1, tokens: 10_000, dollars: 0.5 },
];

describe("formatCaches", () => {
  test("shows the cost of lost caches by cause, marked as inferred", () => {
    const text = formatCaches({ losses: LOSSES, lives: NO_LIVES, keyed: 0 }, 20, PLAIN);
    expect(text).toContain("cause (inferred)");
    expect(text).toMatch(/\$2\.00 +10\.0 ?% +3 +90\.0K +within the cache's life/);
    expect(text).toMatch(/\$0\.50 +2\.5 ?% +1 +10\.0K +a pause over an hour/);
  });

  test("is empty if nothing is known, and shows tokens if nothing has a price", () => {
    expect(formatCaches({ losses: [], lives: NO_LIVES, keyed: 0 }, 20, PLAIN)).toBe("");
    const text = formatCaches({ losses: LOSSES, lives: NO_LIVES, keyed: 0 }, 0, PLAIN);
    expect(text).not.toContain("$");
    expect(text).toContain("90.0K");
  });

  test("names the settings that keep a prefix with OpenAI's models, if they lost one", () => {
    const text = formatCaches({ losses: LOSSES, lives: NO_LIVES, keyed: 2 }, 20, PLAIN);
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      '  With OpenAI\'s models, "prompt_cache_key" and "prompt_cache_retention": "24h" keep a prefix. See docs/caches.md.',
    );
    expect(formatCaches({ losses: LOSSES, lives: NO_LIVES, keyed: 0 }, 20, PLAIN)).not.toContain("OpenAI");
  });

  test.each<[string, CacheFigures["lives"], string]>([
    [
      "an hour is better",
      { requests: 10, wantLong: 0, short: 10, long: 8 },
      'An hour would cost 20.0% less for these pauses. In Claude Code, "promptCacheTtl": "1h" in settings.json asks for it.',
    ],
    [
      "5 minutes are better",
      { requests: 10, wantLong: 10, short: 8, long: 10 },
      '5 minutes would cost 20.0% less for these pauses. In Claude Code, "promptCacheTtl": "5m"',
    ],
    [
      "the better one is set",
      { requests: 10, wantLong: 9, short: 10, long: 8 },
      "and most requests ask for it.",
    ],
    ["they cost the same", { requests: 10, wantLong: 0, short: 10, long: 9.95 }, "That is about the same."],
  ])("advises with figures: %s", (_, lives, words) => {
    const text = formatCaches({ losses: [], lives, keyed: 0 }, 20, PLAIN);
    expect(text).toContain("Input of 10 requests with a cache of 5 minutes: $");
    expect(text.replaceAll(/\s+/g, " ")).toContain(words);
  });
});

test("coppice status shows why caches were lost, over all sessions of the proxy", () => {
  const session: LiveSession = {
    ...{ id: "a", startedAt: 0, lastAt: 0, requests: 1, questions: 0, underWay: 0, segments: 1, cuts: 0 },
    ...{ raw: 1, pruned: 1, window: 1, waits: 0, waiting: [], hits: 0, misses: 1 },
    ...{ isHeldOut: false, isOpen: true },
    losses: [{ cause: "tools", count: 2, tokens: 50_000, dollars: 0.25 }],
  };
  const status: ProxyStatus = {
    ...{ version: "1", startedAt: 0, time: 1, stored: [], days: [] },
    sessions: [session, { ...session, id: "b" }],
  };
  const text = formatStatus(status, "http://127.0.0.1:1", PLAIN);
  expect(text).toContain("Why the cache was lost");
  expect(text).toMatch(/\$0\.50 +100\.0K +4 +the client changed its tools/);
  const { losses: _, ...quiet } = session;
  expect(formatStatus({ ...status, sessions: [quiet] }, "", PLAIN)).not.toContain("Why the cache");
});
