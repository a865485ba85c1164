import type { Command } from "commander";
import { isRecord } from "../basics/json.ts";
import { countOf } from "../basics/numbers.ts";
import { addUpPaid, type Paid } from "../replay/open-book.ts";
import { type ReplayRow, summarizeReplays } from "../replay/summarize.ts";
import { formatDetailsTable, formatLimitsTable, formatReplayTable } from "../replay/table.ts";
import type { ReplayTotals } from "../replay/totals.ts";
import { sumUncut } from "../reports/uncut.ts";
import { collect, noteSkipped } from "./collect.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import { findNamed } from "./pick-sessions.ts";
import { KEPT_WARM, makePolicyNamed, POLICY_HELP, USUAL_POLICIES } from "./policies.ts";
import { Progress } from "./progress.ts";
import type { SessionReplays } from "./replay-session.ts";
import { runTasks } from "./run-tasks.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";

interface ReplayOptions {
  readonly policy?: readonly string[];
  readonly keepWarm?: true;
  readonly json?: true;
}

export function addReplay(command: Command, screen: Screen): void {
  command
    .argument("<files...>", "sessions, or folders of them")
    .option("--policy <names...>", `one or more of ${POLICY_HELP}`)
    .option("--keep-warm", "run each policy again with the cache kept warm during pauses")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice replay session.jsonl", "Coppice compared with common policies"],
        ["coppice replay runs/ --policy coppice compact keep-last-5", "selected policies"],
        ["coppice replay runs/ --policy none coppice --keep-warm", "does it pay to keep the cache warm?"],
      ]),
    )
    .action((files: readonly string[], options: ReplayOptions) => replay(files, options, screen));
}

async function replay(paths: readonly string[], options: ReplayOptions, screen: Screen): Promise<void> {
  const { config } = readSettings(screen, undefined);
  const named = (options.policy ?? USUAL_POLICIES).flatMap((names) => names.split(","));
  const policies = options.keepWarm ? named.flatMap((name) => [name, `${name}${KEPT_WARM}`]) : named;
  for (const name of policies) makePolicyNamed(name, config);
  const files = await findNamed(paths, screen);
  const tasks = files.map(({ path, subagents = [] }) => ({
    kind: "replay" as const,
    path,
    subagents,
    config,
    policies,
  }));
  const progress = new Progress(screen, tasks.length, "sessions");
  const outcomes = await runTasks(tasks, (done) => progress.update(done));
  progress.end();
  const sessions = collect(files, outcomes, screen).filter(isReplayed);
  if (sessions.length === 0) throw new Failure("There was no session to replay.");
  noteSkipped(sessions, screen);
  const rows = summarize(sessions, policies.length);
  const paid = addUpPaid(sessions.map((session) => session.paid));
  const uncut = sumUncut(sessions.map((session) => session.uncut));
  if (uncut !== undefined) screen.note(uncut);
  if (options.json)
    screen.print(printJson({ sessions: sessions.length, paid, policies: rows, ...(uncut && { uncut }) }));
  else screen.print(formatReplay(rows, sessions.length, paid, screen));
}

/** The first replay of each session is the unpruned one; the others are shown as shares of it. */
function summarize(sessions: readonly SessionReplays[], policies: number): readonly ReplayRow[] {
  const pick = (i: number): readonly ReplayTotals[] => sessions.flatMap(({ replays }) => replays[i] ?? []);
  return Array.from({ length: policies }, (_, i) => {
    const replays = pick(i + 1);
    return summarizeReplays(replays[0]?.policy ?? "", replays, pick(0));
  });
}

function formatReplay(
  rows: readonly ReplayRow[],
  sessions: number,
  { dollars, estimated }: Paid,
  { paint, columns }: Screen,
): string {
  const guess = estimated > 0 ? `, $${estimated.toFixed(2)} of it estimated` : "";
  const paid = dollars > 0 ? `, $${dollars.toFixed(2)} paid${guess}` : "";
  return [
    `${paint.bold(countOf(sessions, "session"))}${paid}; each as a share of what it was without pruning\n\n`,
    `${[formatReplayTable(rows, "policy", columns), formatDetailsTable(rows, columns), formatLimitsTable(rows, columns)].join("\n\n")}\n\n`,
    `${paint.dim("bill: recorded usage at the providers' prices, output included, less what the policy saves.")}\n`,
    `${paint.dim("evidence, or still there when needed: how much of what the agent used later was still in its context.")}\n`,
    `${paint.dim("lost edits: edits that replaced a line which was no longer in the context.")}\n`,
    `${paint.dim("with misses: the bill if each step that used removed text had fetched it again. Misses cost at most this much.")}\n`,
  ].join("");
}

function isReplayed(value: unknown): value is SessionReplays {
  return isRecord(value) && "replays" in value;
}
