import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { sumAnalyses } from "../analysis/sum-analyses.ts";
import { countOf } from "../basics/numbers.ts";
import type { Config } from "../config/config.ts";
import { loadPageAssets } from "../page/assets.ts";
import { buildIndexData } from "../page/index-data.ts";
import { renderIndex } from "../page/render-index.ts";
import { renderReport } from "../page/render-report.ts";
import { redactValue } from "../redaction/redact.ts";
import { analyzeFiles } from "./analyze-files.ts";
import { noteSkipped } from "./collect.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import { STANDARD } from "./input.ts";
import { noteText } from "./note-text.ts";
import { writeFiles } from "./output.ts";
import { parseCount } from "./parse-count.ts";
import { findNamed } from "./pick-sessions.ts";
import { listPruned } from "./pruned-sessions.ts";
import { findPlace, noteReplaced, type PageId, pageId, signPage } from "./report-place.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";
import { showPage } from "./show-page.ts";
import { readReport, writeReports } from "./write-reports.ts";

interface ReportOptions {
  readonly output?: string;
  readonly open?: true;
  readonly preset?: string;
  readonly top: number;
  readonly redact?: true;
  readonly json?: true;
}

export function addReport(command: Command, screen: Screen): void {
  command
    .argument("<path>", "a session, or a folder of them")
    .option(
      "-o, --output <file>",
      "the page, - for standard output; for a folder, the folder to write the pages to",
    )
    .option("--open", "open the page in the browser")
    .option("--preset <name>", "compact, balanced or verbose")
    .option(
      "--top <n>",
      "for a folder: the number of sessions that get a page, the worst first",
      parseCount,
      10,
    )
    .option("--redact", "mask secrets, addresses and home folders, to share the page")
    .option("--json", "print the page's data as JSON instead of the page")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice report session.jsonl --open", "writes coppice-report.html and opens it"],
        ["coppice report session.jsonl --redact -o shared.html", "a page to share"],
        ["coppice report ~/.claude/projects -o reports", "reports/index.html, and the worst ten"],
      ]),
    )
    .action((path: string, options: ReportOptions) => report(path, options, screen));
}

async function report(path: string, options: ReportOptions, screen: Screen): Promise<void> {
  const { config } = readSettings(screen, options.preset);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return reportFolder(path, config, options, screen);
  const data = await readReport(path, {
    config,
    redacted: options.redact === true,
    pruned: await listPruned(),
  });
  noteSkipped([data.session], screen);
  if (data.uncut !== undefined) screen.note(data.uncut);
  if (options.json) return screen.print(printJson(data));
  const page = renderReport(data, loadPageAssets());
  if (options.output === STANDARD) return screen.print(page);
  const id = pageId(path, options);
  const file = options.output ?? findPlace(id, (number) => `coppice-report${number}.html`);
  if (options.output !== undefined) noteReplaced(file, id, screen);
  await writeFiles((put) => put(file, signPage(page, id), 0o600));
  noteText("This page holds", options.redact === true, screen);
  showPage(file, options.open === true, screen);
}

/** An index of all sessions, and pages of the worst. */
async function reportFolder(
  path: string,
  config: Config,
  options: ReportOptions,
  screen: Screen,
): Promise<void> {
  if (options.output === STANDARD)
    throw new Failure("A folder needs several pages: name a folder for them with -o.", 2);
  const files = await findNamed([path], screen);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const redacted = options.redact === true;
  const { sessions, failed } = await analyzeFiles(files, { config, zone, masked: redacted }, screen);
  if (sessions.length === 0) throw new Failure(`There is no session in ${path}.`);
  const pruned = await listPruned();
  const analysis = sumAnalyses(sessions, {}, undefined, pruned);
  if (options.json) return screen.print(printJson(options.redact ? redactValue(analysis) : analysis));
  const id = pageId(path, options);
  const folder = findFolder(id, options, screen);
  const worst = analysis.sessions.slice(0, options.top).map((session) => session.path);
  await writeFiles(async (put) => {
    const pages = await writeReports(worst, folder, { config, redacted, options, pruned }, put, screen);
    const listed = buildIndexData(analysis, { folder: resolve(path), pages, files: failed, redacted });
    const shown = redacted ? (redactValue(listed) as typeof listed) : listed;
    const index = renderIndex(shown, loadPageAssets(undefined, "index"));
    await put(join(folder, INDEX), signPage(index, id), 0o600);
  });
  noteText("These pages hold", redacted, screen);
  screen.note(`${countOf(worst.length, "page")} of ${countOf(sessions.length, "session")}`);
  showPage(join(folder, INDEX), options.open === true, screen);
}

const INDEX = "index.html";

function findFolder(id: PageId, { output }: ReportOptions, screen: Screen): string {
  if (output === undefined)
    return dirname(findPlace(id, (number) => join(`coppice-reports${number}`, INDEX)));
  noteReplaced(join(output, INDEX), id, screen);
  return output;
}
