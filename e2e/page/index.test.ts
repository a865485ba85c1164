import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { IndexData } from "../../src/page/index-data.ts";
import { makeHostileIndex, makeIndex } from "./make-index.ts";
import { HOSTILE } from "./make-sessions.ts";
import { PageBench } from "./open-page.ts";

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench?.stop());

async function visit(
  data: IndexData,
  view: Parameters<PageBench["openIndex"]>[1],
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, trouble } = await bench.openIndex(data, view);
  try {
    await work(page);
    expect(trouble).toEqual([]);
  } finally {
    await page.close();
  }
}

const rowsOf = (page: Page) => page.locator("table.sessions tbody tr");
const namesOf = (page: Page) => page.locator("tbody .col-session > :first-child").allInnerTexts();

test("hundreds of sessions: title, day, agent, model, requests, money, what was saved, links", async () => {
  const data = makeIndex(800);
  await visit(data, { width: 1_280 }, async (page) => {
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("800 sessions");
    const [best] = data.rows.toSorted((a, b) => (b.saved ?? -1) - (a.saved ?? -1));
    const first = await rowsOf(page).first().innerText();
    expect(first).toContain(best?.prompt);
    expect(first).toContain("2026");
    expect(first).toContain(`$${best?.dollars?.toFixed(2)}`);
    expect(await rowsOf(page).count()).toBe(500);
    await page.getByRole("button", { name: "Show all 800" }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(800);
    const links = page.locator("tbody a");
    expect(await links.count()).toBe(10);
    const hrefs = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('tbody a')].map((link) => link.getAttribute('href'))",
    );
    expect(hrefs.toSorted()).toEqual(data.rows.flatMap(({ page: file }) => file ?? []).toSorted());
    expect(await page.locator("main").innerText()).toContain("≈ $");
  });
});

test("it sorts by any column, both ways, with mouse and keyboard", async () => {
  const data = makeIndex(60);
  await visit(data, { width: 1_280 }, async (page) => {
    const head = page.getByRole("columnheader", { name: "requests" });
    await head.getByRole("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    const counts = async () => (await page.locator("tbody .col-requests").allInnerTexts()).map(Number);
    const expected = data.rows.map(({ requests }) => requests).toSorted((a, b) => b - a);
    expect(await counts()).toEqual(expected);
    await page.keyboard.press("Enter");
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    expect(await counts()).toEqual(expected.toReversed());
    await page.getByRole("columnheader", { name: "session" }).getByRole("button").click();
    const names = await namesOf(page);
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect(names).toHaveLength(60);
  });
});

test("it is searched", async () => {
  await visit(makeIndex(300), {}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("codex shop-2 1257");
    await expect.poll(() => page.getByRole("status").innerText()).toBe("1 of 300 sessions");
    await page.getByRole("searchbox").fill("nothing like this");
    await page.getByText("No session matches").waitFor();
  });
});

test("files without a session are listed, with the reason", async () => {
  await visit(makeIndex(3), {}, async (page) => {
    const failed = page.getByRole("region", { name: "1 file could not be read" });
    expect(await failed.innerText()).toContain("broken.jsonl.gz it is gzip, but damaged or cut off");
    await page.getByText("2 files contained no session").click();
    expect(await page.locator("details.issues").innerText()).toContain("empty.jsonl the file is empty");
  });
});

test("text of sessions and files never runs", async () => {
  await visit(makeHostileIndex(HOSTILE), {}, async (page) => {
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("script").count()).toBe(2);
    const protocols = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('tbody a')].map((link) => link.protocol)",
    );
    expect(new Set(protocols)).toEqual(new Set(["file:"]));
    expect(await page.locator("main").innerText()).toContain("<img src=x onerror=");
  });
});

test.each([
  [390, "light"],
  [390, "dark"],
  [1_024, "light"],
  [1_280, "dark"],
] as const)("at %i px, %s: nothing is wider than the window, and axe finds nothing", async (width, theme) => {
  await visit(makeIndex(40), { width, theme }, async (page) => {
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.evaluate(axe.source);
    const violations = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
      "axe.run().then(({ violations }) => violations)",
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
      [],
    );
  });
});

test("printed: all rows, light, within the paper", async () => {
  await visit(makeIndex(600), { width: 794, theme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect.poll(() => rowsOf(page).count()).toBe(600);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(794);
    expect(await page.locator("input:visible, .button:visible").count()).toBe(0);
  });
});
