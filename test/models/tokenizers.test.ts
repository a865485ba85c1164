import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadTokenizer, type Tokenizer } from "../../src/models/tokenizers.ts";

const names = ["o200k", "cl100k", "claude"] as const;
const tokenizers = new Map<string, Tokenizer>();

beforeAll(async () => {
  for (const name of names) tokenizers.set(name, await loadTokenizer(name));
});

function tokenizer(name: string): Tokenizer {
  const loaded = tokenizers.get(name);
  if (loaded === undefined) throw new Error(name);
  return loaded;
}

test("loads a vocabulary once", async () => {
  expect(await loadTokenizer("claude")).toBe(tokenizer("claude"));
});

test.each<[name: string, text: string, tokens: number]>([
  ["o200k", "", 0],
  ["o200k", "hello world", 2],
  ["o200k", "tiktoken is great!", 6],
  ["cl100k", "hello world", 2],
  ["cl100k", "tiktoken is great!", 6],
  ["claude", "hello world", 2],
])("%s counts %j", (name, text, tokens) => {
  expect(tokenizer(name).count(text)).toBe(tokens);
});

describe.each(names)("%s", (name) => {
  test("counts special tokens as text", () => {
    const { count } = tokenizer(name);
    for (const text of ["<|endoftext|>", "<|endofprompt|>", "<EOT>", "<META_START>", "a<|fim_prefix|>b"])
      expect(count(text)).toBeGreaterThan(1);
  });

  test("accepts any string", () => {
    const { count } = tokenizer(name);
    for (const text of ["\ud83d", "\ude00\ud83d", "constructor", "__proto__", "toString valueOf", "\0"])
      expect(count(text)).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
        const text = String.fromCharCode(...codes);
        const tokens = count(text);
        expect(Number.isSafeInteger(tokens)).toBe(true);
        expect(tokens === 0).toBe(text === "");
      }),
    );
  });

  test("counts a long text as the sum of its parts", () => {
    const { count } = tokenizer(name);
    const paragraph = "The cache is warm, so nothing is cut; 42 results wait. ";
    expect(count(paragraph.repeat(10_000))).toBe(
      10_000 * (count(`x${paragraph}x`) - count("x") - count("x")) + 1,
    );
  });

  test.each([
    ["letters", "a"],
    ["blanks", " "],
    ["signs", "="],
    ["emoji", "🚀"],
    ["han", "漢字"],
    ["base64", "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4"],
  ])("takes linear time for %s without an end", (_, unit) => {
    const { count } = tokenizer(name);
    const small = measure(count, unit.repeat(10_000 / unit.length));
    const large = measure(count, unit.repeat(200_000 / unit.length));
    expect(large.tokens / small.tokens).toBeCloseTo(20, 0);
    // 20 when linear, 400 when quadratic
    expect(large.time / small.time).toBeLessThan(100);
  });
});

function measure(count: (text: string) => number, text: string): { tokens: number; time: number } {
  const start = process.cpuUsage();
  const tokens = count(text);
  return { tokens, time: Math.max(process.cpuUsage(start).user, 10_000) };
}
