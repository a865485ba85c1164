import { basename, join } from "node:path";
import type { Config } from "../config/config.ts";
import { loadPageAssets } from "../page/assets.ts";
import type { ReportData } from "../page/data.ts";
import { renderReport } from "../page/render-report.ts";
import { buildReportData } from "../page/report-data.ts";
import type { Put } from "../stores/write-together.ts";
import { unwrap } from "./input.ts";
import { Progress } from "./progress.ts";
import { readSession } from "./read-session.ts";
import { pageId, signPage } from "./report-place.ts";
import type { Screen } from "./screen.ts";

export interface ReportTerms {
  readonly config: Config;
  readonly redacted: boolean;
  /** The agents' ids of the sessions in which Coppice has cut something. */
  readonly pruned: ReadonlySet<string>;
}

interface PagesTerms extends ReportTerms {
  /** The command's options: the same session with the same options is the same page. */
  readonly options: Parameters<typeof pageId>[1];
}

/** The reports of sessions in a folder: for the path of each session, the name of its page. */
export async function writeReports(
  paths: readonly string[],
  folder: string,
  terms: PagesTerms,
  put: Put,
  screen: Screen,
): Promise<ReadonlyMap<string, string>> {
  const assets = loadPageAssets();
  const pages = new Map<string, string>();
  const progress = new Progress(screen, paths.length, "pages");
  for (const [i, path] of paths.entries()) {
    // A name may be what is masked in the list that links to it.
    const name = terms.redacted
      ? `${i + 1}.html`
      : `${i + 1}-${basename(path).replace(/[^\w.-]/g, "_")}.html`;
    const page = renderReport(await readReport(path, terms), assets);
    await put(join(folder, name), signPage(page, pageId(path, terms.options)), 0o600);
    pages.set(path, name);
    progress.update(i + 1);
  }
  progress.end();
  return pages;
}

export async function readReport(path: string, terms: ReportTerms): Promise<ReportData> {
  const { config, redacted, pruned } = terms;
  const recording = unwrap(await readSession(path, { masked: redacted }));
  const isPruned = recording.session !== undefined && pruned.has(recording.session);
  return buildReportData(recording, { config, redacted, isPruned });
}
