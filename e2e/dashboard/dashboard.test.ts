import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import { HOSTILE } from "../page/make-sessions.ts";
import type { View } from "../page/open-page.ts";
import { DashboardBench } from "./dashboard-bench.ts";
import { fillHoldout } from "./fill-holdout.ts";
import { PlayedSession } from "./play-session.ts";

const EAGER = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 500, pruneMinimum: 500 },
} as const;

let bench: DashboardBench;
beforeAll(async () => {
  bench = await DashboardBench.start();
});
afterAll(() => bench?.stop());

/** Closes the page after the work, and checks that there were no problems. */
async function visit(url: string, view: View, work: (page: Page) => Promise<void>): Promise<void> {
  const { page, trouble } = await bench.open(`${url}/`, view);
  try {
    await work(page);
    expect(trouble).toEqual([]);
  } finally {
    await page.close();
  }
}

const rowOf = (page: Page, id: string) => page.locator(`[data-session="${id}"]`);
const chosen = (page: Page) => page.locator("[aria-current=true]").getAttribute("data-session");
const linkState = (page: Page) => page.locator(".link-state").innerText();

async function play(proxy: RunningProxy, requests: number, session = "s1"): Promise<PlayedSession> {
  const played = new PlayedSession({ url: proxy.url, session });
  for (let i = 0; i < requests; i++) expect(await played.ask()).toBe(200);
  return played;
}

