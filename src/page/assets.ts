import { readFileSync } from "node:fs";

/** What `scripts/bundle-page.mjs` makes of `app/`. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** The style that the chart library adds to the page at run time: the page's policy has to allow it. */
  readonly chartStyle: string;
}

/** The bundle that was built beside this module, or the one in another folder. */
export function loadPageAssets(folder: URL = new URL("./bundle/", import.meta.url)): PageAssets {
  const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
  return { script: read("page.js"), style: read("page.css"), chartStyle: read("chart.css") };
}
