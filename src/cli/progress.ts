import type { Screen } from "./screen.ts";

/** Shorter work shows no progress. In milliseconds. */
const PATIENCE = 1_000;
const FRAME = 100;
const WIDTH = 24;

/**
 * The progress of long work, on a terminal, shown after a second.
 *
 *   [##########--------------] 84 of 200 sessions
 */
export class Progress {
  readonly #screen: Screen;
  readonly #total: number;
  readonly #noun: string;
  #next: number = performance.now() + PATIENCE;

  constructor(screen: Screen, total: number, noun: string) {
    this.#screen = screen;
    this.#total = total;
    this.#noun = noun;
  }

  update(done: number): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + FRAME;
    const filled = Math.round((WIDTH * done) / Math.max(1, this.#total));
    const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
    this.#screen.status(`[${bar}] ${done} of ${this.#total} ${this.#noun}`);
  }

  end(): void {
    this.#screen.status("");
  }
}
