import type { Arm, SessionRow } from "../stores/store.ts";
import { freedom, quantile, type Uncertainty } from "./student-t.ts";

/** The costs of one arm of a holdout. */
export interface ArmFigures {
  readonly conversations: number;
  readonly requests: number;
  /** In USD, including pings. */
  readonly cost: number;
  /** `cost` over `requests`. */
  readonly perRequest: number;
}

/** A figure with its interval, at a confidence of 95 percent, or of about 90 while an arm is small. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface ArmsComparison {
  readonly pruned: ArmFigures;
  readonly heldOut: ArmFigures;
  /** `undefined`: not enough data yet. */
  readonly saved?: {
    /** In USD per request: how much more the held-out arm pays. */
    readonly perRequest: Estimate;
    /** The same as a share of that arm's cost. */
    readonly share: Estimate;
  };
  /** Conversations still needed in the arm with fewer; 0 if there are enough. */
  readonly missing: number;
}

/** Conversations in each arm. With fewer, a single long one decides. */
export const ENOUGH = 50;

/**
 * Actual cost per request with and without pruning, from conversations that were assigned to the arms at random.
 *
 * Requests of one conversation are alike, so the conversation is the unit: an arm's figure is a ratio estimator
 * (all money over all requests). A few conversations are long and expensive, so the variance is the jackknife's,
 * which measures the effect of each conversation on the whole, on the logarithm; and Student's t counts as many
 * conversations as their lengths are worth. All of it is a sum over rows: the same on every replica, without the
 * seed and the thousand rounds of a bootstrap.
 */
export function compareArms(sessions: readonly SessionRow[]): ArmsComparison {
  const rows = sessions.flatMap((session) => toConversation(session) ?? []);
  const pruned = estimate(rows.filter(({ arm }) => arm === "pruned"));
  const heldOut = estimate(rows.filter(({ arm }) => arm === "heldOut"));
  const missing = Math.max(0, ENOUGH - Math.min(pruned.conversations, heldOut.conversations));
  const figures = { pruned: figuresOf(pruned), heldOut: figuresOf(heldOut), missing };
  const isKnown = Number.isFinite(pruned.variance + heldOut.variance);
  return missing > 0 || !isKnown ? figures : { ...figures, saved: compare(pruned, heldOut) };
}

interface Conversation {
  readonly arm: Arm;
  readonly requests: number;
  readonly cost: number;
}

/** Only its requests with a known cost count. */
function toConversation(row: SessionRow): Conversation | undefined {
  const { paid, cost } = row;
  const arm = armOf(row);
  return arm === undefined || paid === 0 || cost === undefined ? undefined : { arm, requests: paid, cost };
}

/** The arm of a conversation, if it was the same all the time. */
export function armOf({ requests, arms }: Pick<SessionRow, "requests" | "arms">): Arm | undefined {
  if (arms.pruned === requests) return "pruned";
  return arms.heldOut === requests ? "heldOut" : undefined;
}

type EstimatedArm = ArmFigures & Uncertainty;

function estimate(rows: readonly Conversation[]): EstimatedArm {
  const conversations = rows.length;
  const requests = sum(rows.map((row) => row.requests));
  const cost = sum(rows.map((row) => row.cost));
  const without = rows.map((row) => Math.log((cost - row.cost) / (requests - row.requests)));
  const mean = sum(without) / conversations;
  return {
    conversations,
    requests,
    cost,
    perRequest: requests === 0 ? 0 : cost / requests,
    variance: (sum(without.map((each) => (each - mean) ** 2)) * (conversations - 1)) / conversations,
    worth: requests ** 2 / sum(rows.map((row) => row.requests ** 2)),
  };
}

function figuresOf({ conversations, requests, cost, perRequest }: EstimatedArm): ArmFigures {
  return { conversations, requests, cost, perRequest };
}

function compare(pruned: EstimatedArm, heldOut: EstimatedArm): NonNullable<ArmsComparison["saved"]> {
  const left = pruned.perRequest / heldOut.perRequest;
  const factor = Math.exp(quantile(freedom(pruned, heldOut)) * Math.sqrt(pruned.variance + heldOut.variance));
  return {
    perRequest: subtract(intervalOf(heldOut), intervalOf(pruned)),
    share: { mean: 1 - left, low: 1 - left * factor, high: 1 - left / factor },
  };
}

function intervalOf({ perRequest: mean, variance, worth }: EstimatedArm): Estimate {
  const factor = Math.exp(quantile(worth - 1) * Math.sqrt(variance));
  return { mean, low: mean / factor, high: mean * factor };
}

/** The difference of two intervals that may be asymmetric (Zou and Donner's rule). */
function subtract(a: Estimate, b: Estimate): Estimate {
  const mean = a.mean - b.mean;
  return {
    mean,
    low: mean - Math.hypot(a.mean - a.low, b.high - b.mean),
    high: mean + Math.hypot(a.high - a.mean, b.mean - b.low),
  };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
