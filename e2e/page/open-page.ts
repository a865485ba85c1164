import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import type { AnalysisData } from "../../src/page/analysis-data.ts";
import { loadPageAssets, type PageAssets, type PageName } from "../../src/page/assets.ts";
import type { ContextData } from "../../src/page/context-data.ts";
import type { ReportData } from "../../src/page/data.ts";
import type { IndexData } from "../../src/page/index-data.ts";
import { renderAnalysis } from "../../src/page/render-analysis.ts";
import { renderContext } from "../../src/page/render-context.ts";
import { renderIndex } from "../../src/page/render-index.ts";
import { renderReport } from "../../src/page/render-report.ts";
import { launchChromium } from "./launch-chromium.ts";

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

export interface OpenPage {
  readonly page: Page;
  /** All problems so far: console errors, exceptions, refused content, requests. */
  readonly trouble: readonly string[];
}

/** A real Chromium with an empty profile, and the current bundle of the page. */
export class PageBench {
  readonly #folder: string;
  readonly #context: BrowserContext;

  static async start(): Promise<PageBench> {
    const folder = mkdtempSync(join(tmpdir(), "coppice-page-"));
    execFileSync(process.execPath, ["scripts/bundle-page.mjs", join(folder, "bundle")]);
    const context = await launchChromium(join(folder, "profile"));
    return new PageBench(folder, context);
  }

  private constructor(folder: string, context: BrowserContext) {
    this.#folder = folder;
    this.#context = context;
  }

  /** Writes the report to a file and opens it from there. */
  open(data: ReportData, view: View = {}): Promise<OpenPage> {
    return this.#show(renderReport(data, this.#assets("page")), view);
  }

  openIndex(data: IndexData, view: View = {}): Promise<OpenPage> {
    return this.#show(renderIndex(data, this.#assets("index")), view);
  }

  openAnalysis(data: AnalysisData, view: View = {}): Promise<OpenPage> {
    return this.#show(renderAnalysis(data, this.#assets("analysis")), view);
  }

  openContext(data: ContextData, view: View = {}): Promise<OpenPage> {
    return this.#show(renderContext(data, this.#assets("context")), view);
  }

  #assets(name: PageName): PageAssets {
    return loadPageAssets(pathToFileURL(`${join(this.#folder, "bundle")}/`), name);
  }

  async #show(html: string, view: View): Promise<OpenPage> {
    const file = join(this.#folder, "page.html");
    writeFileSync(file, html);
    const page = await this.#context.newPage();
    const trouble: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") trouble.push(message.text());
    });
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("dialog", (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) trouble.push(`request: ${request.url()}`);
    });
    await page.setViewportSize({ width: view.width ?? 1_024, height: view.height ?? 900 });
    await page.emulateMedia({ colorScheme: view.theme ?? "light", reducedMotion: "reduce" });
    await page.goto(pathToFileURL(file).href);
    await page.locator("main").waitFor();
    return { page, trouble };
  }

  async stop(): Promise<void> {
    await this.#context.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
