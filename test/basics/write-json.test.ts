import fc from "fast-check";
import { expect, test } from "vitest";
import { writeJson } from "../../src/basics/write-json.ts";

/** So many lists around a value that `JSON.stringify` gives up. */
const DEPTH = 20_000;

test("what is too deep for JSON.stringify is written as it would write it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      let deep: unknown = value;
      for (let i = 0; i < DEPTH; i++) deep = [deep];
      expect(() => JSON.stringify(deep)).toThrow(RangeError);
      expect(writeJson(deep)).toBe(`${"[".repeat(DEPTH)}${JSON.stringify(value)}${"]".repeat(DEPTH)}`);
      expect(writeJson(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 50 },
  );
});
