/** Takes the picture of docs/dashboard.md, or with a folder given all widths and both themes, to be looked at. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { DashboardBench } from "./dashboard-bench.ts";
import { fillHoldout } from "./fill-holdout.ts";
import { PlayedSession } from "./play-session.ts";

const THEMES = ["light", "dark"] as const;
const folder = process.argv[2];
const bench = await DashboardBench.start();
try {
  const store = memoryStore();
  let time = Date.now() - 3_600_000;
  const { url } = await bench.startProxy({ store, clock: () => time });
  await fillStore(time);
  if (folder !== undefined) await fillHoldout(store, 60, time - 300_000_000);
  await play(url);
  if (folder === undefined)
    for (const theme of THEMES)
      await takeOne(url, 1_320, 1_000, theme, resolve(`docs/images/dashboard-${theme}.png`));
  else {
    mkdirSync(folder, { recursive: true });
    for (const theme of THEMES)
      for (const width of [390, 1_024, 1_600])
        await takeOne(url, width, 1_000, theme, join(folder, `${width}-${theme}.png`));
  }

  async function fillStore(end: number): Promise<void> {
    for (let i = 0; i < 40; i++)
      await store.addRequest({
        session: `ses_${i % 8}`,
        time: end - (i % 8) * 40_000_000 - 90_000_000 + i * 1_000,
        client: i % 2 ? "opencode" : "pi",
        model: i % 2 ? "gpt-5.4" : "claude-opus-4-5",
        folder: ["garden", "ledger", "atlas"][i % 3] ?? "",
        tokensWith: 60_000,
        tokensWithout: 95_000,
        costWith: 0.05,
        costWithout: 0.07,
        cuts: i % 4 ? 0 : 1,
      });
  }

  async function play(address: string): Promise<void> {
    const sessions = [
      new PlayedSession({ url: address, session: "5f0c1d9e-3c1b-4e55-9d65-2f1a7b8a0001", folder: "shop" }),
      new PlayedSession({
        url: address,
        session: "5f0c1d9e-3c1b-4e55-9d65-2f1a7b8a0001",
        agent: "a7",
        folder: "shop",
      }),
      new PlayedSession({
        url: address,
        session: "0199-codex",
        program: "codex_cli_rs/0.166",
        folder: "engine",
        model: "claude-opus-4-5",
      }),
      new PlayedSession({ url: address, session: "9b7d", folder: "website" }),
    ];
    const [main] = sessions;
    for (let i = 0; i < 46; i++) {
      for (const [n, session] of sessions.entries())
        if (i % (n + 1) === 0)
          await session.ask({ words: 500 + ((i * 7 + n * 13) % 23) * 120, files: 4 + n * 3 });
      if (i === 20) await main?.askForTitle();
      time += i === 30 ? 600_000 : 40_000;
    }
  }

  async function takeOne(
    address: string,
    width: number,
    height: number,
    theme: (typeof THEMES)[number],
    path: string,
  ): Promise<void> {
    const { page, trouble } = await bench.open(`${address}/`, { width, height, theme });
    await page.locator(".session").first().waitFor();
    await page.locator('[data-session$="0001"]').click();
    await page.locator(".line-pruned").waitFor();
    await page.evaluate("scrollTo(0, 0)");
    await page.screenshot({ path });
    if (folder !== undefined)
      await page.screenshot({ path: path.replace(".png", "-full.png"), fullPage: true });
    if (trouble.length > 0) console.error(width, theme, trouble);
    await page.close();
  }
} finally {
  await bench.stop();
}
