import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays } from "../../src/analysis/calendar.ts";
import { groupAnalyses } from "../../src/analysis/group-analyses.ts";
import type { SessionAnalysis } from "../../src/analysis/session-analysis.ts";
import { sumAnalyses } from "../../src/analysis/sum-analyses.ts";
import { type AnalysisData, buildAnalysisData } from "../../src/page/analysis-data.ts";
import { findBadLabels } from "./labels.ts";
import { PageBench } from "./open-page.ts";

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench?.stop());

const HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script> 修复登录 👩‍👩‍👧‍👦";

/** One session per day, each more expensive than the one before. */
function makeAnalysis(days: number, dollars = 1): AnalysisData {
  const sessions = Array.from({ length: days }, (_, i): SessionAnalysis => {
    const day = addDays("2026-08-20", i);
    const money = {
      requests: 10 + i,
      sent: 1_000_000 * (i + 1),
      written: 5_000,
      dollars: dollars * (i + 1),
      estimated: i === 1 ? dollars : 0,
      avoidable: dollars * (i + 1) * 0.25,
      saved: { compact: dollars * (i + 1) * 0.3, balanced: dollars * (i + 1) * 0.25, verbose: 0 },
      misses: 0,
      missed: 0,
      unpriced: 0,
    };
    const spending = { name: HOSTILE, size: 10, tokens: 1_000_000 * (i + 1), dollars: money.dollars };
    return {
      path: `/home/ada/.claude/projects/p/${i}.jsonl`,
      source: "claude-code",
      project: i % 2 ? "/home/ada/shop" : "/home/ada/bank",
      prompt: i === 0 ? HOSTILE : `Fix number ${i}`,
      start: Date.parse(`${day}T12:00:00Z`),
      end: Date.parse(`${day}T13:00:00Z`),
      models: ["claude-sonnet-4-5"],
      hours: [],
      peak: 100_000,
      called: [],
      assumedCaches: [],
      skipped: 0,
      days: [
        {
          day,
          models: [{ model: "claude-sonnet-4-5", ...money }],
          tools: [{ ...spending, name: "bash" }],
          kinds: [spending],
          stale: { tokens: 1_000, dollars: 0.1 },
          coldStarts: { count: 1, tokens: 1_000, dollars: 0.1 },
          rereads: [{ file: "src/a.ts", times: 2, tokens: 500 }],
          work: {
            ...{ requests: 12, prompts: 2, edits: 50, missedEdits: 1, reads: 20 },
            ...{ rereads: 3, commands: 10, reruns: 0, recalls: 0 },
          },
          prefix: { tokens: 1_000, dollars: 0.1, bill: 1 },
          caches: {
            losses: [{ cause: "within the cache's life", count: 1, tokens: 900, dollars: 0.05 }],
            lives: { requests: 4, wantLong: 0, short: 1.2, long: 1.1 },
            keyed: 1,
          },
        },
      ],
    };
  });
  const last = sessions.at(-1);
  return buildAnalysisData(sumAnalyses(sessions), {
    zone: "Europe/Berlin",
    today: "2026-09-01",
    groupBy: (by) => groupAnalyses(sessions, by),
    pages: new Map(last ? [[last.path, "all-sessions/1 #1.jsonl.html"]] : []),
    redacted: false,
  });
}

const VIEWS = [
  [1_024, "light", "screen"],
  [1_600, "dark", "screen"],
  [390, "light", "screen"],
  [390, "dark", "screen"],
  [794, "dark", "print"],
] as const;

test.each([
  ["one day", 1, 1],
  ["three days", 3, 1_234.5],
  ["a hundred days", 100, 0.001],
  ["four hundred days, as weeks", 400, 1],
  ["three years, as months", 1_095, 1],
])("no label overlaps another or leaves its plot: %s", async (_, days, dollars) => {
  const { page, trouble } = await bench.openAnalysis(makeAnalysis(days, dollars));
  for (const [width, colorScheme, media] of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, media });
    const view = `${width} px, ${colorScheme}, ${media}`;
    await expect.poll(() => isDrawn(page, media), { message: view }).toBe(true);
    expect(
      (await findBadLabels(page)).filter((problem) => !problem.startsWith("a chart with only")),
      view,
    ).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBeLessThanOrEqual(width);
  }
  expect(trouble).toEqual([]);
  await page.close();
});

