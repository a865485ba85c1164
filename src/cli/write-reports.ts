import { basename, join } from "node:path";
import type { Config } from "../config/config.ts";
import { loadPageAssets } from "../page/assets.ts";
import type { ReportData } from "../page/data.ts";
import { renderReport } from "../page/render-report.ts";
import { buildReportData } from "../page/report-data.ts";
import { makeFolder } from "../stores/make-folder.ts";
import { unwrap, writePrivately } from "./input.ts";
import { Progress } from "./progress.ts";
import { readSession } from "./read-session.ts";
import type { Screen } from "./screen.ts";

export interface ReportTerms {
  readonly config: Config;
  readonly redacted: boolean;
}

/** The reports of sessions in a folder: for the path of each session the name of its page. */
export async function writeReports(
  paths: readonly string[],
  folder: string,
  terms: ReportTerms,
  screen: Screen,
): Promise<ReadonlyMap<string, string>> {
  makeFolder(folder, 0o700);
  const assets = loadPageAssets();
  const pages = new Map<string, string>();
  const progress = new Progress(screen, paths.length, "pages");
  for (const [i, path] of paths.entries()) {
    // A name may be what is masked in the list that links to it.
    const name = terms.redacted
      ? `${i + 1}.html`
      : `${i + 1}-${basename(path).replace(/[^\w.-]/g, "_")}.html`;
    await writePrivately(join(folder, name), renderReport(await readReport(path, terms), assets));
    pages.set(path, name);
    progress.update(i + 1);
  }
  progress.end();
  return pages;
}

export async function readReport(path: string, { config, redacted }: ReportTerms): Promise<ReportData> {
  return buildReportData(unwrap(await readSession(path, { masked: redacted })), { config, redacted });
}
