import type { Risk } from "../risk/risk.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref, Span } from "../transcript/refs.ts";
import type { Mechanism } from "./mechanism.ts";

/** A span of an original leaf and its replacement. `render` is called when the cut is made; it must be pure. */
export interface PlannedSpan extends Span {
  readonly leaf: string;
  readonly render: (ref: Ref) => string;
}

/** A pass plans at most this many spans of one text at a time: the guard counts the whole leaf again for each. */
export const MOST_SPANS = 32;

interface PlanBase {
  /** Index of the part. */
  readonly part: number;
  readonly reason: string;
  /** The name of its author. A pass or a rung leaves it out, and gets its own name. */
  readonly author?: string;
  /** Set only if it differs from the pass's mechanism. */
  readonly mechanism?: Mechanism;
  /** The agent or a person requested the cut. It goes before other plans, and at once if that is cheap. */
  readonly requested?: true;
  readonly timing?: Timing;
  /** The plan never makes a cut worth its price. It goes with an earlier cut, or when that costs nothing. */
  readonly rides?: true;
  /** The chance that the text is needed again. If it is not set, the scheduler ignores this risk. */
  readonly risk?: Risk;
  /** Set once the guard has checked the plan. */
  readonly price?: PlanPrice;
}

/** Replaces texts of a part. */
export interface ReplacePlan extends PlanBase {
  /** All show the ref of the first span. If the first can't be cut, none is. */
  readonly spans: readonly [PlannedSpan, ...PlannedSpan[]];
  readonly needs?: readonly PartKey[];
  readonly yields?: true;
  /** Nothing is lost: the replacement keeps every line, or another part has the same text. The guard checks it. */
  readonly lossless?: true | CopyClaim;
  /** Cuts of later parts that this one makes unnecessary. They go with it if the guard allows them. */
  readonly along?: readonly SignedPlan[];
  /** It waits until all plans of this batch together save enough, except under pressure. */
  readonly batch?: Batch;
}

/** The text is removed because another part has it too. */
export interface CopyClaim {
  /** Index of that part. */
  readonly copy: number;
}

/** Drops a part with everything that has to go with it: see `DropEdit`. */
export interface DropPlan extends PlanBase {
  readonly drop: true;
}

/**
 * A cut that a pass, a rung, the agent or a person wants. It exists from the first wish to the ledger. The scheduler
 * decides the time. The guard then turns it into edits.
 */
export type CutPlan = ReplacePlan | DropPlan;

/** A plan that names its author. */
export type SignedPlan = CutPlan & { readonly author: string };

/** A plan that the guard would allow now. */
export type PricedPlan = SignedPlan & { readonly price: PlanPrice };

export interface PlanPrice {
  /** The ref that its texts show. */
  readonly ref: Ref;
  /** Tokens that it saves with every request, without the cuts that go along with it. */
  readonly saves: number;
  /** The rent clock when the plan, or an earlier one for the same place, entered the queue. */
  readonly since: number;
}

/**
 * The time that a tool's answer promised for a requested cut: with this request, or with the next cut that reaches
 * it. Without a promise, the price decides.
 */
export type Timing = "now" | "later";

/** A request to undo the author's edits: the ref of a cut, or of a whole part. */
export interface RestoreWish {
  readonly ref: Ref;
  readonly timing?: Timing;
}

export interface Batch {
  readonly name: string;
  /** Tokens that its plans must save together. */
  readonly minimum: number;
}

/** The plan with its author, and with the author's mechanism unless it states one itself. */
export function signPlan(
  plan: CutPlan,
  { name, mechanism }: { readonly name: string; readonly mechanism?: Mechanism | undefined },
): SignedPlan {
  return Object.assign(mechanism === undefined ? {} : { mechanism }, plan, { author: name });
}

/** The spans to check one by one; for a drop a single `undefined`. */
export function listSpans(plan: CutPlan): readonly [PlannedSpan | undefined, ...PlannedSpan[]] {
  return "drop" in plan ? [undefined] : plan.spans;
}
