import type { Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { LiteralFilter } from "./literal-filter.ts";
import { listLiterals } from "./literals.ts";

/** A longer text of the agent's (a file that it writes) does not count as naming what it holds. */
const LONG_TEXT = 2_000;

/** The literals that the user and the agent have named so far, in what they said and in the inputs of calls. */
export class Named {
  /** By literal, the last turn whose user message names it, or `BY_AGENT`. */
  readonly #turns = new Map<string, number>();
  /** Has all of these literals; after a rollback perhaps also some that are gone. */
  readonly #filter = new LiteralFilter();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(from: number, to: number): void {
    const { journal, turn } = this.#transcript;
    for (let i = from; i < to; i++) {
      const part = this.#transcript.part(i);
      const byUser = isPrompt(part);
      const at = byUser ? (turn[i] ?? 0) : BY_AGENT;
      for (const text of textsOf(part, byUser)) {
        for (const literal of listLiterals(text)) {
          const known = this.#turns.get(literal);
          if (known === undefined || known < at) journal.set(this.#turns, literal, at);
          this.#filter.add(literal);
        }
      }
    }
  }

  has(literal: string): boolean {
    return this.#turns.has(literal);
  }

  mayHave(text: string, from: number, to: number): boolean {
    return this.#filter.mayHave(text, from, to);
  }

  /** 0: nobody named it; 2: the newest user message did; else 1. */
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

function textsOf(part: Part, byUser: boolean): readonly string[] {
  if (byUser) return part.leaves.map(({ text }) => text);
  const isAgents = part.kind === "call" || (part.kind === "text" && part.role === "assistant");
  if (!isAgents) return [];
  return part.leaves.flatMap(({ text }) => (text.length <= LONG_TEXT ? text : []));
}
