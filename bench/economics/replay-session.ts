import { readRecording } from "../../src/recordings/index.ts";
import {
  compareUsage,
  noPruning,
  prepareReplay,
  type Replay,
  type ReplayTotals,
  type UsageComparison,
} from "../../src/replay/index.ts";
import type { Terms } from "./options.ts";
import { choosePolicies } from "./policies.ts";
import { takeApartOnce } from "./take-apart-once.ts";

/** One session under all policies. Plain data, for it comes from a worker. */
export interface SessionFigures {
  readonly file: string;
  readonly source: string;
  readonly models: readonly string[];
  /** The bill model beside the usage that the recording has, if it has any. */
  readonly usage: UsageComparison | undefined;
  readonly totals: readonly ReplayTotals[];
}

export type SessionOutcome =
  | { readonly ok: true; readonly figures: SessionFigures }
  | { readonly ok: false; readonly file: string; readonly why: string };

export async function replaySession(file: string, terms: Terms): Promise<SessionOutcome> {
  const read = await readRecording(file);
  if (!read.ok) return { ok: false, file, why: read.issue.message };
  const recording = read.value;
  takeApartOnce(recording.format);
  const { prices, prefixTokens } = terms;
  const bench = prepareReplay(recording, { prices, prefixTokens });
  if (bench.unpruned.count < terms.least)
    return { ok: false, file, why: `only ${bench.unpruned.count} requests` };
  const totals: ReplayTotals[] = [];
  for (const policy of choosePolicies(terms)) {
    if (policy.name === noPruning.name) totals.push(withoutRequests(bench.unpruned));
    else totals.push(withoutRequests(bench.run(await policy.open(recording))));
  }
  const { source, models } = recording;
  const usage = compareUsage(bench.unpruned.requests);
  return { ok: true, figures: { file, source, models, usage, totals } };
}

function withoutRequests({ requests: _, ...totals }: Replay): ReplayTotals {
  return totals;
}
