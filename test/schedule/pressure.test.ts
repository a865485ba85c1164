import { expect, test } from "vitest";
import {
  brings,
  type Fruitless,
  hasGrown,
  mayLookAgain,
  measurePressure,
  type Target,
} from "../../src/schedule/pressure.ts";

const above = { threshold: 1_000, window: 10_000, limits: [10_000] };
const tight = { threshold: 9_000, window: 10_000, limits: [10_000, 400] };

/** Another cut under pressure waits for growth by a fifth of the threshold, or by 2 % of the window if the request may not fit. */
test.each<[string, Parameters<typeof hasGrown>, boolean]>([
  ["none at the threshold", [1_000, above, 0], false],
  ["above the threshold", [1_001, above, 0], true],
  ["below the threshold if the request may not fit", [500, tight, 0], true],
  ["not right after a cut that left much", [1_300, above, 1_300], false],
  ["not if it has grown by a little", [1_500, above, 1_300], false],
  ["if it has grown by a fifth of the threshold", [1_501, above, 1_300], true],
  ["not if it may not fit, but has hardly grown", [9_700, tight, 9_500], false],
  ["if it may not fit, and has grown by 2 %", [9_701, tight, 9_500], true],
  ["if it fitted after the last cut, and does not now", [9_510, { ...tight, limits: [9_505] }, 9_500], true],
  ["if it is smaller than after the cut: other text was removed", [1_200, above, 1_300], true],
])("pressure: %s", (_, given, expected) => {
  expect(hasGrown(...given)).toBe(expected);
});

test("a window without a size has no pressure", () => {
  expect(measurePressure(500, 0)).toEqual({ used: 500, window: 0, share: 0, level: "light" });
});

/** A search of a request of 20,000 tokens cut nothing: it would have left 15,000, and the window is 10,000. */
const before: Fruitless = { tries: 20, used: 20_000, turn: 40, due: 1_000, reached: 15_000 };
const target: Target = { excess: 12_000, limits: [10_000, 9_000] };

test.each<[string, Parameters<typeof mayLookAgain>, boolean]>([
  ["not at the next step", [{ used: 20_100, turn: 40, due: 1_000 }, before, target], false],
  ["while few were fruitless", [{ used: 20_100, turn: 40, due: 0 }, { ...before, tries: 7 }, target], true],
  ["not in the next turn after many", [{ used: 20_100, turn: 42, due: 0 }, before, target], false],
  ["in a later one", [{ used: 20_100, turn: 43, due: 0 }, before, target], true],
  ["not once it has grown by 12 %", [{ used: 22_400, turn: 40, due: 0 }, before, target], false],
  ["once it has grown by 13 %", [{ used: 22_600, turn: 40, due: 0 }, before, target], true],
  ["once it has shrunk by as much", [{ used: 17_400, turn: 40, due: 0 }, before, target], true],
  ["not if little is due", [{ used: 20_100, turn: 40, due: 5_900 }, before, target], false],
  ["if half of the excess is due", [{ used: 20_100, turn: 40, due: 6_000 }, before, target], true],
  [
    "if it fits without the text that is due now",
    [{ used: 10_100, turn: 40, due: 100 }, { ...before, used: 10_100, reached: 10_100 }, target],
    true,
  ],
  [
    "if newly due text may make it fit",
    [{ used: 20_100, turn: 40, due: 1_500 }, { ...before, reached: 10_500 }, target],
    true,
  ],
  [
    "not if that text was due before",
    [{ used: 20_100, turn: 40, due: 1_000 }, { ...before, reached: 10_500 }, target],
    false,
  ],
  [
    "if it passes another limit",
    [{ used: 10_001, turn: 40, due: 0 }, { ...before, used: 9_990, reached: 12_000 }, target],
    true,
  ],
])("another search after fruitless ones: %s", (_, given, expected) => {
  expect(mayLookAgain(...given)).toBe(expected);
});

test.each([
  ["less than half of it", 20_000, 14_001, false],
  ["half of what has to go", 20_000, 14_000, true],
  ["little, and the request fits", 10_010, 9_999, true],
  ["little, and the response has room", 9_100, 9_000, true],
  ["little, and it does not", 9_100, 9_001, false],
])("a cut that brings %s", (_, used, reached, expected) => {
  expect(brings(used, reached, target)).toBe(expected);
});
