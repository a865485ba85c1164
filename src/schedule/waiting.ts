import { type Admitted, admit } from "../edits/admit.ts";
import type { Cut } from "../edits/edit.ts";
import type { Draft } from "../edits/guard.ts";
import type { Proposal, Timing } from "../edits/proposal.ts";
import type { Guarded } from "../edits/refusal.ts";
import type { Span } from "../transcript/refs.ts";

/** A proposal in the queue: not yet due, paying rent. */
export interface Waiting extends Admitted {
  /** The rent clock when the proposal, or an earlier one for the same place, came into the queue. */
  readonly since: number;
}

type Guard = (draft: Draft) => Guarded<Cut>;

/**
 * Adds the proposals that the guard would let through now. Of two for the same place one stays, with the rent that the
 * earlier one has paid.
 */
export function enqueue(
  queue: readonly Waiting[],
  proposals: readonly (readonly [Proposal, author: string])[],
  rentClock: number,
  guard: Guard,
): readonly Waiting[] {
  if (proposals.length === 0) return queue;
  const places = takePlaces(queue);
  const longer = [...queue];
  for (const [proposal, author] of proposals) {
    const name = nameProposed(proposal);
    const place = places.get(name);
    const rival = place === undefined ? undefined : longer[place];
    // What can't be preferred need not be rendered.
    if (rival && isOutdone(proposal, rival)) continue;
    const admitted = admit(proposal, author, guard);
    if (!admitted.ok) continue;
    const waiting: Waiting = { since: rentClock, ...admitted.value };
    if (place === undefined || !rival) {
      places.set(name, longer.length);
      longer.push(waiting);
    } else if (isPreferred(waiting, rival)) longer[place] = { ...waiting, since: rival.since };
  }
  knownPlaces.set(longer, places);
  return longer;
}

/** By queue, the position of each place, so that a long queue is not indexed again at every step. */
const knownPlaces = new WeakMap<readonly Waiting[], Map<string, number>>();

/** Takes the positions over from the queue: they are updated in place for the longer one. */
function takePlaces(queue: readonly Waiting[]): Map<string, number> {
  const places = knownPlaces.get(queue);
  knownPlaces.delete(queue);
  return places ?? new Map(queue.map(({ drafts: [main] }, place) => [namePlace(main.part, main), place]));
}

function nameProposed(proposal: Proposal): string {
  return namePlace(proposal.part, "drop" in proposal ? proposal : proposal.spans[0]);
}

/** By what it cuts first: that is what its ref is derived from. */
function namePlace(part: number, cut: Place | object): string {
  return "leaf" in cut ? `${part} ${cut.from} ${cut.to} ${cut.leaf}` : `${part}`;
}

type Place = Span & { readonly leaf: string };

/** Prefers what was asked for, then what belongs to no batch, then what saves more. */
function isPreferred(waiting: Waiting, rival: Waiting): boolean {
  if (waiting.requested || rival.requested) return waiting.requested;
  if (waiting.batch === undefined && rival.batch !== undefined) return true;
  return waiting.saves > rival.saves && (waiting.batch === undefined || rival.batch !== undefined);
}

/** Is the rival preferred whatever the proposal saves? */
function isOutdone(proposal: Proposal, rival: Waiting): boolean {
  if (proposal.requested) return false;
  const waits = !("drop" in proposal) && proposal.batch !== undefined;
  return rival.requested || (waits && rival.batch === undefined);
}

/** What should have been done with the last request, and could not be, is done with the next cut that reaches it. */
export function lapse<T extends { readonly timing?: Timing | undefined }>(queue: readonly T[]): readonly T[] {
  if (!queue.some(({ timing }) => timing === "now")) return queue;
  return queue.map((each) => (each.timing === "now" ? { ...each, timing: "later" } : each));
}

/** Those that may go now, and those that wait until their batch saves enough. */
export function splitHeld(queue: readonly Waiting[]): {
  readonly due: readonly Waiting[];
  readonly held: readonly Waiting[];
} {
  if (!queue.some(({ batch }) => batch)) return { due: queue, held: [] };
  const saves = new Map<string, number>();
  for (const { batch, saves: tokens } of queue)
    if (batch) saves.set(batch.name, (saves.get(batch.name) ?? 0) + tokens);
  const due: Waiting[] = [];
  const held: Waiting[] = [];
  for (const waiting of queue) {
    const { batch } = waiting;
    const isHeld = batch && (saves.get(batch.name) ?? 0) < batch.minimum;
    (isHeld ? held : due).push(waiting);
  }
  return { due, held };
}
