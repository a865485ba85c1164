import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { startProvider } from "../provider/provider.ts";
import { PlayedSession } from "./play-session.ts";

test("in the build, a session's page is made in a thread while requests continue, from the bundle next to the code", async () => {
  const file = pathToFileURL(resolve("dist/hosts/proxy/proxy.js")).href;
  const built = (await import(/* @vite-ignore */ file)) as { readonly startProxy: typeof startProxy };
  const provider = await startProvider(() => ({ text: "Fine." }));
  const proxy = await built.startProxy({ store: memoryStore(), upstreams: { anthropic: provider.url } });
  try {
    const played = new PlayedSession({ url: proxy.url, session: "s1" });
    for (let i = 0; i < 30; i++) expect(await played.ask()).toBe(200);
    const order: string[] = [];
    const page = fetch(`${proxy.url}/coppice/sessions/s1`).then(async (response) => {
      const html = await response.text();
      order.push("page");
      return html;
    });
    await fetch(`${proxy.url}/healthz`);
    order.push("health");
    const html = await page;
    expect(html).toContain('<script type="application/json" id="report">');
    expect(html).toContain("src/module-1.ts");
    expect(order).toEqual(["health", "page"]);
    expect(await (await fetch(`${proxy.url}/`)).text()).toContain("<script>");
  } finally {
    await proxy.close();
    await provider.close();
  }
});
