import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReportData } from "../../src/page/data.ts";
import { findBadLabels } from "./labels.ts";
import { makeSegments } from "./make-sessions.ts";
import { PageBench } from "./open-page.ts";

/** As `plot-figure.tsx` has it. */
const PAPER = 660;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench?.stop());

const SESSIONS: readonly (readonly [name: string, make: () => ReportData])[] = [
  ["900 requests in 60 segments", () => makeOnce(900, 60, "compactions")],
  ["900 requests in 60 conversations", () => makeOnce(900, 60, "conversations")],
  ["900 requests in 3 segments", () => makeSegments(900, 3, "compactions")],
  ["3 requests in 3 segments", () => makeSegments(3, 3, "conversations")],
  [
    "limits near each other",
    () => makeSegments(60, 8, "compactions", { window: 12_000, strategies: { compactThreshold: 0.95 } }),
  ],
  [
    "limits near the axis",
    () => makeSegments(300, 2, "compactions", { window: 4_000, strategies: { compactThreshold: 0.9 } }),
  ],
];

const VIEWS = [
  [1_024, "light", "screen"],
  [1_024, "dark", "screen"],
  [1_600, "light", "screen"],
  [390, "light", "screen"],
  [390, "dark", "screen"],
  [794, "dark", "print"],
] as const;

test.each(SESSIONS)("no label overlaps another or leaves its plot: %s", async (_, make) => {
  const { page, trouble } = await bench.open(make());
  for (const [width, colorScheme, media] of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, media });
    await expect.poll(() => isDrawn(page, media)).toBe(true);
    const view = `${width} px, ${colorScheme}, ${media}`;
    expect(await page.locator("svg.plot").count(), view).toBe(2);
    expect(await findBadLabels(page), view).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBeLessThanOrEqual(width);
  }
  expect(trouble).toEqual([]);
  await page.close();
});

/** They take a while to make. */
const made = new Map<string, ReportData>();
function makeOnce(requests: number, segments: number, kind: "compactions" | "conversations"): ReportData {
  const name = `${requests} ${segments} ${kind}`;
  const data = made.get(name) ?? makeSegments(requests, segments, kind);
  made.set(name, data);
  return data;
}

test("segments have correct labels, and are counted if there is no room for each", async () => {
  const shown = async (data: ReportData): Promise<string> => {
    const { page } = await bench.open(data);
    const text = await page.locator("svg.plot").first().textContent();
    const facts = await page.locator(".page-header").innerText();
    await page.close();
    return `${text} ${facts}`;
  };
  expect(await shown(makeOnce(900, 60, "compactions"))).toMatch(/59 compactions.*59 compactions/s);
  expect(await shown(makeOnce(900, 60, "conversations"))).toMatch(
    /59 more conversations.*60 separate conversations/s,
  );
  expect(await shown(makeSegments(90, 3, "conversations"))).toMatch(
    /conversation 2.*conversation 3.*3 separate conversations/s,
  );
});

/** Are the charts as wide as their space, or as paper? */
function isDrawn(page: Page, media: "screen" | "print"): Promise<boolean> {
  return page.evaluate<boolean>(`[...document.querySelectorAll("svg.plot")].every((plot) => {
    const width = Number(plot.getAttribute("width"));
    return width === ${media === "print" ? PAPER : "Math.floor(plot.parentElement.getBoundingClientRect().width)"};
  })`);
}
