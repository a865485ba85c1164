import { expect, test } from "vitest";
import { calibrate, predict, UNCALIBRATED } from "../../src/schedule/calibration.ts";

type Reading = readonly [counted: number, estimated: number];

/** The first request was estimated at 10,000 tokens; the provider counted 13,000: 3,000 are before the first message. */
const first: Reading = [13_000, 10_000];

test.each<[string, readonly Reading[], estimated: number, predicted: number]>([
  ["without a report: the estimate", [], 10_000, 10_000],
  ["one request shows the size of the text before the first message", [first], 10_000, 13_000],
  ["and growth counts as estimated", [first], 11_000, 14_000],
  ["as does shrinking", [first], 9_000, 12_000],
  ["but no prediction is below zero", [[100, 10_000]], 5_000, 0],
  ["little growth shows nothing about the tokenizer", [first, [19_999, 14_999]], 20_000, 23_000],
  ["growth of 5,000 tokens does: the provider counted 6,000", [first, [19_000, 15_000]], 20_000, 25_000],
  ["measured from the first request on", [first, [19_000, 15_000], [24_000, 20_000]], 30_000, 35_000],
  ["a later, smaller growth changes nothing", [first, [19_000, 15_000], [12_500, 9_000]], 20_000, 25_000],
  ["the ratio is never below 0.7", [first, [14_000, 15_000]], 20_000, 20_000],
  ["or more than 1.6", [first, [63_000, 15_000]], 20_000, 29_000],
  ["in whole tokens", [first, [19_000, 15_000]], 10_001, 13_001],
])("%s", (_, readings, estimated, predicted) => {
  const calibration = readings.reduce(
    (known, [counted, each]) => calibrate(known, { counted, estimated: each }),
    UNCALIBRATED,
  );
  expect(predict(calibration, estimated)).toBe(predicted);
});
