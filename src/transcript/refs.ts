import { hashText } from "./hash.ts";
import type { Leaf, PartKey } from "./part.ts";
import type { UndoLog } from "./undo-log.ts";

/** Six lowercase hex digits, unique in a session: how people and agents name a part or a cut. */
export type Ref = string & { readonly __brand: "Ref" };

/** A stretch of a text; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a ref names. */
export interface RefTarget extends Span {
  readonly part: PartKey;
  readonly leaf: string;
}

/** Collisions are so rare that no higher counter occurs: a ref derived with one counts as forged. */
const COUNTERS = [0, 1, 2];

/** Gives every place its ref, the same one each time; after a collision, it is derived again with a counter. */
export class Refs {
  readonly #places = new Map<Ref, RefTarget>();
  /** By part: the place that represents the whole part. */
  readonly #wholes = new Map<PartKey, RefTarget>();
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
  }

  /** Gives a whole part its ref. It is derived only from the part's key, so it stays the same after cuts. */
  nameWhole(place: RefTarget): Ref {
    this.#undoLog.set(this.#wholes, place.part, place);
    return this.refOf(place);
  }

  refOf(place: RefTarget): Ref {
    for (let counter = 0; ; counter++) {
      const ref = this.#derive(place, counter);
      const holder = this.#places.get(ref);
      if (!holder) {
        this.#undoLog.set(this.#places, ref, place);
        return ref;
      }
      if (samePlace(holder, place)) return ref;
    }
  }

  /** The ref of a place; `undefined` if it has none yet. */
  find(place: RefTarget): Ref | undefined {
    for (let counter = 0; ; counter++) {
      const ref = this.#derive(place, counter);
      const holder = this.#places.get(ref);
      if (!holder) return undefined;
      if (samePlace(holder, place)) return ref;
    }
  }

  /** The ref that a place will get, unless another place already has it. */
  expect(place: RefTarget): Ref {
    return this.#derive(place, 0);
  }

  /** Can this be the ref of that place? An outdated or forged one can't. */
  mayName(ref: Ref, place: RefTarget): boolean {
    return COUNTERS.some((counter) => this.#derive(place, counter) === ref);
  }

  placeOf(ref: Ref): RefTarget | undefined {
    return this.#places.get(ref);
  }

  #derive(place: RefTarget, counter: number): Ref {
    const whole = this.#wholes.get(place.part);
    const { part, leaf, from, to } = place;
    const isWhole = whole !== undefined && samePlace(whole, place);
    return derive(isWhole ? part : `${part}\u0000${leaf}\u0000${from}\u0000${to}`, counter);
  }
}

/** The refs that a whole part may have, whatever its text is or was. */
export function listPartRefs(part: PartKey): readonly Ref[] {
  return COUNTERS.map((counter) => derive(part, counter));
}

function derive(name: string, counter: number): Ref {
  return hashText(counter === 0 ? name : `${name}\u0000${counter}`).slice(0, 6) as Ref;
}

/**
 * The leaf that represents the whole part: the longest, or the first of several equally long ones. `undefined` if
 * there is no text.
 */
export function mainLeaf(leaves: readonly Leaf[]): Leaf | undefined {
  let main: Leaf | undefined;
  for (const leaf of leaves) if (leaf.text.length > (main?.text.length ?? 0)) main = leaf;
  return main;
}

/** The target of a whole part's ref: its entire main leaf. */
export function wholePlace(part: PartKey, leaves: readonly Leaf[]): RefTarget | undefined {
  const main = mainLeaf(leaves);
  return main && { part, leaf: main.id, from: 0, to: main.text.length };
}

const REF_FORM = /^[0-9a-f]{6}$/;

export function isRef(text: string): text is Ref {
  return REF_FORM.test(text);
}

function samePlace(a: RefTarget, b: RefTarget): boolean {
  return a.part === b.part && a.leaf === b.leaf && a.from === b.from && a.to === b.to;
}
