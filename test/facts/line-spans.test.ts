import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSpans } from "../../src/facts/line-spans.ts";
import { CappedLines, capLine, splitLines } from "../../src/strategies/summaries/lines.ts";

const texts = fc.string({ unit: fc.constantFrom("a", "b ", "\n", "\r", "\r\n", "é"), maxLength: 30 });

test("spans are the lines that a text splits into", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const spans = new LineSpans(text);
      const lines = Array.from({ length: spans.length }, (_, i) => text.slice(spans.from(i), spans.to(i)));
      expect(lines).toEqual(splitLines(text));
      expect(spans.longest).toBe(Math.max(...lines.map(({ length }) => length)));
    }),
    { numRuns: 1_000 },
  );
});

test("capped lines are the same, capped", () => {
  const text = `short\n${"x".repeat(500)}\r\n${"y".repeat(440)}\n${"z".repeat(441)}\n`;
  const capped = new CappedLines(text);
  expect(capped.list()).toEqual(splitLines(text).map((line) => capLine(line)));
  expect([0, 1, 2, 3].map((line) => capped.isCapped(line))).toEqual([false, true, false, true]);
});
