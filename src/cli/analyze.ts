import type { Command } from "commander";
import { type Day, type DayRange, daysIn, readDay } from "../analysis/calendar.ts";
import { type AnalysisGroup, GROUPINGS, type Grouping, groupAnalyses } from "../analysis/group-analyses.ts";
import type { SessionAnalysis } from "../analysis/session-analysis.ts";
import { sumAnalyses } from "../analysis/sum-analyses.ts";
import { countOf } from "../basics/numbers.ts";
import { redact, redactValue } from "../redaction/redact.ts";
import { writeAnalysisPage } from "./analysis-page.ts";
import { analyzeFiles } from "./analyze-files.ts";
import { openInventories } from "./context/known-inventories.ts";
import { Failure } from "./failure.ts";
import { formatAnalysis } from "./format-analysis.ts";
import { formatExamples, printJson } from "./help.ts";
import { parseCount } from "./parse-count.ts";
import { findNamed, findOwn } from "./pick-sessions.ts";
import { listPruned } from "./pruned-sessions.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";
import { showPage } from "./show-page.ts";

interface AnalyzeOptions {
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
  readonly top: number;
  readonly html?: string | true;
  readonly open?: true;
  readonly redact?: true;
  readonly json?: true;
}

export function addAnalyze(command: Command, screen: Screen): void {
  command
    .argument(
      "[paths...]",
      "files or folders; without any, the folders of Claude Code, Codex, OpenCode and pi",
    )
    .option("--by <what>", `sums by ${GROUPINGS.join(", ")}`)
    .option("--since <day>", "only requests since a date (2026-11-01), or of the last days (7d)")
    .option("--until <day>", "only requests up to a date, that day included")
    .option("--project <name>", "only sessions whose folder path contains this")
    .option("--top <n>", "number of rows in each list", parseCount, 10)
    .option("--html [file]", "write a page, with reports of the worst sessions next to it")
    .option("--open", "open the page in the browser")
    .option("--redact", "mask secrets, addresses and home folders, to share the output")
    .option("--json", "print everything as JSON, session by session")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice analyze", "all sessions on this machine"],
        ["coppice analyze --by day --since 7d", "what each of the last seven days cost"],
        ["coppice analyze --project shop --by model", "one project, by model"],
        ["coppice analyze session.jsonl", "one session, of any agent"],
        ["coppice analyze --open", "as a page"],
        ["coppice analyze runs/ --json | jq .presets", "a folder, for a program"],
      ]),
    )
    .action((paths: readonly string[], options: AnalyzeOptions) => analyze(paths, options, screen));
}

async function analyze(paths: readonly string[], options: AnalyzeOptions, screen: Screen): Promise<void> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = daysIn(zone)(Date.now()) ?? "";
  const by = readGrouping(options.by);
  const range = readRange(options, today);
  const { config } = readSettings(screen, undefined);
  const redacted = options.redact === true;
  const files = paths.length > 0 ? await findNamed(paths, screen) : await findOwn(screen);
  const { sessions: all } = await analyzeFiles(files, { config, zone, masked: redacted }, screen);
  if (all.length === 0) throw new Failure("There was no session to analyze.");
  const chosen = all.filter((session) => isOf(session, options.project));
  const maskProject = (project: string): string => (redacted ? redact(project) : project);
  const pruned = await listPruned();
  const analysis = sumAnalyses(chosen, range, openInventories(maskProject), pruned);
  if (analysis.sessions.length === 0)
    throw new Failure(`None of the ${countOf(all.length, "session")} matches that project and time.`);
  const groupBy = (each: Grouping): readonly AnalysisGroup[] => groupAnalyses(chosen, each, range);
  const mask = <T>(value: T): T => (redacted ? (redactValue(value) as T) : value);
  if (options.json) {
    const { range: _, ...rest } = analysis;
    screen.print(printJson(mask({ zone, ...range, by: by ?? "day", groups: groupBy(by ?? "day"), ...rest })));
  } else if (options.html !== undefined || options.open) {
    const file = typeof options.html === "string" ? options.html : "coppice-analysis.html";
    await writeAnalysisPage(
      analysis,
      { file, top: options.top, config, zone, today, redacted, pruned, groupBy },
      screen,
    );
    showPage(file, options.open === true, screen);
  } else {
    const groups = mask(groupBy(by ?? "day"));
    const view = { zone, today, top: options.top, groups, months: groupBy("month"), ...(by && { by }) };
    screen.print(formatAnalysis(mask(analysis), view, screen));
  }
}

function readGrouping(text: string | undefined): Grouping | undefined {
  const by = GROUPINGS.find((each) => each === text);
  if (text !== undefined && !by) throw new Failure(`--by takes one of ${GROUPINGS.join(", ")}.`, 2);
  return by;
}

function readRange({ since, until }: AnalyzeOptions, today: Day): DayRange {
  const read = (name: string, text: string | undefined): Day | undefined => {
    const day = text === undefined ? undefined : readDay(text, today);
    if (text !== undefined && day === undefined)
      throw new Failure(`--${name} takes a date like 2026-11-01, or days like 7d.`, 2);
    return day;
  };
  const [from, to] = [read("since", since), read("until", until)];
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) };
}

function isOf({ project, path }: SessionAnalysis, name: string | undefined): boolean {
  return name === undefined || (project ?? path).toLowerCase().includes(name.toLowerCase());
}
