import { addWork, type WorkCounts } from "../facts/work-counts.ts";
import type { SessionLabel } from "../recordings/session-label.ts";
import { sumUncut } from "../reports/uncut.ts";
import { PRESET_NAMES, type PresetName } from "../strategies/pass-setting.ts";
import { addCaches, type CacheFigures } from "./cache-figures.ts";
import { type DayRange, isIn } from "./calendar.ts";
import { addMoney, type Money } from "./money-sums.ts";
import { type InventoryOf, type PrefixAnalysis, sharePrefix } from "./prefix-share.ts";
import type { Carried, DaySpending, Reread, SessionAnalysis, Spending } from "./session-analysis.ts";
import { type SplitWork, splitWork } from "./sum-work.ts";

/** Many sessions together; each list begins with the most expensive item. */
export interface Analysis extends Money {
  readonly range: DayRange;
  /** Sorted by avoidable cost. */
  readonly sessions: readonly SessionSum[];
  /** The number of sessions of each agent. */
  readonly sources: Readonly<Record<string, number>>;
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  readonly stale: Carried;
  readonly coldStarts: DaySpending["coldStarts"];
  /** Over all sessions; only the largest. */
  readonly rereads: readonly FileReread[];
  /** How the work went, in sessions that Coppice has pruned and in others. */
  readonly work: SplitWork;
  readonly presets: readonly PresetOutcome[];
  /** Missing if no usage was recorded. */
  readonly prefix?: PrefixAnalysis;
  readonly caches: CacheFigures;
  /** Models whose cache prices are in no list: they were assumed. */
  readonly assumedCaches: readonly string[];
  /** Why nothing is cut in some sessions, in one line. Missing if something was cut in all of them. */
  readonly uncut?: string;
}

/** A session, with the days in the range. */
export interface SessionSum extends Money, SessionLabel {
  readonly path: string;
  readonly source: SessionAnalysis["source"];
  readonly models: readonly string[];
  readonly peak: number;
  readonly work: WorkCounts;
  /** Coppice has cut something in it. */
  readonly isPruned: boolean;
}

export interface PresetOutcome {
  readonly preset: PresetName;
  readonly saved: number;
  /** As a share of the whole bill. */
  readonly share: number;
}

/** A file that was read again, in any session of its project. */
export interface FileReread extends Reread {
  readonly project?: string;
  readonly sessions: number;
}

const REREADS_LISTED = 50;

/**
 * Only days in the range count; a session without any is left out.
 *
 * @param pruned the agents' ids of the sessions in which Coppice has cut something
 */
export function sumAnalyses(
  all: readonly SessionAnalysis[],
  range: DayRange = {},
  inventoryOf: InventoryOf = () => undefined,
  pruned: ReadonlySet<string> = new Set(),
): Analysis {
  const sessions = all.flatMap((session) => {
    const days = session.days.filter(({ day }) => isIn(day, range));
    return days.length === 0 && session.days.length > 0 ? [] : [{ ...session, days }];
  });
  const days = sessions.flatMap((session) => session.days);
  const money = addMoney(days.flatMap(({ models }) => models));
  const prefix = sharePrefix(sessions, inventoryOf);
  const uncut = sumUncut(sessions.map((session) => session.uncut));
  const sums = sessions.map((session) => sumSession(session, pruned)).sort(byHarm);
  return {
    ...money,
    range,
    sessions: sums,
    sources: countBy(sessions.map(({ source }) => source)),
    tools: sumSpending(days.flatMap(({ tools }) => tools)),
    kinds: sumSpending(days.flatMap(({ kinds }) => kinds)),
    stale: sumCarried(days.map(({ stale }) => stale)),
    coldStarts: {
      ...sumCarried(days.map(({ coldStarts }) => coldStarts)),
      count: days.reduce((sum, { coldStarts }) => sum + coldStarts.count, 0),
    },
    rereads: sumRereads(sessions).slice(0, REREADS_LISTED),
    work: splitWork(sums, ({ isPruned }) => isPruned),
    presets: PRESET_NAMES.map((preset) => ({
      preset,
      saved: money.saved[preset],
      share: money.dollars === 0 ? 0 : money.saved[preset] / money.dollars,
    })),
    ...(prefix && { prefix }),
    caches: addCaches(days.map(({ caches }) => caches)),
    assumedCaches: [...new Set(sessions.flatMap((session) => session.assumedCaches))],
    ...(uncut !== undefined && { uncut }),
  };
}

function sumSession(analysis: SessionAnalysis, pruned: ReadonlySet<string>): SessionSum {
  const { path, source, models, peak, days, project, prompt, start, end, session } = analysis;
  return {
    path,
    source,
    ...(project !== undefined && { project }),
    ...(prompt !== undefined && { prompt }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    models,
    peak,
    work: addWork(days.map(({ work }) => work)),
    isPruned: session !== undefined && pruned.has(session),
    ...addMoney(days.flatMap((day) => day.models)),
  };
}

function byHarm(a: SessionSum, b: SessionSum): number {
  return b.avoidable - a.avoidable || b.dollars - a.dollars || (a.path < b.path ? -1 : 1);
}

function sumSpending(all: readonly Spending[]): readonly Spending[] {
  const byName = new Map<string, { name: string; size: number; tokens: number; dollars: number }>();
  for (const { name, size, tokens, dollars } of all) {
    const known = byName.get(name) ?? { name, size: 0, tokens: 0, dollars: 0 };
    byName.set(name, known);
    known.size += size;
    known.tokens += tokens;
    known.dollars += dollars;
  }
  return [...byName.values()].sort(
    (a, b) => b.dollars - a.dollars || b.tokens - a.tokens || (a.name < b.name ? -1 : 1),
  );
}

function sumCarried(all: readonly Carried[]): Carried {
  return {
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    dollars: all.reduce((sum, { dollars }) => sum + dollars, 0),
  };
}

/** A path relative to the project's folder is another file in another project. */
function sumRereads(sessions: readonly SessionAnalysis[]): readonly FileReread[] {
  const byFile = new Map<
    string,
    { file: string; project?: string; times: number; tokens: number; in: Set<string> }
  >();
  for (const { path, project, days } of sessions)
    for (const { file, times, tokens } of days.flatMap(({ rereads }) => rereads)) {
      const own = inProject(file, project);
      const key = `${project ?? ""}\0${own}`;
      const known = byFile.get(key) ?? {
        file: own,
        ...(project !== undefined && { project }),
        times: 0,
        tokens: 0,
        in: new Set(),
      };
      byFile.set(key, known);
      known.times += times;
      known.tokens += tokens;
      known.in.add(path);
    }
  return [...byFile.values()]
    .map(({ in: found, ...file }) => ({ ...file, sessions: found.size }))
    .sort((a, b) => b.tokens - a.tokens || (a.file < b.file ? -1 : 1));
}

/** Agents write some paths in full, and some relative to the project's folder. */
function inProject(file: string, project: string | undefined): string {
  if (project === undefined || !file.startsWith(project)) return file;
  const rest = file.slice(project.length);
  return /^[\\/]./.test(rest) ? rest.slice(1) : file;
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
