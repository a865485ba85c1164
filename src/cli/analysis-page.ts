import { basename, dirname, join } from "node:path";
import type { Day } from "../analysis/calendar.ts";
import type { AnalysisGroup, Grouping } from "../analysis/group-analyses.ts";
import type { Analysis } from "../analysis/sum-analyses.ts";
import { countOf } from "../basics/numbers.ts";
import type { Config } from "../config/config.ts";
import { buildAnalysisData } from "../page/analysis-data.ts";
import { loadPageAssets } from "../page/assets.ts";
import { renderAnalysis } from "../page/render-analysis.ts";
import { redactValue } from "../redaction/redact.ts";
import { noteText } from "./note-text.ts";
import { writeFiles } from "./output.ts";
import type { Screen } from "./screen.ts";
import { writeReports } from "./write-reports.ts";

interface PageTerms {
  readonly file: string;
  /** The number of sessions that get a report next to it. */
  readonly top: number;
  readonly config: Config;
  readonly zone: string;
  readonly today: Day;
  readonly redacted: boolean;
  readonly pruned: ReadonlySet<string>;
  readonly groupBy: (by: Grouping) => readonly AnalysisGroup[];
}

/**
 * The analysis as a page. A page that is opened from a file can't request more data: reports of the worst sessions
 * are written into a folder next to it, and it links to them.
 *
 *   coppice-analysis.html, coppice-analysis-sessions/1-a.jsonl.html …
 */
export async function writeAnalysisPage(analysis: Analysis, terms: PageTerms, screen: Screen): Promise<void> {
  const { file, top, config, redacted, pruned, ...rest } = terms;
  const folder = `${basename(file).replace(/\.html?$/i, "")}-sessions`;
  const worst = analysis.sessions.slice(0, top).map(({ path }) => path);
  await writeFiles(async (put) => {
    const options = redacted ? ({ redact: true } as const) : {};
    const own = { config, redacted, options, pruned };
    const reports = await writeReports(worst, join(dirname(file), folder), own, put, screen);
    const pages = new Map([...reports].map(([path, name]) => [path, `${folder}/${name}`]));
    const data = buildAnalysisData(analysis, { ...rest, pages, redacted });
    const shown = redacted ? (redactValue(data) as typeof data) : data;
    await put(file, renderAnalysis(shown, loadPageAssets(undefined, "analysis")), 0o600);
  }, "Choose another place with --html <file>.");
  noteText("The reports hold", redacted, screen);
  screen.note(`${countOf(worst.length, "report")} next to it, in ${join(dirname(file), folder)}`);
}