describe("live", () => {
  test("a session appears, grows, is cut, and shows why, while the page is open", async () => {
    const proxy = await bench.startProxy({ settings: EAGER });
    await visit(proxy.url, {}, async (page) => {
      await page.getByText("No sessions yet").waitFor();
      const played = new PlayedSession({ url: proxy.url, session: "s1", folder: "shop" });
      await played.ask();
      await rowOf(page, "s1").waitFor();
      expect(await rowOf(page, "s1").innerText()).toMatch(/Claude Code in shop[\s\S]*claude-sonnet-4-5/);
      await played.askForTitle();
      for (let i = 0; i < 8; i++) await played.ask();
      await expect.poll(() => rowOf(page, "s1").innerText()).toContain("10 requests");
      const detail = page.locator(".detail");
      await expect.poll(() => detail.innerText()).toContain("1 question of the client's own");
      const points = async () =>
        ((await page.locator(".line-pruned path").getAttribute("d")) ?? "").split(/[ML]/).length - 1;
      await expect.poll(points).toBe(9);
      const cuts = page.getByRole("region", { name: "Cuts" });
      await expect
        .poll(() => cuts.innerText())
        .toMatch(/tokens at request 9[\s\S]*eager mode[\s\S]*read_file src\/module-3\.ts/);
      await expect.poll(() => page.locator(".cells svg").count()).toBe(9);
      expect(await page.locator(".cell-hit").count()).toBeGreaterThan(0);
      await played.ask();
      await expect.poll(points).toBe(10);
      await expect.poll(() => page.locator(".line-cuts circle").count()).toBe(5);
      const spark = (await page.locator(".spark-pruned").getAttribute("points")) ?? "";
      expect(spark.split(" ")).toHaveLength(10);
      await expect
        .poll(() => page.getByRole("region", { name: "Summary" }).innerText())
        .toMatch(/11\s+requests/);
    });
  });

  test("the text before the first message is shown, with the called tools, live and in the report", async () => {
    const proxy = await bench.startProxy();
    await visit(proxy.url, {}, async (page) => {
      const played = new PlayedSession({ url: proxy.url, session: "s1" });
      await played.ask();
      const panel = page.getByRole("region", { name: "Before the first message" });
      await expect.poll(() => panel.innerText()).toMatch(/read_file\s+\d+\s+not yet/);
      await played.ask();
      await expect.poll(() => panel.innerText()).toMatch(/read_file\s+\d+\s+yes/);
      await page.getByRole("link", { name: "Open the report" }).click();
      await expect.poll(() => panel.innerText()).toMatch(/built-in tools[\s\S]*read_file\s+\d+\s+yes/);
    });
  });

  test("a compaction of the client is marked, subagents are listed under their session", async () => {
    const proxy = await bench.startProxy();
    await visit(proxy.url, {}, async (page) => {
      const main = await play(proxy, 3, "main");
      const agent = new PlayedSession({ url: proxy.url, session: "main", agent: "a7" });
      await agent.ask();
      main.compact();
      await main.ask();
      await main.ask();
      await rowOf(page, "main").click();
      await expect.poll(() => page.locator(".detail").innerText()).toContain("1 compaction");
      await expect.poll(() => page.locator(".plot").textContent()).toContain("compaction");
      await expect
        .poll(() =>
          page.evaluate(
            `[...document.querySelectorAll(".session")].map((row) => [row.dataset.session, row.classList.contains("is-under")])`,
          ),
        )
        .toEqual([
          ["main", false],
          ["main/a7", true],
        ]);
      await rowOf(page, "main/a7").click();
      await expect.poll(() => page.locator(".detail").innerText()).toContain("started by main");
    });
  });

  test("the proxy goes and comes back: the page shows it, and reconnects by itself", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-dashboard-store-"));
    const path = join(folder, "journal.db");
    const first = await bench.startProxy({ store: await sqliteStore({ path }) });
    const { page } = await bench.open(`${first.url}/`);
    await play(first, 2, "early");
    await rowOf(page, "early").waitFor();
    await first.close();
    await expect.poll(() => linkState(page)).toContain("not connected");
    const second = await bench.startProxy({ port: first.port, store: await sqliteStore({ path }) });
    await expect.poll(() => linkState(page)).toBe("live");
    await expect.poll(() => page.locator(".detail").innerText()).toContain("Sums only");
    expect(await page.getByRole("link", { name: "Open the report" }).count()).toBe(0);
    await play(second, 2, "late");
    await rowOf(page, "late").click();
    await expect.poll(() => page.locator(".line-pruned").count()).toBe(1);
    await page.reload();
    await rowOf(page, "late").waitFor();
    await page.goto(`${second.url}/coppice/sessions/early`);
    expect(await page.locator("main").innerText()).toContain("no longer in memory");
    await page.getByRole("link", { name: "All sessions" }).click();
    await rowOf(page, "late").waitFor();
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a hidden page does not listen, and is current when it is shown again", async () => {
    const proxy = await bench.startProxy();
    const listeners = async () =>
      /^coppice_dashboard_listeners (\d+)$/m.exec(await (await fetch(`${proxy.url}/metrics`)).text())?.[1];
    const become = (state: string) => `(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" });
      document.dispatchEvent(new Event("visibilitychange"));
    })()`;
    await visit(proxy.url, {}, async (page) => {
      await expect.poll(listeners).toBe("1");
      await page.evaluate(become("hidden"));
      await expect.poll(listeners).toBe("0");
      await play(proxy, 2);
      await page.evaluate(become("visible"));
      await rowOf(page, "s1").waitFor();
    });
  });

  test("with a token in the path, everything is requested there", async () => {
    const proxy = await bench.startProxy({ token: "t0ken" });
    await visit(`${proxy.url}/~t0ken`, {}, async (page) => {
      const played = new PlayedSession({ url: `${proxy.url}/~t0ken`, session: "s1" });
      for (let i = 0; i < 3; i++) expect(await played.ask()).toBe(200);
      await rowOf(page, "s1").waitFor();
      await expect.poll(() => page.locator(".line-pruned").count()).toBe(1);
      await page.getByRole("link", { name: "Open the report" }).click();
      await page.getByRole("region", { name: "Context size" }).waitFor();
      expect(page.url()).toBe(`${proxy.url}/~t0ken/coppice/sessions/s1`);
    });
  });
});

