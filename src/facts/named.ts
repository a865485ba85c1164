import type { Leaf, Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { LineSpans } from "./line-spans.ts";
import { LiteralFilter } from "./literal-filter.ts";
import {
  findKnown,
  findLiterals,
  type KnownInLines,
  type LiteralPlaces,
  literalsOf,
  visitLiterals,
} from "./literals.ts";

/** A longer text of the agent (such as a file that it writes) does not name its contents. */
const LONG_TEXT = 2_000;

/** The literals that the user and the agent have named so far, in their texts and in the inputs of calls. */
export class Named {
  /** By literal, the last turn whose user message names it, or `BY_AGENT`. */
  readonly #turns = new Map<string, number>();
  /** Contains all of these literals; after a rollback, possibly also removed ones. */
  readonly #filter = new LiteralFilter();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(from: number, to: number): void {
    const { undoLog, turn } = this.#transcript;
    for (let i = from; i < to; i++) {
      const part = this.#transcript.part(i);
      const byUser = isPrompt(part);
      const at = byUser ? (turn[i] ?? 0) : BY_AGENT;
      for (const leaf of leavesOf(part, byUser)) {
        visitLiterals(leaf.text, literalsOf(leaf), (literal) => {
          const known = this.#turns.get(literal);
          if (known === undefined || known < at) undoLog.set(this.#turns, literal, at);
          if (known === undefined) this.#filter.add(literal);
        });
      }
    }
  }

  has(literal: string): boolean {
    return this.#turns.has(literal);
  }

  /** Has a user message named it? */
  isByUser(literal: string): boolean {
    return (this.#turns.get(literal) ?? BY_AGENT) !== BY_AGENT;
  }

  mayHave(text: string, from: number, to: number): boolean {
    return this.#filter.mayHave(text, from, to);
  }

  /**
   * The named literals of a text.
   *
   * @param longest longer lines are left out
   */
  findIn(spans: LineSpans, longest: number, places: LiteralPlaces = findLiterals(spans.text)): KnownInLines {
    return findKnown(spans, places, this, longest);
  }

  /** 0: nobody named it; 2: the newest user message did; 1: any other text did. */
  weight(literal: string): number {
    const turn = this.#turns.get(literal);
    if (turn === undefined) return 0;
    return turn === this.#transcript.lastTurn ? 2 : 1;
  }
}

const BY_AGENT = -1;

function isPrompt(part: Part): boolean {
  return part.kind === "text" && part.role === "user" && !part.synthetic;
}

function leavesOf(part: Part, byUser: boolean): readonly Leaf[] {
  if (byUser) return part.leaves;
  const isAgents = part.kind === "call" || (part.kind === "text" && part.role === "assistant");
  return isAgents ? part.leaves.filter(({ text }) => text.length <= LONG_TEXT) : NO_LEAVES;
}

const NO_LEAVES: readonly Leaf[] = [];

/** The same, faster for one text, which is scanned once. */
export class NamedInText implements Pick<Named, "weight" | "findIn"> {
  readonly #named: Named;
  readonly #text: string;
  readonly #leaf: Leaf | undefined;
  #places: LiteralPlaces | undefined;

  /** @param leaf the leaf with this text, if there is one */
  constructor(named: Named, text: string, leaf: Leaf | undefined) {
    this.#named = named;
    this.#text = text;
    this.#leaf = leaf;
  }

  weight(literal: string): number {
    return this.#named.weight(literal);
  }

  findIn(spans: LineSpans, longest: number): KnownInLines {
    if (spans.text !== this.#text) return this.#named.findIn(spans, longest);
    if (this.#leaf) return this.#named.findIn(spans, longest, literalsOf(this.#leaf));
    this.#places ??= findLiterals(this.#text);
    return this.#named.findIn(spans, longest, this.#places);
  }
}
