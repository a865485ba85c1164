import type { Config } from "../config/config.ts";
import { type Mechanism, SUPERSEDING } from "../edits/mechanism.ts";
import { addWork, type WorkCounts } from "../facts/work-counts.ts";
import { makePolicy } from "../fold/policy.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import { createPruner } from "../pruner.ts";
import { calledTools } from "../recordings/called-tools.ts";
import { explainRecording } from "../recordings/explain-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import { labelSession } from "../recordings/session-label.ts";
import { coldCoppice } from "../replay/cold-coppice.ts";
import { listBills, prepareReplay, type ReplayBench } from "../replay/replay.ts";
import { mechanismOf } from "../reports/tally.ts";
import { countInput } from "../schedule/usage-cost.ts";
import { PRESET_NAMES, type PresetName } from "../strategies/pass-setting.ts";
import { figureCaches } from "./cache-figures.ts";
import type { Day } from "./calendar.ts";
import { measureWork } from "./measure-work.ts";
import { addMoney } from "./money-sums.ts";
import type { DaySpending, ModelSpending, SessionAnalysis } from "./session-analysis.ts";
import { listHours } from "./session-hours.ts";
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
    hours: listHours(bench.book.entries, saved.configured),
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
  /** By request: the most that it costs to fetch again what the request used and was cut; missing if it used nothing of that kind. */
  readonly missed: readonly (number | undefined)[];
  /** Does the configuration cut anything? */
  readonly isCut: boolean;
}

function listSaved(recording: Recording, { book, run }: ReplayBench, config: Config): Saved {
  const save = (own: Config, isConfigured: boolean): Outcome => {
    const { requests, mechanisms } = run(coldCoppice("coppice", { config: own }, recording), isConfigured);
    const bills = listBills(requests);
    const left = book.priceRequests(bills);
    const fetched = book.priceRequests(bills.map((bill, i) => bill + (requests[i]?.fetching ?? 0)));
    return {
      saved: left.map(({ paid, left }) => paid - left),
      missed: requests.map(({ missing }, i) =>
        missing.anchors === 0 ? undefined : (fetched[i]?.left ?? 0) - (left[i]?.left ?? 0),
      ),
      isCut: mechanisms.length > 0,
    };
  };
  const own = { ...config, shadow: false };
  const same = PRESET_NAMES.find((name) => JSON.stringify(usePreset(config, name)) === JSON.stringify(own));
  const runPreset = (name: PresetName): Outcome => save(usePreset(config, name), name === same);
  const outcomes = {
    compact: runPreset("compact"),
    balanced: runPreset("balanced"),
    verbose: runPreset("verbose"),
  };
  const { compact, balanced, verbose } = outcomes;
  const presets = { compact: compact.saved, balanced: balanced.saved, verbose: verbose.saved };
  const { saved: configured, missed, isCut } = same ? outcomes[same] : save(own, true);
  return { presets, configured, missed, isCut };
}

/** Of one configuration, request by request. */
interface Outcome extends Pick<Saved, "missed" | "isCut"> {
  readonly saved: readonly number[];
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
    sum.misses += saved.missed[i] === undefined ? 0 : 1;
    sum.missed += saved.missed[i] ?? 0;
    for (const name of PRESET_NAMES) sum.saved[name] += saved.presets[name][i] ?? 0;
  }
  return new Map([...sums].map(([day, models]) => [day, [...models.values()]]));
}

function openSum(model: string | undefined): Sum {
  return { ...(model !== undefined && { model }), ...addMoney([]) };
}

/** For each segment, and each request in it: the number of tokens that newer text had already replaced. */
function measureStale(recording: Recording, config: Config): readonly ((step: number) => number)[] {
  const eager = usePreset({ ...config, schedule: { ...config.schedule, mode: "eager" } }, "compact");
  const passes = makePolicy({ config: eager }).passes.filter(isSuperseding);
  const pruner = createPruner({ format: recording.format, config: eager, passes, ladder: [] });
  const [model] = recording.models;
  return recording.segments.map(({ messages, meta, carried }, index) => {
    const request = { session: `${index}`, meta, carried, ...(model !== undefined && { model }) };
    const { report } = pruner.prune(messages, request);
    const saved: number[] = [];
    for (const { edit, request } of report.edits)
      if (edit.type !== "undo" && isSuperseding(edit)) saved[request] = (saved[request] ?? 0) + edit.saved;
    let sum = 0;
    const upTo = Array.from({ length: report.steps + 1 }, (_, request) => (sum += saved[request] ?? 0));
    // Counted from the end: there were no requests for the answers that a compaction kept.
    return (left: number) => upTo[report.steps - left] ?? 0;
  });
}

function isSuperseding(by: { readonly mechanism?: Mechanism }): boolean {
  return SUPERSEDING.includes(mechanismOf(by));
}