test("500 sessions: few rows at a time, all of them can be found, and the page keeps up", async () => {
  const store = memoryStore();
  for (let i = 0; i < 250; i++)
    await store.addRequest({
      session: `stored-${i}`,
      time: Date.now() - 86_400_000 - i * 1_000,
      client: "pi",
      tokensWith: 1,
      tokensWithout: 2,
      cuts: 0,
    });
  const proxy = await bench.startProxy({ store });
  for (let i = 0; i < 250; i++)
    await new PlayedSession({ url: proxy.url, session: `live-${i}`, folder: `project-${i}` }).ask();
  await visit(proxy.url, {}, async (page) => {
    await expect.poll(() => page.locator(".found").innerText()).toBe("500 sessions");
    const rows = page.locator(".session");
    expect(await rows.count()).toBeLessThan(60);
    for (let i = 0; i < 8; i++) {
      await page.mouse.move(1_100, 700);
      await page.mouse.wheel(0, 6_000);
      await expect
        .poll(() =>
          page.evaluate<number>(`[...document.querySelectorAll(".session")].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return bottom > 0 && top < innerHeight;
          }).length`),
        )
        .toBeGreaterThan(3);
      expect(await rows.count()).toBeLessThan(60);
    }
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await rowOf(page, "stored-249").waitFor();
    await page.getByRole("searchbox").fill("project-77");
    await expect.poll(() => page.locator(".found").innerText()).toBe("1 of 500 sessions");
    await rowOf(page, "live-77").click();
    await expect.poll(() => page.locator("#detail-title").innerText()).toBe("Claude Code in project-77");
    await play(proxy, 2, "live-77");
    await expect.poll(() => rowOf(page, "live-77").innerText()).toContain("3 requests");
    await page.getByRole("button", { name: "Before" }).click();
    await page.getByText("No session matches").waitFor();
  });
});

test("the keyboard alone: choose, search, open the report, come back", async () => {
  const proxy = await bench.startProxy();
  for (const id of ["one", "two", "three"]) await play(proxy, 2, id);
  await visit(proxy.url, {}, async (page) => {
    await rowOf(page, "one").waitFor();
    await expect.poll(() => chosen(page)).toBe("three");
    for (const [key, id] of [
      ["j", "two"],
      ["j", "one"],
      ["k", "two"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => chosen(page)).toBe(id);
      await expect.poll(() => page.evaluate("document.activeElement.dataset.session")).toBe(id);
    }
    await page.keyboard.press("/");
    await page.keyboard.type("thr");
    await expect.poll(() => page.locator(".found").innerText()).toBe("1 of 3 sessions");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".found").innerText()).toBe("3 sessions");
    await page.keyboard.press("t");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    for (let i = 0; i < 10 && (await focused()) !== "Open the report"; i++)
      await page.keyboard.press("Shift+Tab");
    expect(await focused()).toBe("Open the report");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /Please look at the files\./ }).waitFor();
    expect(await page.locator(".page-header code").innerText()).toBe("two");
    await page.goBack();
    await rowOf(page, "two").waitFor();
  });
});

test("at 390 px nothing is wider than the window, and the chosen session scrolls into view", async () => {
  const proxy = await bench.startProxy({ settings: EAGER });
  for (const id of ["one", "two", "three", "four", "five", "six"]) await play(proxy, 6, id);
  await visit(proxy.url, { width: 390, height: 800 }, async (page) => {
    await rowOf(page, "one").scrollIntoViewIfNeeded();
    await rowOf(page, "one").click();
    await expect.poll(async () => (await page.locator("#detail-title").boundingBox())?.y).toBeLessThan(200);
    await page.locator(".line-pruned").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });
});

test("the measured savings are shown, with their uncertainty; before that, that it is too early", async () => {
  const store = memoryStore();
  await fillHoldout(store, 20, Date.now() - 1_000_000);
  const proxy = await bench.startProxy({ store, holdout: 50 });
  const panel = (page: Page) => page.getByRole("region", { name: "Measured: pruned and held out" });
  await visit(proxy.url, {}, async (page) => {
    await expect.poll(() => panel(page).innerText()).toContain("30 more conversations needed");
  });
  await fillHoldout(store, 60, Date.now() - 500_000);
  const later = await bench.startProxy({ store, holdout: 50 });
  await visit(later.url, {}, async (page) => {
    await expect.poll(() => panel(page).innerText()).toMatch(/2\d% less \(\d+% to \d+%\)/);
    expect(await panel(page).innerText()).toMatch(/held out 60 conversations/);
  });
});

