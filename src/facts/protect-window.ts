import type { Transcript } from "../transcript/transcript.ts";

/** This many of the newest turns are also inside, unless one of them alone is larger than the window. */
const PROTECTED_TURNS = 2;

/**
 * The text that is too recent to be cut by age: the newest `size` tokens of tool results (a result that crosses the
 * edge is inside), and the last two turns. Measured on the original transcript, so parts never come back in.
 */
export class ProtectWindow {
  readonly #state = { edge: 0, tokenEdge: 0, inside: 0 };
  /** Tokens of results per turn. */
  readonly #turns = new Map<number, number>();
  readonly #transcript: Transcript;
  readonly #size: number;

  constructor(transcript: Transcript, size: number) {
    this.#transcript = transcript;
    this.#size = size;
  }

  /** Parts before this one are old. */
  get edge(): number {
    return this.#state.edge;
  }

  /** Adds the parts `from … to` and returns the parts, of any kind, that have just left the window, oldest first. */
  ingest(from: number, to: number): readonly number[] {
    const { undoLog } = this.#transcript;
    this.#count(from, to);
    const before = this.#state.edge;
    const edge = Math.max(before, Math.min(this.#state.tokenEdge, this.#turnEdge()));
    undoLog.put(this.#state, "edge", edge);
    return Array.from({ length: edge - before }, (_, i) => before + i);
  }

  #count(from: number, to: number): void {
    const { undoLog, turn, tokens } = this.#transcript;
    let { tokenEdge, inside } = this.#state;
    for (let i = from; i < to; i++) {
      if (!this.#isResult(i)) continue;
      const size = tokens[i] ?? 0;
      inside += size;
      undoLog.set(this.#turns, turn[i] ?? 0, (this.#turns.get(turn[i] ?? 0) ?? 0) + size);
    }
    for (; tokenEdge < to; tokenEdge++) {
      const size = this.#isResult(tokenEdge) ? (tokens[tokenEdge] ?? 0) : 0;
      if (inside - size < this.#size) break;
      inside -= size;
    }
    undoLog.put(this.#state, "tokenEdge", tokenEdge);
    undoLog.put(this.#state, "inside", inside);
  }

  #turnEdge(): number {
    const { lastTurn, turnStart, length } = this.#transcript;
    const first = lastTurn - PROTECTED_TURNS + 1;
    for (let turn = Math.max(0, first); turn <= lastTurn; turn++) {
      if ((this.#turns.get(turn) ?? 0) > this.#size) return length;
    }
    return turnStart[first] ?? 0;
  }

  #isResult(index: number): boolean {
    return this.#transcript.part(index).kind === "result";
  }
}
