import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { addDays, daysIn, isIn, monthOf, readDay, weekOf } from "../../src/analysis/calendar.ts";

const at = (text: string): number => Date.parse(text);

describe("daysIn", () => {
  it.each([
    ["UTC", "2026-11-17T23:59:59.999Z", "2026-11-17"],
    ["Europe/Berlin", "2026-11-17T22:59:59Z", "2026-11-17"],
    ["Europe/Berlin", "2026-11-17T23:00:00Z", "2026-11-18"],
    ["America/Los_Angeles", "2026-03-08T09:59:00Z", "2026-03-08"],
    ["America/Los_Angeles", "2026-03-09T06:59:59Z", "2026-03-08"],
    ["America/Los_Angeles", "2026-03-09T07:00:00Z", "2026-03-09"],
    ["Asia/Kathmandu", "2026-01-01T18:14:59Z", "2026-01-01"],
    ["Asia/Kathmandu", "2026-01-01T18:15:00Z", "2026-01-02"],
  ])("in %s %s is of %s", (zone, time, day) => {
    expect(daysIn(zone)(at(time))).toBe(day);
  });
  it("has no day for a time beyond all calendars", () => {
    expect([Number.NaN, 1e20, Number.POSITIVE_INFINITY].map(daysIn("UTC"))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  test("days never go back as time advances", () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(time, time, fc.constantFrom("UTC", "Europe/Berlin", "Pacific/Chatham"), (a, b, zone) => {
        const dayOf = daysIn(zone);
        expect((dayOf(Math.min(a, b)) ?? "") <= (dayOf(Math.max(a, b)) ?? "")).toBe(true);
      }),
    );
  });
});

describe("readDay", () => {
  it.each([
    ["2026-11-01", "2026-11-01"],
    ["2026-02-29", undefined],
    ["2026-13-01", undefined],
    ["1d", "2026-11-17"],
    ["7d", "2026-11-11"],
    ["0d", "2026-11-17"],
    ["yesterday", undefined],
    ["", undefined],
  ])("%j is %s", (text, day) => {
    expect(readDay(text, "2026-11-17")).toBe(day);
  });
});

it("weeks begin on Monday, also across the end of a year", () => {
  expect(["2026-11-16", "2026-11-17", "2026-11-22", "2027-01-03"].map(weekOf)).toEqual([
    "2026-11-16",
    "2026-11-16",
    "2026-11-16",
    "2026-12-28",
  ]);
  expect(monthOf("2026-11-17")).toBe("2026-11");
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
});

it("a range includes both ends, but nothing without a day", () => {
  const range = { since: "2026-11-02", until: "2026-11-03" };
  const days = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04", undefined];
  expect(days.map((day) => isIn(day, range))).toEqual([false, true, true, false, false]);
  expect(days.map((day) => isIn(day, {}))).toEqual([true, true, true, true, true]);
});
