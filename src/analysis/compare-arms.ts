import type { Arm, SessionRow } from "../stores/store.ts";
import { freedom, quantile, type Uncertainty } from "./student-t.ts";

/** What one arm of a holdout has paid. */
export interface ArmFigures {
  readonly conversations: number;
  readonly requests: number;
  /** In USD, pings included. */
  readonly cost: number;
  /** `cost` over `requests`. */
  readonly perRequest: number;
}

/** A figure, and between which two it is with a confidence of 95 percent, or of some 90 as long as an arm is small. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface ArmsComparison {
  readonly pruned: ArmFigures;
  readonly heldOut: ArmFigures;
  /** `undefined`: not enough yet. */
  readonly saved?: {
    /** In USD a request: what the arm that was held out pays more. */
    readonly perRequest: Estimate;
    /** The same as a share of what that arm pays. */
    readonly share: Estimate;
  };
  /** Conversations still needed in the arm that has fewer; 0 when there are enough. */
  readonly missing: number;
}

/** Conversations in each arm. With fewer, a single long one decides. */
export const ENOUGH = 50;

/**
 * Real money per request with and without pruning, from conversations that chance has put in one arm or the other.
 *
 * Requests of one conversation are alike, so the conversation is the unit: an arm's figure is a ratio estimator (all money
 * over all requests). Few conversations are long and dear, so its variance is the jackknife's, which sees what each of
 * them does to the whole, on the logarithm; and Student's t counts as many conversations as their lengths are worth. All
 * of it is a sum over rows: the same on every replica, without the seed and the thousand rounds of a bootstrap.
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

/** Only its requests whose cost is known count. */
function toConversation(row: SessionRow): Conversation | undefined {
  const { paid, cost } = row;
  const arm = armOf(row);
  return arm === undefined || paid === 0 || cost === undefined ? undefined : { arm, requests: paid, cost };
}

/** The arm that a conversation was in all the time. */
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

/** Two intervals that need not be as wide to both sides (Zou and Donner's rule). */
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
