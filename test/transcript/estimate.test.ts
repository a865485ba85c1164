import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ESTIMATOR_VERSION,
  estimateMedia,
  estimateTokens,
  MEDIA_TOKENS,
} from "../../src/transcript/estimate.ts";

const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4".repeat(20);
const code = "export function add(a: number, b: number): number {\n  return a + b;\n}\n".repeat(50);

// Decisions are a fold over recorded transcripts: different numbers here need another ESTIMATOR_VERSION.
test.each<[name: string, text: string, tokens: number]>([
  ["nothing", "", 0],
  ["one space", " ", 1],
  ["one word", "hello", 1],
  ["a sentence", "The quick brown fox jumps over the lazy dog.", 11],
  ["a statement", "const total = a + b;\n", 7],
  ["an identifier", "getUserNameById", 5],
  ["a path", "/usr/local/lib/node_modules/typescript/package.json", 12],
  ["digits", "1234567890", 4],
  ["numbers after spaces", "1 22 333 4444", 8],
  ["an indentation", "\n                return", 2],
  ["a rule", "-".repeat(80), 2],
  ["JSON", '{"id": 17, "name": "Ada", "tags": ["a", "b"]}', 22],
  ["a hash", "3b18e512dba79e4c8300dd08aeb37f8e728b8dad", 25],
  ["Chinese", "这个函数返回两个数的和。", 9],
  ["Russian", "Эта функция возвращает сумму.", 8],
  ["German", "Die Prüfung schließt später.", 7],
  ["an emoji", "🚀", 2],
  ["a lone surrogate", "\ud83d", 1],
  ["base64", base64, 498],
  ["code", code, 1059],
])("version 1 says of %s", (_, text, tokens) => {
  expect(ESTIMATOR_VERSION).toBe(1);
  expect(estimateTokens(text)).toBe(tokens);
});

/** Texts that move the estimator between its states, and random ones. */
const pieces = fc.constantFrom(
  ..."aZ19 \n\r\t._-=/('\\+<,):\"{}[]#*&é漢한ж→─\ud83d\ude00\u0000",
  ..."ab|abc|abcd|AB|ABC|ABCD|12|123|1234|aB3|  |\n\n|==|the |Word".split("|"),
);
const text = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes)),
);

describe("for all texts", () => {
  test("it is a whole number, and zero only for the empty text", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const tokens = estimateTokens(whole);
        expect(Number.isSafeInteger(tokens)).toBe(true);
        expect(tokens === 0).toBe(whole === "");
      }),
      { numRuns: 2_000 },
    );
  });

  test("a prefix never estimates higher than the whole", () => {
    fc.assert(
      fc.property(text, text, (prefix, rest) => {
        expect(estimateTokens(prefix)).toBeLessThanOrEqual(estimateTokens(prefix + rest));
      }),
      { numRuns: 5_000 },
    );
  });

  test("it adds up within two tokens per join", () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const apart = estimateTokens(left) + estimateTokens(right);
        expect(Math.abs(apart - estimateTokens(left + right))).toBeLessThanOrEqual(2);
      }),
      { numRuns: 20_000 },
    );
  });
});

test.each<[name: string, unit: string]>([
  ["blanks", " "],
  ["code", code],
  ["lone surrogates", "\ud83d"],
])("20 MB of %s take linear time", (_, unit) => {
  const small = measure(unit, 2_000_000);
  const large = measure(unit, 20_000_000);
  expect(large.tokens / small.tokens).toBeCloseTo(10, 1);
  // 10 when linear, 100 when quadratic
  expect(large.time / small.time).toBeLessThan(40);
});

function measure(unit: string, length: number): { tokens: number; time: number } {
  const whole = unit.repeat(length / unit.length);
  const start = process.cpuUsage();
  const tokens = estimateTokens(whole);
  const { user } = process.cpuUsage(start);
  return { tokens, time: Math.max(user, 5_000) };
}

test.each([
  [{ mime: "image/png" }, MEDIA_TOKENS],
  [{ mime: "image/png", bytes: 4_000_000 }, MEDIA_TOKENS],
  [{ mime: "application/pdf" }, MEDIA_TOKENS],
  [{ mime: "application/pdf", bytes: 600_000 }, 20_000],
  [{ mime: "text/csv", bytes: 4_000 }, 1_000],
  [{ mime: "audio/mpeg", bytes: 160_000 }, 320],
  [{ mime: "application/x-unknown", bytes: 9_000_000 }, MEDIA_TOKENS],
])("estimates %j", (media, tokens) => {
  expect(estimateMedia(media)).toBe(tokens);
});
