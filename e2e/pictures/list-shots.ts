import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { PlayedProxy } from "./play-sample.ts";
import { renderTerminal } from "./terminal-page.ts";
import type { Workplace } from "./workplace.ts";

/** A page to take a picture of. */
export interface Shot {
  readonly file: string;
  readonly url: string;
  /** The window's size; without it, the picture is as large as the page. */
  readonly size?: { readonly width: number; readonly height: number };
  /** For a page that looks at the clock, in milliseconds since 1970. */
  readonly time?: number;
  prepare?(page: Page): Promise<void>;
  /** Removes text that differs between machines and days. */
  mask?(text: string): string;
}

/** Every page and terminal in the docs, made by the built command as people run it. */
export function listShots(sample: string, place: Workplace, proxy: PlayedProxy): readonly Shot[] {
  const page = (name: string): string => join(place.folder, `${name}.html`);
  place.run("coppice", ["report", sample, "-o", page("report")]);
  place.run("coppice", ["analyze", sample, "--html", page("analysis")]);
  place.run("coppice", ["context", "--html", page("context"), "claude"], place.project);
  const html = readFileSync(page("context"), "utf8");
  writeFileSync(page("context"), html.replaceAll(place.folder, "/home/dev"));
  const terminal = (name: string, command: string): Shot => {
    writeFileSync(page(name), renderTerminal(command, place.runInTerminal(command)));
    return { file: `docs/images/${name}.png`, url: pathToFileURL(page(name)).href };
  };
  const shot = (name: string, height: number): Shot => ({
    file: `docs/images/${name}.png`,
    url: pathToFileURL(page(name)).href,
    size: { width: 1_200, height },
  });
  return [
    shot("report", 860),
    shot("analysis", 1_000),
    // It names the day, and so does the client's prompt, with the folder and the machine: its tokens differ a little.
    { ...shot("context", 930), mask: (text) => text.replace(/\w+ \d+ \w+ \d{4}|[\d.,]*\d/g, "#") },
    {
      file: "docs/images/dashboard.png",
      url: `${proxy.url}/`,
      size: { width: 1_320, height: 1_000 },
      time: proxy.time,
      async prepare(board) {
        await board.locator(`[data-session="${proxy.session}"]`).click();
        await board.locator(".line-pruned").waitFor();
        await board.evaluate("scrollTo(0, 0)");
      },
    },
    terminal("analyze-terminal", `coppice analyze ${sample}`),
    terminal("demo-terminal", "npm run demo"),
  ];
}
