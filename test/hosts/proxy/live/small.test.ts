import { describe, expect, test } from "vitest";
import { findFolder } from "../../../../src/hosts/proxy/live/find-folder.ts";
import { expectedShare, judgeCache } from "../../../../src/hosts/proxy/live/judge-cache.ts";
import { SessionTexts } from "../../../../src/hosts/proxy/live/session-texts.ts";

describe("findFolder", () => {
  test.each([
    ["Working directory: /home/ada/shop\nIs directory a git repo: Yes", "shop"],
    [" - Primary working directory: /srv/big engine/\n", "big engine"],
    ["<cwd>C:\\Users\\ada\\shop</cwd>", "shop"],
    ["Working directory: nowhere in particular", undefined],
    ["Nothing is said.", undefined],
    ["Working directory: ", undefined],
    ["Working directory: /", undefined],
  ])("%j", (text, folder) => {
    expect(findFolder(JSON.stringify({ system: text }))).toBe(folder);
  });
});

describe("the cache", () => {
  const prices = { read: 0.1, write: 1.25, ttl: 300_000, minimumPrefix: 0 };
  test.each([
    [0.1 * 900 + 1.25 * 100, 1_000, 0.9],
    [1.25 * 1_000, 1_000, 0],
    [0, 0, 0],
  ])("a bill of %d for %d tokens means that %d should be cached", (bill, tokens, share) => {
    expect(expectedShare(bill, tokens, prices)).toBeCloseTo(share);
  });

  test("if reading costs as much as writing, hits are unknown", () => {
    expect(expectedShare(500, 1_000, { ...prices, read: 1, write: 1 })).toBe(0);
  });

  test.each([
    [0.9, 0.88, "hit"],
    [0.9, 0.03, "miss"],
    [0.1, 0, "new"],
    [0, 0.9, "hit"],
    [0.9, 0.4, "miss"],
  ] as const)("%d expected, %d there: %s", (expected, actual, verdict) => {
    expect(judgeCache(expected, actual)).toBe(verdict);
  });
});

describe("texts", () => {
  const text = (size: number) => ({ format: "openai-chat" as const, messages: ["x".repeat(size)], size });

  test("those of the session that was used longest ago are removed first, with all its conversations", () => {
    const texts = new SessionTexts(100);
    texts.put("a", "r1", text(30));
    texts.put("a", "r2", text(30));
    texts.put("b", "r3", text(30));
    expect(texts.put("a", "r1", text(40))).toEqual([]);
    expect(texts.put("c", "r4", text(20))).toEqual(["b"]);
    expect(texts.size).toBe(90);
    texts.drop("a");
    expect(texts.size).toBe(20);
  });

  test("one that is larger than the whole limit is not kept", () => {
    const texts = new SessionTexts(100);
    expect(texts.put("a", "r", text(101))).toEqual(["a"]);
    expect(texts.size).toBe(0);
    expect(texts.has("a")).toBe(false);
  });
});
