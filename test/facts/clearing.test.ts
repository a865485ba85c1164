import { describe, expect, test } from "vitest";
import { type Cleared, Clearing, NOTHING_CLEARED } from "../../src/facts/clearing.ts";
import type { ClearingRule } from "../../src/transcript/clearing-rule.ts";
import { play, type Use } from "../play.ts";

/** Six steps of one call each: parts 0, 2, … are calls of 50 tokens, 1, 3, … their results of 100. */
const TOOLS = ["read", "bash", "read", "memory", "read", "bash"];

function open(tokens: number[] = TOOLS.flatMap(() => [50, 100])) {
  const { facts, transcript } = play(TOOLS.map((tool): readonly Use[] => [[tool, { command: "x" }]]));
  const clearing = new Clearing(transcript, facts.calls, tokens);
  const listParts = (cleared: Cleared) => tokens.flatMap((_, i) => (clearing.has(i, cleared) ? [i] : []));
  return { transcript, tokens, clearing, listParts };
}

/** For a request with 2,000 provider tokens, two for each of ours. */
function clearedBy(rule: ClearingRule | undefined, tokens?: number[]) {
  const { clearing, listParts } = open(tokens);
  clearing.follow(rule);
  const cleared = clearing.of(2_000, 2);
  return { parts: listParts(cleared), tokens: cleared.tokens };
}

const none = { parts: [], tokens: 0 };

describe("the results that a provider clears of a request", () => {
  test.each<[string, ClearingRule | undefined, { parts: number[]; tokens: number }]>([
    ["nothing without a rule", undefined, none],
    ["nothing below the trigger", { aboveTokens: 2_000, keep: 2 }, none],
    ["all but the newest", { aboveTokens: 1_999, keep: 2 }, { parts: [1, 3, 5, 7], tokens: 360 }],
    ["by the number of calls", { aboveCalls: 5, keep: 4 }, { parts: [1, 3], tokens: 180 }],
    ["not with fewer calls", { aboveCalls: 6, keep: 4 }, none],
    [
      "not of tools that are spared",
      { aboveTokens: 0, keep: 2, spared: ["memory", "bash"] },
      { parts: [1, 5], tokens: 180 },
    ],
    ["not where it is too little", { aboveTokens: 0, keep: 4, least: 361 }, none],
    ["where it is just enough", { aboveTokens: 0, keep: 4, least: 360 }, { parts: [1, 3], tokens: 180 }],
    ["inputs as well", { aboveTokens: 0, keep: 4, inputs: true }, { parts: [0, 1, 2, 3], tokens: 260 }],
    [
      "inputs of some tools",
      { aboveTokens: 0, keep: 4, inputs: ["bash"] },
      { parts: [1, 2, 3], tokens: 220 },
    ],
    ["nothing where all are kept", { aboveTokens: 0, keep: 9 }, none],
  ])("%s", (_, rule, expected) => {
    expect(clearedBy(rule)).toEqual(expected);
  });

  test("dropped results can't be cleared, and a short result stays", () => {
    const tokens = [50, 100, 0, 0, 50, 8, 50, 100, 50, 100, 50, 100];
    expect(clearedBy({ aboveTokens: 0, keep: 3 }, tokens)).toEqual({ parts: [1], tokens: 90 });
  });
});

describe("from request to request", () => {
  const all = (keep: number): ClearingRule => ({ aboveTokens: 0, keep });

  test("the remaining tokens, and the difference between two requests", () => {
    const { clearing, tokens } = open();
    clearing.follow(all(4));
    const cleared = clearing.of(1, 1);
    expect(clearing.listLeft(cleared).slice(0, 6)).toEqual([50, 10, 50, 10, 50, 100]);
    expect(clearing.sumFrom(0, cleared)).toBe(900 - cleared.tokens);
    expect(clearing.sumFrom(2, cleared)).toBe(900 - 100 - 50 - 90);
    expect(clearing.listLeft(NOTHING_CLEARED)).toBe(tokens);
    expect(clearing.firstDifference(cleared, cleared)).toBeUndefined();
    expect(clearing.firstDifference(NOTHING_CLEARED, cleared)).toBe(1);
    expect(clearing.firstDifference(cleared, NOTHING_CLEARED)).toBe(1);
    expect(clearing.firstDifference({ ...cleared, results: 1 }, cleared)).toBe(3);
  });

  test("another rule counts again, and no rule clears nothing", () => {
    const { clearing, listParts } = open();
    clearing.follow(all(4));
    const before = clearing.of(1, 1);
    clearing.follow({ ...all(3), spared: ["read"] });
    const now = clearing.of(1, 1);
    expect(listParts(now)).toEqual([3]);
    expect(now.tokens).toBe(90);
    expect(clearing.firstDifference(before, now)).toBe(3);
    clearing.follow(undefined);
    expect(clearing.of(1, 1)).toBe(NOTHING_CLEARED);
  });

  test("parts whose tokens have changed are counted again, and all of it is rolled back", () => {
    const { clearing, tokens, transcript } = open();
    clearing.follow(all(4));
    const mark = transcript.undoLog.mark();
    tokens[1] = 30;
    tokens[11] = 30;
    clearing.recount([1, 11]);
    expect(clearing.of(1, 1).tokens).toBe(90 + 20);
    clearing.follow(all(2));
    expect(clearing.of(1, 1)).toMatchObject({ results: 4 });
    tokens[1] = 100;
    transcript.rollback(mark);
    expect(clearing.of(1, 1)).toMatchObject({ tokens: 180, results: 2 });
    tokens[3] = 20;
    clearing.recount();
    expect(clearing.of(1, 1).tokens).toBe(90 + 10);
  });
});
