import { countOf, formatNumber } from "../basics/numbers.ts";
import type { SessionRow } from "../stores/store.ts";
import { armOf, ENOUGH, type Estimate } from "./compare-arms.ts";
import { freedom, quantile, type Uncertainty } from "./student-t.ts";
import { type SplitWork, splitWork } from "./sum-work.ts";
import { countsOf, RATES, type Rate, type RateName, showFigure } from "./work-rates.ts";

/** How the work goes with and without pruning. */
export interface WorkComparison extends SplitWork {
  /** Only for a holdout, which assigns sessions at random. */
  readonly rates?: readonly ComparedRate[];
}

/** One rate in the two arms of a holdout. */
export interface ComparedRate {
  readonly name: RateName;
  readonly pruned: ArmRate;
  readonly heldOut: ArmRate;
  /**
   * How much higher the rate is with pruning, with a confidence of 95 percent; missing if there are too few
   * sessions.
   */
  readonly difference?: Estimate;
  readonly verdict: "more" | "fewer" | "no-difference" | "too-few";
}

export interface ArmRate {
  /** Sessions with data for the rate, such as an edit. */
  readonly sessions: number;
  /** Missing if there is no such session. */
  readonly rate?: number;
}

/** Uses the totals of sessions. With a holdout, the sessions of its two arms are compared. */
export function compareWork(sessions: readonly SessionRow[]): WorkComparison {
  const split = splitWork(sessions, ({ cuts }) => cuts > 0);
  const arms = sessions.flatMap((row) => {
    const arm = row.work.requests > 0 ? armOf(row) : undefined;
    return arm === undefined ? [] : [{ arm, work: row.work }];
  });
  if (!arms.some(({ arm }) => arm === "heldOut")) return split;
  // If nothing is cut, there is nothing to recall.
  const compared = RATES.filter(({ name }) => name !== "recalls");
  const rates = compared.map((rate): ComparedRate => {
    const list = (which: "pruned" | "heldOut") =>
      arms.filter(({ arm }) => arm === which).map(({ work }) => countsOf(rate, work));
    return compareRate(rate.name, list("pruned"), list("heldOut"));
  });
  return { ...split, rates };
}

interface Pair {
  readonly count: number;
  readonly of: number;
}

/** The fewest sessions of equal length that an arm must be worth to be compared. */
const LEAST_WORTH = 10;

/**
 * The session is the unit, because edits of one session are alike. A rate is a ratio estimator (all failures over
 * all edits), and its variance is that of the sessions around it. The variance is never less than that of random
 * failures: an arm without any failures yet would seem certain of it.
 */
function compareRate(name: RateName, pruned: readonly Pair[], heldOut: readonly Pair[]): ComparedRate {
  const [a, b] = [pruned, heldOut].map((pairs) => pairs.filter(({ of }) => of > 0)) as [Pair[], Pair[]];
  const pooled = ratioOf([...a, ...b]);
  const [left, right] = [estimate(a, pooled), estimate(b, pooled)];
  const arms = { name, pruned: toArmRate(a), heldOut: toArmRate(b) };
  if (Math.min(a.length, b.length) < ENOUGH || Math.min(left.worth, right.worth) < LEAST_WORTH)
    return { ...arms, verdict: "too-few" };
  const mean = ratioOf(a) - ratioOf(b);
  const half = quantile(freedom(left, right)) * Math.sqrt(left.variance + right.variance);
  const difference = { mean, low: mean - half, high: mean + half };
  const verdict = difference.low > 0 ? "more" : difference.high < 0 ? "fewer" : "no-difference";
  return { ...arms, difference, verdict };
}

function estimate(pairs: readonly Pair[], pooled: number): Uncertainty {
  const ratio = ratioOf(pairs);
  const all = sum(pairs.map(({ of }) => of));
  const around = sum(pairs.map(({ count, of }) => (count - ratio * of) ** 2)) / all ** 2;
  const variance = Math.max((around * pairs.length) / (pairs.length - 1), pooled / all);
  return { variance, worth: all ** 2 / sum(pairs.map(({ of }) => of ** 2)) };
}

function toArmRate(pairs: readonly Pair[]): ArmRate {
  return { sessions: pairs.length, ...(pairs.length > 0 && { rate: ratioOf(pairs) }) };
}

function ratioOf(pairs: readonly Pair[]): number {
  return sum(pairs.map(({ count }) => count)) / sum(pairs.map(({ of }) => of));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

/** Says which sessions are in the two columns. */
export function describeSplit({ pruned, unpruned, rates = [] }: WorkComparison): string {
  const sessions = `${countOf(pruned.sessions, "session")} with cuts, ${formatNumber(unpruned.sessions)} without.`;
  if (pruned.sessions === 0 || unpruned.sessions === 0 || rates.length > 0) return sessions;
  return `${sessions} Short sessions are not cut: only a holdout (--holdout) compares like with like.`;
}

/**
 *   failed edits: 2.1 of 100 with, 2.3 without (412 and 51 sessions): no difference seen, between 1.0 fewer and 0.6 more
 *   requests per prompt: 9.0 with, 8.1 without (60 and 12 sessions): too few sessions to tell
 */
export function describeCompared({ name, pruned, heldOut, difference, verdict }: ComparedRate): string {
  const rate = RATES.find((each) => each.name === name) as Rate;
  const figure = ({ rate: own }: ArmRate): string => (own === undefined ? "none" : showFigure(rate, own));
  const [left, right] = [figure(pruned), figure(heldOut).replace(" of 100", "")];
  const sessions = `${formatNumber(pruned.sessions)} and ${formatNumber(heldOut.sessions)} sessions`;
  const isKnown = difference !== undefined && difference.low < difference.high;
  const range = isKnown ? `, ${describeRange(rate, difference)}` : "";
  return `${rate.short}: ${left} with, ${right} without (${sessions}): ${VERDICTS[verdict]}${range}`;
}

const VERDICTS: Readonly<Record<ComparedRate["verdict"], string>> = {
  more: "more with pruning",
  fewer: "fewer with pruning",
  "no-difference": "no difference seen",
  "too-few": "too few sessions to tell",
};

/** `between 1.0 fewer and 0.6 more` */
function describeRange({ isShare }: Rate, { low, high }: Estimate): string {
  const scale = isShare ? 100 : 1;
  const side = (figure: number): string =>
    `${Math.abs(scale * figure).toFixed(1)} ${figure < 0 ? "fewer" : "more"}`;
  return `between ${side(low)} and ${side(high)}`;
}
