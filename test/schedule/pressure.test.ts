import { expect, test } from "vitest";
import { hasGrown, measurePressure } from "../../src/schedule/pressure.ts";

/** Another cut under pressure waits for a fifth of the threshold. */
test.each<[string, Parameters<typeof hasGrown>, boolean]>([
  ["at the threshold there is none", [1_000, 1_000, 0], false],
  ["above it there is", [1_001, 1_000, 0], true],
  ["right after a cut that left much", [1_300, 1_000, 1_300], false],
  ["grown by a little", [1_500, 1_000, 1_300], false],
  ["grown by a fifth of the threshold", [1_501, 1_000, 1_300], true],
  ["smaller than after the cut: something else has gone", [1_200, 1_000, 1_300], true],
])("pressure: %s", (_, given, expected) => {
  expect(hasGrown(...given)).toBe(expected);
});

test("nobody knows how full a window without a size is", () => {
  expect(measurePressure(500, 0)).toEqual({ used: 500, window: 0, share: 0, level: "light" });
});
