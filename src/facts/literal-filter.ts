const SLOTS = 1 << 15;

/** Quickly excludes most runs of a text that are not among its literals, without making a string of each run. */
export class LiteralFilter {
  readonly #slots = new Uint8Array(SLOTS);

  add(literal: string): void {
    this.#slots[slotOf(literal, 0, literal.length)] = 1;
  }

  mayHave(text: string, from: number, to: number): boolean {
    return this.#slots[slotOf(text, from, to)] === 1;
  }
}

/** A hash of the length and of the first, middle and last character. */
function slotOf(text: string, from: number, to: number): number {
  const length = to - from;
  if (length === 0) return 0;
  const middle = text.charCodeAt(from + (length >> 1));
  return (
    (text.charCodeAt(from) * 31 + text.charCodeAt(to - 1) * 641 + middle * 127 + length * 4_099) & (SLOTS - 1)
  );
}