test("shows its figures: in tiles, as bars to scale, and in a table; estimates are marked", async () => {
  const data = makeAnalysis(4, 10);
  const { page, trouble } = await bench.openAnalysis(data);
  const tiles = await page.getByRole("region", { name: "Summary" }).innerText();
  for (const words of ["≈ $100.00", "$25.00", "−25.0%", "$10.00 of it is estimated", "This month"].slice(
    0,
    4,
  ))
    expect(tiles).toContain(words);
  expect(tiles).not.toContain("This month");
  const heights = await page.evaluate<readonly number[]>(
    `[...document.querySelectorAll(".bars-needed rect")].map((bar) => bar.getBoundingClientRect().height)`,
  );
  expect(heights).toHaveLength(4);
  expect((heights[3] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(4, 1);
  await page.getByText("Figures", { exact: true }).click();
  const rows = await page.getByRole("region", { name: "Figures by day" }).locator("tbody tr").allInnerTexts();
  expect(rows[1]?.split(/\s*\t\s*/)).toEqual(["2026-08-21", "1", "11", "≈ $20.00", "$5.00", "$0.0000"]);
  expect(trouble).toEqual([]);
  await page.close();
});

test("says why the cache was lost, and which settings keep it", async () => {
  const { page, trouble } = await bench.openAnalysis(makeAnalysis(2));
  const panel = page.getByRole("region", { name: "Why the cache was lost" });
  expect(await panel.locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/^within the cache's life 2 times, 1\.8K tokens\s+\$0\.10\s+3\.3%$/),
  ]);
  const words = await panel.innerText();
  expect(words).toContain(
    'An hour would cost 8.3% less for these pauses. In Claude Code, "promptCacheTtl": "1h"',
  );
  expect(words).toContain('"prompt_cache_key" and "prompt_cache_retention": "24h" keep a prefix.');
  expect(trouble).toEqual([]);
  await page.close();
});

test("shows how the agent's work went", async () => {
  const { page, trouble } = await bench.openAnalysis(makeAnalysis(2));
  const panel = page.getByRole("region", { name: "How the agent's work went" });
  expect(await panel.locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/^edits that failed: text not found\s+2\.0 of 100$/),
    expect.stringMatching(/^reads of text already read\s+15\.0 of 100$/),
    expect.stringMatching(/^commands run again\s+0\.0 of 100$/),
    expect.stringMatching(/^recalls of cut text\s+0\.0 of 100$/),
    expect.stringMatching(/^requests per prompt\s+6\.0$/),
  ]);
  expect(await panel.locator("tbody td").first().getAttribute("title")).toBe("2 of 100 edits");
  expect(await panel.innerText()).toContain("0 sessions with cuts, 2 without.");
  expect(trouble).toEqual([]);
  await page.close();
});

test("money by kind, tool, model and project; the worst session leads to its report", async () => {
  const { page, trouble } = await bench.openAnalysis(makeAnalysis(3));
  const panel = page.getByRole("region", { name: "Where the money went" });
  expect(await panel.innerText()).toContain(HOSTILE);
  await panel.getByRole("button", { name: "by project" }).click();
  expect(await panel.locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/^bank/),
    expect.stringMatching(/^shop/),
  ]);
  const link = page.getByRole("link");
  expect(await link.count()).toBe(1);
  expect(await link.getAttribute("href")).toBe("all-sessions/1%20%231.jsonl.html");
  expect(await link.innerText()).toContain("Fix number 2");
  const files = await page.getByRole("region", { name: "Files that were read again" }).innerText();
  expect(files).toMatch(/src\/a\.ts bank, 2 sessions\s+4\s+1\.0K/);
  expect(trouble).toEqual([]);
  await page.close();
});

test.each(["light", "dark"] as const)("axe finds nothing in the %s theme", async (theme) => {
  for (const width of [1_024, 390]) {
    const { page } = await bench.openAnalysis(makeAnalysis(30), { theme, width });
    await page.getByText("Figures", { exact: true }).click();
    await page.evaluate(axe.source);
    const violations = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
      "axe.run().then(({ violations }) => violations)",
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
      [],
    );
    await page.close();
  }
});

/** Is the chart as wide as its space, or as paper? */
function isDrawn(page: Page, media: "screen" | "print"): Promise<boolean> {
  return page.evaluate<boolean>(`[...document.querySelectorAll("svg.plot")].every((plot) =>
    Number(plot.getAttribute("width")) === ${media === "print" ? 660 : "Math.floor(plot.parentElement.getBoundingClientRect().width)"})`);
}
