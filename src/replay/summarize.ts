import type { Evidence } from "./evidence.ts";
import { sum } from "./sum.ts";
import type { ReplayTotals } from "./totals.ts";

/** The distribution of a figure over sessions. */
export interface Spread {
  readonly mean: number;
  readonly least: number;
  /** The quartiles: a quarter, half and three quarters of the sessions have less. */
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
  readonly most: number;
}

/**
 * One policy over several sessions. All sessions have equal weight; shares are of the unpruned session, and 1 is
 * all.
 */
export interface ReplayRow {
  readonly policy: string;
  readonly sessions: number;
  /** The whole bill, output included, and input alone. */
  readonly bill: Spread;
  readonly inputBill: Spread;
  /** The whole bill of all sessions together, for sessions whose models all have known prices. */
  readonly byMoney: number;
  /** The largest share of the bill of any session after any of its requests. */
  readonly worstStop: number;
  /** The bill if rewriting cost nothing. */
  readonly rewriteFree: number;
  /** The bill if every miss were fetched. */
  readonly fetched: Spread;
  /** Share of the steps that use text missing from the view. */
  readonly misses: number;
  /** `undefined` if no anchor counts. */
  readonly evidence: Spread | undefined;
  readonly editEvidence: Spread | undefined;
  /** Share of the edits with a replaced line missing from the view; `undefined` if no edit counts. */
  readonly lostEdits: Spread | undefined;
  readonly ownEvidence: Spread | undefined;
  readonly breaks: number;
  /** The sum over the sessions whose models all have known prices. */
  readonly dollars: number;
  readonly peak: number;
  readonly largestPeak: number;
  /** Tokens of all requests, and the uncached ones. */
  readonly sent: number;
  readonly uncached: number;
  /** Over all sessions: compactions that hosts made, and those still needed. */
  readonly compactions: { readonly recorded: number; readonly left: number };
  /** Errors that a provider would report, over all sessions. */
  readonly illegal: number;
}

/** One policy over the sessions with at least one request; `unpruned` are the same sessions without the policy. */
export function summarizeReplays(
  policy: string,
  replays: readonly ReplayTotals[],
  unpruned: readonly ReplayTotals[] = replays,
): ReplayRow {
  const pairs = replays.flatMap((replay, i) => {
    const whole = unpruned[i];
    return whole && replay.count > 0 ? [{ replay, whole }] : [];
  });
  const sessions = pairs.map(({ replay }) => replay);
  const shareOf = (pick: (totals: ReplayTotals) => number): number =>
    mean(pairs.map(({ replay, whole }) => pick(replay) / pick(whole))) ?? 1;
  return {
    policy,
    sessions: sessions.length,
    bill: spread(sessions.map(({ share }) => share)) ?? EVERYTHING,
    inputBill: spread(sessions.map(({ inputShare }) => inputShare)) ?? EVERYTHING,
    byMoney: shareByMoney(pairs),
    worstStop: sessions.reduce((worst, { worstStop }) => Math.max(worst, worstStop), 0),
    rewriteFree: mean(sessions.map(({ rewriteFreeShare }) => rewriteFreeShare)) ?? 1,
    fetched: spread(sessions.map(({ fetchedShare }) => fetchedShare)) ?? EVERYTHING,
    misses: mean(sessions.map(({ misses, count }) => misses / count)) ?? 0,
    evidence: spreadEvidence(sessions.map(({ evidence }) => evidence)),
    editEvidence: spreadEvidence(sessions.map(({ editEvidence }) => editEvidence)),
    lostEdits: spread(
      sessions.flatMap(({ lostEdits: { counted, lost } }) => (counted > 0 ? [lost / counted] : [])),
    ),
    ownEvidence: spreadEvidence(sessions.map(({ ownEvidence }) => ownEvidence)),
    breaks: mean(sessions.map(({ breaks }) => breaks)) ?? 0,
    dollars: sum(sessions.map(({ dollars }) => dollars ?? 0)),
    peak: mean(sessions.map(({ peak }) => peak)) ?? 0,
    largestPeak: sessions.reduce((most, { peak }) => Math.max(most, peak), 0),
    sent: shareOf(({ sent }) => sent),
    uncached: shareOf(({ uncached }) => uncached),
    compactions: {
      recorded: sum(sessions.map(({ compactions }) => compactions.recorded)),
      left: sum(sessions.map(({ compactions }) => compactions.left)),
    },
    illegal: sum(sessions.map(({ illegal }) => illegal)),
  };
}

function shareByMoney(
  pairs: readonly { readonly replay: ReplayTotals; readonly whole: ReplayTotals }[],
): number {
  const priced = pairs.filter(
    ({ replay, whole }) => replay.dollars !== undefined && whole.dollars !== undefined,
  );
  const paid = sum(priced.map(({ whole }) => whole.dollars ?? 0));
  return paid > 0 ? sum(priced.map(({ replay }) => replay.dollars ?? 0)) / paid : 1;
}

const EVERYTHING: Spread = { mean: 1, least: 1, lower: 1, median: 1, upper: 1, most: 1 };

function spreadEvidence(evidence: readonly Evidence[]): Spread | undefined {
  return spread(evidence.filter(({ counted }) => counted > 0).map(({ counted, kept }) => kept / counted));
}

/** Quantiles between two sessions are interpolated. `undefined` for an empty list. */
export function spread(figures: readonly number[]): Spread | undefined {
  const average = mean(figures);
  if (average === undefined) return undefined;
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)] ?? 0;
    const above = sorted[Math.ceil(place)] ?? 0;
    return below + (above - below) * (place - Math.floor(place));
  };
  return { mean: average, least: at(0), lower: at(0.25), median: at(0.5), upper: at(0.75), most: at(1) };
}

function mean(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : sum(numbers) / numbers.length;
}
