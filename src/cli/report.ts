import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { sumAnalyses } from "../analysis/sum-analyses.ts";
import { countOf } from "../basics/numbers.ts";
import type { Config } from "../config/config.ts";
import { loadPageAssets, type PageAssets } from "../page/assets.ts";
import type { ReportData } from "../page/data.ts";
import { buildIndexData } from "../page/index-data.ts";
import { renderIndex } from "../page/render-index.ts";
import { renderReport } from "../page/render-report.ts";
import { buildReportData } from "../page/report-data.ts";
import { redact, redactValue } from "../redaction/redact.ts";
import { makeFolder } from "../stores/make-folder.ts";
import { analyzeFiles } from "./analyze-files.ts";
import { Failure } from "./failure.ts";
import { findNamed } from "./find-asked.ts";
import { formatExamples, printJson } from "./help.ts";
import { STANDARD, unwrap, writeText } from "./input.ts";
import { parseCount } from "./parse-count.ts";
import { Progress } from "./progress.ts";
import { readSession } from "./read-session.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";

interface ReportOptions {
  readonly output?: string;
  readonly open?: true;
  readonly preset?: string;
  readonly top: number;
  readonly redact?: true;
  readonly json?: true;
}

export function addReport(program: Command, screen: Screen): void {
  program
    .command("report")
    .description("a page about a session: what was sent, what was cut and why, what it cost")
    .argument("<path>", "a session, or a folder of them")
    .option(
      "-o, --output <file>",
      "the page, - for standard output; of a folder, the folder that pages go to",
    )
    .option("--open", "show it in the browser")
    .option("--preset <name>", "compact, balanced or verbose")
    .option("--top <n>", "of a folder, how many sessions get a page, the worst first", parseCount, 10)
    .option("--redact", "mask secrets, addresses and home folders, to share the page")
    .option("--json", "for machines: the data of the page instead of the page")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice report session.jsonl --open", "writes coppice-report.html and shows it"],
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
  const data = await readData(path, config, options);
  if (options.json) return screen.print(printJson(data));
  const page = renderReport(data, loadPageAssets());
  if (options.output === STANDARD) return screen.print(page);
  const file = options.output ?? "coppice-report.html";
  await writeText(file, page);
  finish(file, options, screen);
}

/** An index of all sessions, and pages of the worst. */
async function reportFolder(
  path: string,
  config: Config,
  options: ReportOptions,
  screen: Screen,
): Promise<void> {
  if (options.output === STANDARD)
    throw new Failure("The reports of a folder are many pages: name a folder for them with -o.", 2);
  const files = await findNamed([path], screen);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { sessions, failed } = await analyzeFiles(files, config, zone, screen);
  if (sessions.length === 0) throw new Failure(`There is no session in ${path}.`);
  const analysis = sumAnalyses(sessions);
  if (options.json) return screen.print(printJson(options.redact ? redactValue(analysis) : analysis));
  const folder = options.output ?? "coppice-reports";
  makeFolder(folder);
  const assets: PageAssets = loadPageAssets();
  const pages = new Map<string, string>();
  const progress = new Progress(screen, options.top, "pages");
  for (const [i, session] of analysis.sessions.slice(0, options.top).entries()) {
    const name = `${i + 1}-${basename(session.path).replace(/[^\w.-]/g, "_")}.html`;
    await writeText(join(folder, name), renderReport(await readData(session.path, config, options), assets));
    pages.set(session.path, name);
    progress.update(i + 1);
  }
  progress.end();
  const listed = buildIndexData(analysis, {
    folder: resolve(path),
    pages,
    files: failed,
    redacted: options.redact === true,
  });
  const shown = options.redact ? (redactValue(listed) as typeof listed) : listed;
  await writeText(join(folder, "index.html"), renderIndex(shown, loadPageAssets(undefined, "index")));
  screen.note(`${countOf(pages.size, "page")} of ${countOf(sessions.length, "session")}`);
  finish(join(folder, "index.html"), options, screen);
}

async function readData(path: string, config: Config, options: ReportOptions): Promise<ReportData> {
  const recording = unwrap(await readSession(path));
  return buildReportData(recording, { config, ...(options.redact && { redact }) });
}

function finish(file: string, { open }: ReportOptions, screen: Screen): void {
  screen.print(`${file}\n`);
  if (!open) return;
  const [command = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, resolve(file)], { stdio: "ignore", detached: true });
  child.on("error", () =>
    screen.note(`No browser could be started (${command}): open ${resolve(file)} yourself.`),
  );
  child.unref();
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};
