import type { Leaf } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { findNames, literalsOf } from "./literals.ts";

/** A name, and the position of its first occurrence in a text. */
export interface PlacedName {
  readonly name: string;
  readonly from: number;
}

/**
 * How many parts show each name, in the request as sent now. A name that only one part shows is gone when that part
 * is cut; any other remains. Reasoning does not count: providers leave it out.
 */
export class ShownNames {
  /** Each name has a number: its place in these lists. */
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  /** The number of parts that show it. */
  readonly #counts: number[] = [];
  /** The list that it was last added to: see `listSole`. */
  readonly #listed: number[] = [];
  /** By part: the names in it, if any, each once, with the position of its first occurrence: see `pack`. */
  readonly #held = new Map<number, readonly number[]>();
  /** By part that was cut: the names that it shows now. All others show their original names. */
  readonly #changed = new Map<number, readonly number[]>();
  readonly #transcript: Transcript;
  #changes = 0;
  #lists = 0;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const part = this.#transcript.part(i);
      if (part.kind !== "reasoning" && part.kind !== "file") this.#hold(i, part.leaves);
    }
  }

  #hold(part: number, leaves: readonly Leaf[]): void {
    const before = this.#names.length;
    const packed: number[] = [];
    const list = ++this.#lists;
    for (const leaf of leaves) {
      const { runs } = literalsOf(leaf);
      for (let i = 0; i < runs.length; i += 2) {
        const place = runs[i] ?? 0;
        if ((place & 1) === 0) continue;
        const name = this.#numberOf(leaf.text.slice(place >> 1, runs[i + 1]));
        if (this.#listed[name] === list) continue;
        this.#listed[name] = list;
        this.#counts[name] = (this.#counts[name] ?? 0) + 1;
        packed.push(pack(name, place >> 1));
      }
    }
    if (packed.length === 0) return;
    // The copy takes no more room than it needs.
    this.#held.set(part, packed.slice());
    this.#transcript.undoLog.note({ undo: () => this.#release(part, before) });
  }

  #release(part: number, before: number): void {
    for (const each of this.#held.get(part) ?? []) {
      const name = nameIn(each);
      this.#counts[name] = (this.#counts[name] ?? 0) - 1;
    }
    this.#held.delete(part);
    this.#forget(before);
  }

  /** Sets the texts that a part now shows. */
  show(part: number, texts: readonly string[]): void {
    const before = this.#shownBy(part);
    const now = this.#intern(texts.flatMap((text) => [...findNames(text).keys()]));
    const listed = this.#lists;
    for (const name of before) if (this.#listed[name] !== listed) this.#add(name, -1);
    const other = ++this.#lists;
    for (const name of before) this.#listed[name] = other;
    for (const name of now) if (this.#listed[name] !== other) this.#add(name, 1);
    this.#transcript.undoLog.set(this.#changed, part, now);
    this.#changes++;
  }

  /** Changes whenever an answer may change; numbers are never reused. */
  get version(): number {
    return this.#transcript.version + this.#changes;
  }

  /** The names of a text of this part that no other part shows. */
  listSole(part: number, text: string): readonly PlacedName[] {
    const shown = ++this.#lists;
    for (const name of this.#shownBy(part)) this.#listed[name] = shown;
    const isSole = (name: number) => {
      const count = this.#counts[name];
      return count === 0 || (count === 1 && this.#listed[name] === shown);
    };
    const { leaves } = this.#transcript.part(part);
    const sole: PlacedName[] = [];
    if (leaves.length === 1 && leaves[0]?.text === text) {
      for (const each of this.#held.get(part) ?? []) {
        const name = nameIn(each);
        if (isSole(name)) sole.push({ name: this.#names[name] ?? "", from: placeIn(each) });
      }
      return sole;
    }
    for (const [name, from] of findNames(text)) {
      const number = this.#numbers.get(name);
      if (number === undefined || isSole(number)) sole.push({ name, from });
    }
    return sole;
  }

  /** Does the part contain one of these names that at most `most` parts show? */
  holdsRare(part: number, most: number, isOne: (name: string) => boolean): boolean {
    const held = this.#held.get(part) ?? NONE;
    return held.some((each) => {
      const name = nameIn(each);
      return (this.#counts[name] ?? 0) <= most && isOne(this.#names[name] ?? "");
    });
  }

  #shownBy(part: number): readonly number[] {
    return this.#changed.get(part) ?? (this.#held.get(part) ?? NONE).map(nameIn);
  }

  /** These names, each once. */
  #intern(names: readonly string[]): readonly number[] {
    const before = this.#names.length;
    const list = ++this.#lists;
    const interned: number[] = [];
    for (const name of names) {
      const number = this.#numberOf(name);
      if (this.#listed[number] === list) continue;
      this.#listed[number] = list;
      interned.push(number);
    }
    if (this.#names.length > before) this.#transcript.undoLog.note({ undo: () => this.#forget(before) });
    return interned.slice();
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#numbers.set(name, number);
    this.#names.push(name);
    this.#counts.push(0);
    this.#listed.push(0);
    return number;
  }

  /** Forgets the newest names: all but so many. */
  #forget(count: number): void {
    for (const name of this.#names.splice(count)) this.#numbers.delete(name);
    this.#counts.length = count;
    this.#listed.length = count;
  }

  #add(name: number, change: 1 | -1): void {
    this.#transcript.undoLog.put(this.#counts, name, (this.#counts[name] ?? 0) + change);
  }
}

const NONE: readonly number[] = [];

/** Longer texts fit no window: names beyond it count as standing there. */
const MOST_PLACES = 2 ** 26;

/** A name and its place in one number: of these there are more than of anything else that is kept. */
function pack(name: number, place: number): number {
  return name * MOST_PLACES + Math.min(place, MOST_PLACES - 1);
}

function nameIn(packed: number): number {
  return Math.floor(packed / MOST_PLACES);
}

function placeIn(packed: number): number {
  return packed % MOST_PLACES;
}
