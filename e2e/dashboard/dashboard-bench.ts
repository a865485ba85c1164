import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { launchChromium } from "../page/launch-chromium.ts";
import type { View } from "../page/open-page.ts";
import { type Provider, startProvider } from "../provider/provider.ts";

export interface OpenBoard {
  readonly page: Page;
  /** All problems so far: console errors, exceptions, refused content. */
  readonly trouble: readonly string[];
}

/** A real Chromium, a proxy from the sources and a scripted provider behind it. */
export class DashboardBench {
  readonly provider: Provider;
  readonly #folder: string;
  readonly #context: BrowserContext;
  #proxy: RunningProxy | undefined;

  static async start(): Promise<DashboardBench> {
    const folder = mkdtempSync(join(tmpdir(), "coppice-dashboard-"));
    execFileSync(process.execPath, ["scripts/bundle-page.mjs", join(folder, "bundle")]);
    const context = await launchChromium(join(folder, "profile"));
    const provider = await startProvider(() => ({ text: "Fine." }));
    return new DashboardBench(folder, context, provider);
  }

  private constructor(folder: string, context: BrowserContext, provider: Provider) {
    this.#folder = folder;
    this.#context = context;
    this.provider = provider;
  }

  /** One at a time: the last one is closed. */
  async startProxy(options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
    await this.#proxy?.close();
    this.#proxy = await startProxy({
      store: memoryStore(),
      upstreams: { anthropic: this.provider.url },
      pages: pathToFileURL(`${join(this.#folder, "bundle")}/`),
      ...options,
    });
    return this.#proxy;
  }

  async open(url: string, view: View = {}): Promise<OpenBoard> {
    const page = await this.#context.newPage();
    const trouble: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") trouble.push(message.text());
    });
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(url).origin)) trouble.push(`request: ${request.url()}`);
    });
    await page.setViewportSize({ width: view.width ?? 1_280, height: view.height ?? 900 });
    await page.emulateMedia({ colorScheme: view.theme ?? "light", reducedMotion: "reduce" });
    await page.goto(url);
    return { page, trouble };
  }

  async stop(): Promise<void> {
    await this.#context.close();
    await this.#proxy?.close();
    await this.provider.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
