import type { Transcript } from "../transcript/transcript.ts";

/**
 * An age cursor in tokens: the newest `size` tokens of the counted parts are inside, a part that straddles the edge
 * too. Measured on the original transcript, so parts only ever leave.
 */
export class TokenWindow {
  readonly #state = { edge: 0, inside: 0 };
  readonly #transcript: Transcript;
  readonly #size: number;
  readonly #counts: (index: number) => boolean;

  constructor(transcript: Transcript, size: number, counts: (index: number) => boolean) {
    this.#transcript = transcript;
    this.#size = size;
    this.#counts = counts;
  }

  /** Takes in the parts `from … to` and gives the counted parts that have just left the window, oldest first. */
  ingest(from: number, to: number): readonly number[] {
    const { journal, tokens } = this.#transcript;
    let { edge, inside } = this.#state;
    for (let i = from; i < to; i++) if (this.#counts(i)) inside += tokens[i] ?? 0;
    const left: number[] = [];
    for (; edge < to; edge++) {
      if (!this.#counts(edge)) continue;
      const size = tokens[edge] ?? 0;
      if (inside - size < this.#size) break;
      inside -= size;
      left.push(edge);
    }
    journal.put(this.#state, "edge", edge);
    journal.put(this.#state, "inside", inside);
    return left;
  }
}
