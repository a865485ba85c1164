import type { Batch, CutPlan, PricedPlan, SignedPlan, Timing } from "../edits/cut-plan.ts";
import type { Guard } from "../edits/guard.ts";
import { pricePlan } from "../edits/price-plan.ts";
import type { RefusalIssue } from "../edits/refusal.ts";

/**
 * Adds the plans that the guard allows now. Keeps one of two plans for the same place, with the rent that the earlier
 * one has paid.
 *
 * @param onRefused gets the plans that the guard refuses
 */
export function enqueue(
  queue: readonly PricedPlan[],
  plans: readonly SignedPlan[],
  rentClock: number,
  guard: Guard,
  onRefused: (issue: RefusalIssue) => void = () => {},
): readonly PricedPlan[] {
  if (plans.length === 0) return queue;
  const places = takePlaces(queue);
  const longer = [...queue];
  for (const plan of plans) {
    const name = namePlace(plan);
    const place = places.get(name);
    const rival = place === undefined ? undefined : longer[place];
    // Skips rendering for a plan that can't win.
    if (rival && isOutdone(plan, rival)) continue;
    const priced = pricePlan(plan, guard, rival?.price.since ?? rentClock);
    if (!priced.ok) {
      onRefused(priced.issue);
      continue;
    }
    if (place === undefined || !rival) {
      places.set(name, longer.length);
      longer.push(priced.value);
    } else if (isPreferred(priced.value, rival)) longer[place] = priced.value;
  }
  knownPlaces.set(longer, places);
  return longer;
}

/** The position of each place, by queue. So a long queue is not indexed again at every step. */
const knownPlaces = new WeakMap<readonly PricedPlan[], Map<string, number>>();

/** Takes the positions from the queue: they are updated in place for the longer one. */
function takePlaces(queue: readonly PricedPlan[]): Map<string, number> {
  const places = knownPlaces.get(queue);
  knownPlaces.delete(queue);
  return places ?? new Map(queue.map((plan, place) => [namePlace(plan), place]));
}

/** Names a plan by the first text that it cuts, because its ref is derived from that. */
function namePlace(plan: CutPlan): string {
  if ("drop" in plan) return `${plan.part}`;
  const [{ leaf, from, to }] = plan.spans;
  return `${plan.part} ${from} ${to} ${leaf}`;
}

/** Prefers requested plans, then plans without a batch, then plans that save more. */
function isPreferred(plan: PricedPlan, rival: PricedPlan): boolean {
  if (plan.requested || rival.requested) return plan.requested === true;
  const [waits, rivalWaits] = [batchOf(plan) !== undefined, batchOf(rival) !== undefined];
  if (!waits && rivalWaits) return true;
  return plan.price.saves > rival.price.saves && (!waits || rivalWaits);
}

/** Returns true if the rival is preferred, no matter how much the plan saves. */
function isOutdone(plan: CutPlan, rival: PricedPlan): boolean {
  if (plan.requested) return false;
  return rival.requested === true || (batchOf(plan) !== undefined && batchOf(rival) === undefined);
}

function batchOf(plan: CutPlan): Batch | undefined {
  return "drop" in plan ? undefined : plan.batch;
}

/**
 * Wishes that were promised for the last request, but could not be cut then, wait for the next cut that reaches them.
 */
export function lapse<T extends { readonly timing?: Timing | undefined }>(queue: readonly T[]): readonly T[] {
  if (!queue.some(({ timing }) => timing === "now")) return queue;
  return queue.map((each) => (each.timing === "now" ? { ...each, timing: "later" } : each));
}

/** The plans that may be cut now, and those that wait until their batch saves enough. */
export function splitHeld(queue: readonly PricedPlan[]): {
  readonly due: readonly PricedPlan[];
  readonly held: readonly PricedPlan[];
} {
  if (!queue.some(batchOf)) return { due: queue, held: [] };
  const saves = new Map<string, number>();
  for (const plan of queue) {
    const batch = batchOf(plan);
    if (batch) saves.set(batch.name, (saves.get(batch.name) ?? 0) + plan.price.saves);
  }
  const due: PricedPlan[] = [];
  const held: PricedPlan[] = [];
  for (const plan of queue) {
    const batch = batchOf(plan);
    const isHeld = batch && (saves.get(batch.name) ?? 0) < batch.minimum;
    (isHeld ? held : due).push(plan);
  }
  return { due, held };
}
