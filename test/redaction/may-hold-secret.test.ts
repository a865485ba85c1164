import fc from "fast-check";
import { expect, test } from "vitest";
import { mayHoldToken } from "../../src/redaction/may-hold-secret.ts";

const texts = fc.string({
  unit: fc.constantFrom(..."aZ09__--", " ", "é", "/"),
  minLength: 10,
  maxLength: 60,
});

test("a token is at least fifteen letters, digits, _ or - in a row", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(mayHoldToken(text)).toBe(/[\w-]{15}/.test(text));
    }),
    { numRuns: 2_000 },
  );
  expect([mayHoldToken("x".repeat(15)), mayHoldToken("x".repeat(14)), mayHoldToken("")]).toEqual([
    true,
    false,
    false,
  ]);
});
