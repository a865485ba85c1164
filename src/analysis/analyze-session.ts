import type { Config } from "../config/config.ts";
import { addWork, type WorkCounts } from "../facts/work-counts.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import { calledTools } from "../recordings/called-tools.ts";
import { explainRecording } from "../recordings/explain-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import { labelSession } from "../recordings/session-label.ts";
import { coldCoppice } from "../replay/cold-coppice.ts";
import { listBills, prepareReplay, type ReplayBench } from "../replay/replay.ts";
import { countInput } from "../schedule/usage-cost.ts";
import { PRESET_NAMES, type PresetName } from "../strategies/pass-setting.ts";
import { figureCaches } from "./cache-figures.ts";
import type { Day } from "./calendar.ts";
import { measureStale } from "./measure-stale.ts";
import { measureWork } from "./measure-work.ts";
import type { DaySpending, ModelSpending, SessionAnalysis } from "./session-analysis.ts";
import { spendSession } from "./spend-session.ts";
import { usePreset } from "./use-preset.ts";

/** @param dayOf returns the day of a time, in the user's time zone */
export function analyzeSession(
  recording: Recording,
  path: string,
  config: Config,
  dayOf: (time: number) => Day | undefined,
): SessionAnalysis {
  const { prices, model: pricedAs } = config.schedule;
  const bench = prepareReplay(recording, { prices, pricedAs, evidence: false });
  const days = bench.book.entries.map(({ time }) => (time === undefined ? undefined : dayOf(time)));
  const use = spendSession(recording, { bench, days, stale: measureStale(recording, config) });
  const caches = figureCaches(recording, bench, days, (model) => profilePricedAs(model, pricedAs, prices));
  const saved = listSaved(recording, bench, config);
  const models = listModels(bench, days, saved);
  const uncut = saved.isCut
    ? undefined
    : explainRecording(recording, { config: { ...config, shadow: false } });
  const work = groupWork(recording, days);
  return {
    path,
    ...(recording.session !== undefined && { session: recording.session }),
    source: recording.source,
    ...labelSession(recording),
    models: recording.models,
    peak: bench.unpruned.peak,
    days: [...models]
      .map(
        ([day, own]): DaySpending => ({
          ...(day !== undefined && { day }),
          models: own,
          ...use(day),
          work: addWork(work.get(day) ?? []),
          caches: caches(day),
        }),
      )
      .sort((a, b) => ((a.day ?? "") < (b.day ?? "") ? -1 : 1)),
    called: calledTools(recording),
    assumedCaches: bench.book.assumedCaches,
    skipped: recording.skipped,
    ...(uncut && { uncut }),
  };
}

/** How the work went, by day. */
function groupWork(
  recording: Recording,
  days: readonly (Day | undefined)[],
): ReadonlyMap<Day | undefined, readonly WorkCounts[]> {
  const groups = new Map<Day | undefined, WorkCounts[]>();
  for (const [i, counts] of measureWork(recording).entries()) {
    const known = groups.get(days[i]);
    if (known) known.push(counts);
    else groups.set(days[i], [counts]);
  }
  return groups;
}

/** The savings on each of the session's requests: under each preset, and with the configuration. */
interface Saved {
  readonly presets: Readonly<Record<PresetName, readonly number[]>>;
  readonly configured: readonly number[];
  /** Does the configuration cut anything? */
  readonly isCut: boolean;
}

function listSaved(recording: Recording, { book, run }: ReplayBench, config: Config): Saved {
  const save = (own: Config): { readonly saved: readonly number[]; readonly isCut: boolean } => {
    const { requests, mechanisms } = run(coldCoppice("coppice", { config: own }, recording));
    const saved = book.priceRequests(listBills(requests)).map(({ paid, left }) => paid - left);
    return { saved, isCut: mechanisms.length > 0 };
  };
  const outcomes = {
    compact: save(usePreset(config, "compact")),
    balanced: save(usePreset(config, "balanced")),
    verbose: save(usePreset(config, "verbose")),
  };
  const own = { ...config, shadow: false };
  const same = PRESET_NAMES.find((name) => JSON.stringify(usePreset(config, name)) === JSON.stringify(own));
  const { compact, balanced, verbose } = outcomes;
  const presets = { compact: compact.saved, balanced: balanced.saved, verbose: verbose.saved };
  const configured = same ? outcomes[same] : save(own);
  return { presets, configured: configured.saved, isCut: configured.isCut };
}

type Sum = { -readonly [K in keyof Omit<ModelSpending, "saved">]: ModelSpending[K] } & {
  saved: { -readonly [K in PresetName]: number };
};

/** By day, and within each by model. */
function listModels(
  { book }: ReplayBench,
  days: readonly (Day | undefined)[],
  saved: Saved,
): ReadonlyMap<Day | undefined, readonly ModelSpending[]> {
  const sums = new Map<Day | undefined, Map<string | undefined, Sum>>();
  for (const [i, { model, tokens, input, output, estimated, unpriced }] of book.entries.entries()) {
    const models = sums.get(days[i]) ?? new Map<string | undefined, Sum>();
    sums.set(days[i], models);
    const sum = models.get(model) ?? openSum(model);
    models.set(model, sum);
    sum.requests++;
    sum.sent += countInput(tokens);
    sum.written += tokens.output;
    if (unpriced) {
      sum.unpriced++;
      continue;
    }
    sum.dollars += input + output;
    sum.estimated += (estimated.input ? input : 0) + (estimated.output ? output : 0);
    sum.avoidable += saved.configured[i] ?? 0;
    for (const name of PRESET_NAMES) sum.saved[name] += saved.presets[name][i] ?? 0;
  }
  return new Map([...sums].map(([day, models]) => [day, [...models.values()]]));
}

function openSum(model: string | undefined): Sum {
  return {
    ...(model !== undefined && { model }),
    requests: 0,
    sent: 0,
    written: 0,
    dollars: 0,
    estimated: 0,
    avoidable: 0,
    saved: { compact: 0, balanced: 0, verbose: 0 },
    unpriced: 0,
  };
}