test("how the agents' work went is shown, with the comparison of a holdout", async () => {
  const store = memoryStore();
  await fillHoldout(store, 60, Date.now() - 1_000_000);
  const proxy = await bench.startProxy({ store, holdout: 50 });
  await visit(proxy.url, {}, async (page) => {
    const panel = page.getByRole("region", { name: "How the agent's work went", exact: true });
    await expect.poll(() => panel.innerText()).toContain("60 sessions with cuts, 60 without.");
    expect((await panel.locator("tbody tr").allInnerTexts())[1]).toMatch(
      /^reads of text already read\s+33\.3 of 100\s+0\.0 of 100$/,
    );
    expect(await panel.locator("li").allInnerTexts()).toEqual([
      expect.stringMatching(
        /^failed edits: (2\.\d) of 100 with, \1 without \(60 and 60 sessions\): no difference/,
      ),
      expect.stringMatching(
        /^repeated reads: 33\.3 of 100 with, 0\.0 without .*: more with pruning, between/,
      ),
      expect.stringMatching(/^commands run again: 0\.0 of 100 with, 0\.0 without .*: no difference seen/),
      expect.stringMatching(/^requests per prompt: 5\.0 with, 5\.0 without .*: no difference seen/),
    ]);
  });
});

describe("for everyone", () => {
  test.each([
    ["light", 1_280],
    ["dark", 1_280],
    ["light", 390],
    ["dark", 390],
  ] as const)("axe finds nothing in the %s theme at %i px", async (theme, width) => {
    const store = memoryStore();
    const proxy = await bench.startProxy({ store, settings: EAGER });
    const check = async (page: Page): Promise<void> => {
      await page.evaluate(axe.source);
      const violations = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
        "axe.run().then(({ violations }) => violations)",
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
        [],
      );
    };
    await visit(proxy.url, { theme, width }, async (page) => {
      await page.getByText("No sessions yet").waitFor();
      await check(page);
      await play(proxy, 8, "s1");
      await store.addRequest({ session: "b", time: Date.now(), tokensWith: 1, tokensWithout: 2, cuts: 0 });
      await fillHoldout(store, 50, Date.now() - 1_000_000);
      await page.reload();
      await rowOf(page, "s1").click();
      await page.locator(".line-pruned").waitFor();
      await page.locator(".subjects li").first().waitFor();
      await check(page);
      await rowOf(page, "b").click();
      await page.getByText("Sums only").waitFor();
      await check(page);
    });
  });

  test("names from clients never run, in any place", async () => {
    const store = memoryStore();
    const proxy = await bench.startProxy({ store, settings: EAGER });
    for (const [i, text] of HOSTILE.entries()) {
      await store.addRequest({
        session: text,
        client: text,
        model: text,
        folder: text,
        time: Date.now(),
        tokensWith: 1,
        tokensWithout: 2,
        cuts: 0,
      });
      const played = new PlayedSession({
        url: proxy.url,
        session: `${i} ${text}`,
        program: text,
        folder: text.replaceAll("/", "|"),
        model: text,
        path: `${text}.ts`,
      });
      for (let n = 0; n < 6; n++) await played.ask({ files: 1 });
    }
    await visit(proxy.url, {}, async (page) => {
      await expect.poll(() => page.locator(".session").count()).toBeGreaterThan(HOSTILE.length);
      const rows = await page.locator(".session").count();
      for (let i = 0; i < rows; i++) await page.locator(".session").nth(i).click();
      await page.keyboard.press("k");
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect(await page.locator("script").count()).toBe(1);
      expect(await page.locator("main img, main iframe, main style:not(.plot style)").count()).toBe(0);
      expect(await page.locator(".sessions").innerText()).toContain("<img src=x onerror=");
    });
  });
});
