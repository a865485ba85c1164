import { hashText } from "../transcript/hash.ts";
import type { Journal } from "../transcript/journal.ts";
import type { Leaf, PartKey } from "../transcript/part.ts";
import type { Ref, Span } from "./edit.ts";

/** What a ref names. */
export interface Place extends Span {
  readonly part: PartKey;
  readonly leaf: string;
}

/** Gives every place its ref, the same one each time; a collision is re-derived with a counter. */
export class Refs {
  readonly #places = new Map<Ref, Place>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  refOf(place: Place): Ref {
    for (let counter = 0; ; counter++) {
      const ref = deriveRef(place, counter);
      const holder = this.#places.get(ref);
      if (!holder) {
        this.#journal.set(this.#places, ref, place);
        return ref;
      }
      if (samePlace(holder, place)) return ref;
    }
  }

  /** The ref that a place was given; `undefined` when it has none yet. */
  find(place: Place): Ref | undefined {
    for (let counter = 0; ; counter++) {
      const ref = deriveRef(place, counter);
      const holder = this.#places.get(ref);
      if (!holder) return undefined;
      if (samePlace(holder, place)) return ref;
    }
  }

  placeOf(ref: Ref): Place | undefined {
    return this.#places.get(ref);
  }
}

/** The ref that a place gets where no other place had it first. */
export function deriveRef({ part, leaf, from, to }: Place, counter = 0): Ref {
  const name = `${part}\u0000${leaf}\u0000${from}\u0000${to}`;
  return hashText(counter === 0 ? name : `${name}\u0000${counter}`).slice(0, 6) as Ref;
}

/** The leaf that stands for the whole part: the longest, of equals the first. `undefined` when there is no text. */
export function mainLeaf(leaves: readonly Leaf[]): Leaf | undefined {
  let main: Leaf | undefined;
  for (const leaf of leaves) if (leaf.text.length > (main?.text.length ?? 0)) main = leaf;
  return main;
}

/** What the ref of a whole part names: all of its main leaf. */
export function wholePlace(part: PartKey, leaves: readonly Leaf[]): Place | undefined {
  const main = mainLeaf(leaves);
  return main && { part, leaf: main.id, from: 0, to: main.text.length };
}

const REF_FORM = /^[0-9a-f]{6}$/;

export function isRef(text: string): text is Ref {
  return REF_FORM.test(text);
}

function samePlace(a: Place, b: Place): boolean {
  return a.part === b.part && a.leaf === b.leaf && a.from === b.from && a.to === b.to;
}
