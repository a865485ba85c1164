import { remember } from "../basics/remember.ts";
import type { Leaf, Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { visitNames } from "./literals.ts";

/**
 * How many parts show each name, as the request is sent now. A name that only one part shows is gone when that part is
 * cut; any other is still there. Reasoning does not count: providers leave it out.
 */
export class ShownNames {
  readonly #counts = new Map<string, number>();
  /** By part that was cut: the names that it shows now. All others show what they hold. */
  readonly #changed = new Map<number, Names>();
  readonly #transcript: Transcript;
  #changes = 0;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(from: number, to: number): void {
    for (let i = from; i < to; i++) for (const name of this.#namesOf(i).keys()) this.#add(name, 1);
  }

  /** A part now shows these texts and nothing else. */
  show(part: number, texts: readonly string[]): void {
    const before = this.#namesOf(part);
    const now = new Map(texts.flatMap((text) => [...findNames(text)]));
    for (const name of before.keys()) if (!now.has(name)) this.#add(name, -1);
    for (const name of now.keys()) if (!before.has(name)) this.#add(name, 1);
    this.#transcript.journal.set(this.#changed, part, now);
    this.#changes++;
  }

  /** Another number whenever another answer may be right; numbers do not come back. */
  get version(): number {
    return this.#transcript.version + this.#changes;
  }

  /** Does no other part show this name? */
  isOnlyIn(part: number, name: string): boolean {
    const count = this.#counts.get(name) ?? 0;
    return count === 0 || (count === 1 && this.#namesOf(part).has(name));
  }

  /** The names of a text of this part, each with the place where it first stands. */
  placesIn(part: number, text: string): Names {
    const leaf = this.#transcript.part(part).leaves.find((each) => each.text === text);
    return leaf ? namesOfLeaf(leaf) : findNames(text);
  }

  #namesOf(index: number): Names {
    return this.#changed.get(index) ?? namesOfPart(this.#transcript.part(index));
  }

  #add(name: string, change: 1 | -1): void {
    this.#transcript.journal.set(this.#counts, name, (this.#counts.get(name) ?? 0) + change);
  }
}

/** By name, where it first stands. */
type Names = ReadonlyMap<string, number>;

const NO_NAMES: Names = new Map();

const namesOfPart: (part: Part) => Names = remember((part) => {
  if (part.kind === "reasoning" || part.kind === "file" || part.leaves.length === 0) return NO_NAMES;
  const [only] = part.leaves;
  if (only && part.leaves.length === 1) return namesOfLeaf(only);
  return new Map(part.leaves.flatMap((leaf) => [...namesOfLeaf(leaf)]));
});

const namesOfLeaf: (leaf: Leaf) => Names = remember(({ text }) => findNames(text));

/** Paths, identifiers and the like, each where it first stands: see `visitNames`. */
export function findNames(text: string): Names {
  const names = new Map<string, number>();
  visitNames(text, (name, from) => {
    if (!names.has(name)) names.set(name, from);
    return false;
  });
  return names;
}
