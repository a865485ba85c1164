import { readFileSync } from "node:fs";
import { packageFile } from "../basics/package-file.ts";

/** The files that `scripts/bundle-page.mjs` makes from `app/`. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** The style that the chart library adds to the page at run time: the page's policy must allow it. */
  readonly chartStyle: string;
}

/** Our pages, by file name. */
export type PageName = "page" | "index" | "analysis" | "context" | "dashboard";

/** The bundle that was built beside this module, or the one in another folder. */
export function loadPageAssets(
  folder: URL = packageFile("page/bundle/"),
  name: PageName = "page",
): PageAssets {
  const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");
  return { script: read(`${name}.js`), style: read(`${name}.css`), chartStyle: read("chart.css") };
}
