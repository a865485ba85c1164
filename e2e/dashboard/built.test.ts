import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startProvider } from "../provider/provider.ts";
import { findPort, untilServed } from "../proxy/processes.ts";
import { PlayedSession } from "./play-session.ts";

test("as built, a session's page is made in a thread while requests go on, from the bundle beside the code", async () => {
  const provider = await startProvider(() => ({ text: "Fine." }));
  onTestFinished(() => provider.close());
  const url = await startBuilt(provider.url);
  const played = new PlayedSession({ url, session: "s1" });
  for (let i = 0; i < 30; i++) expect(await played.ask()).toBe(200);
  const order: string[] = [];
  const page = fetch(`${url}/coppice/sessions/s1`).then(async (response) => {
    const html = await response.text();
    order.push("page");
    return html;
  });
  await fetch(`${url}/healthz`);
  order.push("health");
  const html = await page;
  expect(html).toContain('<script type="application/json" id="report">');
  expect(html).toContain("src/module-1.ts");
  expect(order).toEqual(["health", "page"]);
  expect(await (await fetch(`${url}/`)).text()).toContain("<script>");
});

/** Starts `coppice proxy` in a folder of its own, and gives its address. */
async function startBuilt(upstream: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-built-"));
  const port = await findPort();
  const args = ["proxy", "--port", String(port), "--store", "memory", "--upstream", `anthropic=${upstream}`];
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await untilServed(url);
  return url;
}
