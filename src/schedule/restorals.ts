import type { PricedPlan, RestoreWish } from "../edits/cut-plan.ts";
import { type Cut, isLossless } from "../edits/edit.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { Facts } from "../facts/facts.ts";
import type { Ref } from "../transcript/refs.ts";
import { mainLeaf } from "../transcript/refs.ts";

/** A wish to undo edits, which waits until it is due. */
export interface Restoral extends RestoreWish {
  /** The author of the edits; `undefined` for any author. */
  readonly author: string | undefined;
  /** A newer result refers to this text: it comes back at once, at any price, unless it is outdated. */
  readonly needed?: true;
}

/**
 * The active edits that a wish names: the cut with that ref, or all cuts of the part with that ref. If the text is
 * needed again, edits that lose nothing of it stay.
 */
export function listRestored(
  { ref, author, needed }: Restoral,
  facts: Facts,
  ledger: Ledger,
): readonly Cut[] {
  const place = facts.refs.placeOf(ref);
  if (!place) return [];
  const cuts = ledger
    .cutsOf(place.part)
    .filter((cut) => (author === undefined || cut.author === author) && !(needed && isLossless(cut)));
  return namesPart(ref, facts) ? cuts : cuts.filter((cut) => cut.ref === ref);
}

/**
 * Returns a test for waiting plans: is the plan withdrawn by one of these wishes? The wish must name the plan's ref
 * or, if the plan was requested, its part.
 */
export function withdrawnBy(restorals: readonly Restoral[], facts: Facts): (plan: PricedPlan) => boolean {
  const byRef = new Map<Ref, Set<string | undefined>>();
  const byPart = new Map<number, Set<string | undefined>>();
  for (const { ref, author } of restorals) {
    add(byRef, ref, author);
    const part = namesPart(ref, facts) ? facts.refs.placeOf(ref)?.part : undefined;
    const index = part === undefined ? undefined : facts.transcript.find(part);
    if (index !== undefined) add(byPart, index, author);
  }
  const includes = (authors: Set<string | undefined> | undefined, author: string) =>
    authors !== undefined && (authors.has(undefined) || authors.has(author));
  return ({ price, part, requested, author }) =>
    includes(byRef.get(price.ref), author) || (requested === true && includes(byPart.get(part), author));
}

function add<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

/** Is this a needed text that a newer one has replaced? */
export function isOutdated({ ref, needed }: Restoral, { refs, rereads, transcript }: Facts): boolean {
  const place = needed && refs.placeOf(ref);
  const index = place && transcript.find(place.part);
  return index !== undefined && !rereads.isCurrent(index);
}

/** Is it the ref of a whole part? */
export function namesPart(ref: Ref, { refs, transcript }: Facts): boolean {
  const place = refs.placeOf(ref);
  const index = place && transcript.find(place.part);
  if (!place || index === undefined) return false;
  const main = mainLeaf(transcript.part(index).leaves);
  return main?.id === place.leaf && place.from === 0 && place.to === main.text.length;
}
