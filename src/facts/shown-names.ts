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
  readonly #changed = new Map<number, ReadonlySet<string>>();
  readonly #transcript: Transcript;
  #changes = 0;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(from: number, to: number): void {
    for (let i = from; i < to; i++) for (const name of this.#namesOf(i)) this.#add(name, 1);
  }

  /** A part now shows these texts and nothing else. */
  show(part: number, texts: readonly string[]): void {
    const before = this.#namesOf(part);
    const now = new Set(texts.flatMap((text) => listNames(text)));
    for (const name of before) if (!now.has(name)) this.#add(name, -1);
    for (const name of now) if (!before.has(name)) this.#add(name, 1);
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

  #namesOf(index: number): ReadonlySet<string> {
    return this.#changed.get(index) ?? namesOfPart(this.#transcript.part(index));
  }

  #add(name: string, change: 1 | -1): void {
    this.#transcript.journal.set(this.#counts, name, (this.#counts.get(name) ?? 0) + change);
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

const namesOfPart: (part: Part) => ReadonlySet<string> = remember((part) => {
  if (part.kind === "reasoning" || part.kind === "file" || part.leaves.length === 0) return NO_NAMES;
  const [only] = part.leaves;
  if (only && part.leaves.length === 1) return namesOfLeaf(only);
  return new Set(part.leaves.flatMap((leaf) => [...namesOfLeaf(leaf)]));
});

const namesOfLeaf: (leaf: Leaf) => ReadonlySet<string> = remember(({ text }) => new Set(listNames(text)));

/** Paths, identifiers and the like: see `visitNames`. */
export function listNames(text: string): readonly string[] {
  const names: string[] = [];
  visitNames(text, (name) => {
    names.push(name);
    return false;
  });
  return names;
}
