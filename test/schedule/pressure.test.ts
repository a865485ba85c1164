import { expect, test } from "vitest";
import { hasGrown, measurePressure } from "../../src/schedule/pressure.ts";

const above = { threshold: 1_000, window: 10_000, overflows: false };
const tight = { threshold: 9_000, window: 10_000, overflows: true };

/** Another cut under pressure waits for a fifth of the threshold; where the request may not fit, for 2 % of the window. */
test.each<[string, Parameters<typeof hasGrown>, boolean]>([
  ["at the threshold there is none", [1_000, above, 0], false],
  ["above it there is", [1_001, above, 0], true],
  ["below it too where the request may not fit", [500, tight, 0], true],
  ["right after a cut that left much", [1_300, above, 1_300], false],
  ["grown by a little", [1_500, above, 1_300], false],
  ["grown by a fifth of the threshold", [1_501, above, 1_300], true],
  ["where it may not fit, grown by next to nothing", [9_700, tight, 9_500], false],
  ["where it may not fit, grown by 2 %", [9_701, tight, 9_500], true],
  ["smaller than after the cut: something else has gone", [1_200, above, 1_300], true],
])("pressure: %s", (_, given, expected) => {
  expect(hasGrown(...given)).toBe(expected);
});

test("nobody knows how full a window without a size is", () => {
  expect(measurePressure(500, 0)).toEqual({ used: 500, window: 0, share: 0, level: "light" });
});
