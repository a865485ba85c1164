import type { Leaf } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { findNames, literalsOf } from "./literals.ts";

/** A name, and how many parts show it. */
interface Entry {
  readonly name: string;
  count: number;
  /** The first part that contained it; −1: only a replacement of ours does. */
  readonly since: number;
  /** The list that it was last added to: see `listSole`. */
  list: number;
}

/** The names in a part, each once, with the position of its first occurrence. */
class HeldNames {
  readonly entries: readonly Entry[];
  readonly places: readonly number[];
  readonly #part: number;
  readonly #names: Map<string, Entry>;
  readonly #held: Map<number, HeldNames>;

  constructor(
    part: number,
    entries: readonly Entry[],
    places: readonly number[],
    names: Map<string, Entry>,
    held: Map<number, HeldNames>,
  ) {
    this.#part = part;
    this.entries = entries;
    this.places = places;
    this.#names = names;
    this.#held = held;
  }

  undo(): void {
    for (const entry of this.entries) {
      entry.count--;
      if (entry.since === this.#part) this.#names.delete(entry.name);
    }
    this.#held.delete(this.#part);
  }
}

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
  readonly #entries = new Map<string, Entry>();
  /** By part: the names in it, if any. */
  readonly #held = new Map<number, HeldNames>();
  /** By part that was cut: the names that it shows now. All others show their original names. */
  readonly #changed = new Map<number, readonly Entry[]>();
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
    const entries: Entry[] = [];
    const places: number[] = [];
    const list = ++this.#lists;
    for (const leaf of leaves) {
      const { runs } = literalsOf(leaf);
      for (let i = 0; i < runs.length; i += 2) {
        const place = runs[i] ?? 0;
        if ((place & 1) === 0) continue;
        const name = leaf.text.slice(place >> 1, runs[i + 1]);
        let entry = this.#entries.get(name);
        if (entry?.list === list) continue;
        if (!entry) {
          entry = { name, count: 0, since: part, list };
          this.#entries.set(name, entry);
        }
        entry.count++;
        entry.list = list;
        entries.push(entry);
        places.push(place >> 1);
      }
    }
    if (entries.length === 0) return;
    // The copies use no more memory than they need.
    const names = new HeldNames(part, entries.slice(), places.slice(), this.#entries, this.#held);
    this.#held.set(part, names);
    this.#transcript.undoLog.note(names);
  }

  /** Sets the texts that a part now shows. */
  show(part: number, texts: readonly string[]): void {
    const before = this.#shownBy(part);
    const now = this.#intern(texts.flatMap((text) => [...findNames(text).keys()])).slice();
    const listed = this.#lists;
    for (const entry of before) if (entry.list !== listed) this.#add(entry, -1);
    const other = ++this.#lists;
    for (const entry of before) entry.list = other;
    for (const entry of now) if (entry.list !== other) this.#add(entry, 1);
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
    for (const entry of this.#shownBy(part)) entry.list = shown;
    const isSole = ({ count, list }: Entry) => count === 0 || (count === 1 && list === shown);
    const { leaves } = this.#transcript.part(part);
    const held = this.#held.get(part);
    const sole: PlacedName[] = [];
    if (leaves.length === 1 && leaves[0]?.text === text) {
      for (const [i, entry] of (held?.entries ?? []).entries())
        if (isSole(entry)) sole.push({ name: entry.name, from: held?.places[i] ?? 0 });
      return sole;
    }
    for (const [name, from] of findNames(text)) {
      const entry = this.#entries.get(name);
      if (!entry || isSole(entry)) sole.push({ name, from });
    }
    return sole;
  }

  /** Does the part contain one of these names that at most `most` parts show? */
  holdsRare(part: number, most: number, isOne: (name: string) => boolean): boolean {
    return this.#held.get(part)?.entries.some(({ name, count }) => count <= most && isOne(name)) ?? false;
  }

  #shownBy(part: number): readonly Entry[] {
    return this.#changed.get(part) ?? this.#held.get(part)?.entries ?? [];
  }

  /** The entries of these names, each once. */
  #intern(names: readonly string[]): readonly Entry[] {
    const list = ++this.#lists;
    return names.flatMap((name) => {
      const entry = this.#entries.get(name) ?? { name, count: 0, since: -1, list: 0 };
      if (entry.list === list) return [];
      if (entry.list === 0) this.#transcript.undoLog.set(this.#entries, name, entry);
      entry.list = list;
      return [entry];
    });
  }

  #add(entry: Entry, change: 1 | -1): void {
    this.#transcript.undoLog.put(entry, "count", entry.count + change);
  }
}
