import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { sumAnalyses } from "../analysis/sum-analyses.ts";
import { countOf } from "../basics/numbers.ts";
import type { Config } from "../config/config.ts";
import { loadPageAssets, type PageAssets } from "../page/assets.ts";
import type { ReportData } from "../page/data.ts";
import { renderReport } from "../page/render-report.ts";
import { buildReportData } from "../page/report-data.ts";
import { collect, findNamed, isAnalysis, maskAnalysis } from "./analyze.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import { STANDARD, unwrap } from "./input.ts";
import { writeFiles } from "./output.ts";
import { parseCount } from "./parse-count.ts";
import { Progress } from "./progress.ts";
import { readSession } from "./read-session.ts";
import { type IndexedPage, renderIndex } from "./report-index.ts";
import { findPlace, noteReplaced, type PageId, pageId, signPage } from "./report-place.ts";
import { runTasks } from "./run-tasks.ts";
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
  const id = pageId(path, options);
  const file = options.output ?? findPlace(id, (number) => `coppice-report${number}.html`);
  if (options.output !== undefined) noteReplaced(file, id, screen);
  await writeFiles((put) => put(file, signPage(page, id), 0o600));
  noteText("This page holds", options, screen);
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
  const progress = new Progress(screen, files.length + options.top, "sessions and pages");
  const masked = options.redact === true;
  const tasks = files.map((file) => ({ kind: "analyze" as const, path: file.path, config, masked }));
  const outcomes = await runTasks(tasks, (done) => progress.update(done));
  const sessions = collect(files, outcomes, screen).filter(isAnalysis);
  if (sessions.length === 0) throw new Failure(`There is no session in ${path}.`);
  const analysis = sumAnalyses(sessions, config);
  const shown = maskAnalysis(analysis, masked);
  if (options.json) return screen.print(printJson(shown));
  const id = pageId(path, options);
  const folder = findFolder(id, options, screen);
  const assets: PageAssets = loadPageAssets();
  const pages: IndexedPage[] = [];
  await writeFiles(async (put) => {
    for (const [i, { path: file }] of analysis.sessions.slice(0, options.top).entries()) {
      const title = shown.sessions[i]?.path ?? "";
      const name = `${i + 1}-${basename(title).replace(/[^\w.-]/g, "_")}.html`;
      const page = renderReport(await readData(file, config, options), assets);
      await put(join(folder, name), signPage(page, pageId(file, options)), 0o600);
      pages.push({ title, name });
      progress.update(files.length + i + 1);
    }
    await put(join(folder, INDEX), signPage(renderIndex(shown, pages), id), 0o600);
  });
  progress.end();
  noteText("These pages hold", options, screen);
  screen.note(`${countOf(pages.length, "page")} of ${countOf(sessions.length, "session")}`);
  finish(join(folder, INDEX), options, screen);
}

const INDEX = "index.html";

function findFolder(id: PageId, { output }: ReportOptions, screen: Screen): string {
  if (output === undefined)
    return dirname(findPlace(id, (number) => join(`coppice-reports${number}`, INDEX)));
  noteReplaced(join(output, INDEX), id, screen);
  return output;
}

async function readData(path: string, config: Config, options: ReportOptions): Promise<ReportData> {
  const redacted = options.redact === true;
  return buildReportData(unwrap(await readSession(path, redacted)), { config, redacted });
}

function noteText(what: string, options: ReportOptions, screen: Screen): void {
  if (!options.redact)
    screen.note(`${what} the session's text, secrets included; --redact masks what it knows as one.`);
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
