const SLOTS = 1 << 15;

/** Quickly excludes most runs of a text that are not among its literals, without making a string of each run. */
export class LiteralFilter {
  /** A bit for each slot. */
  readonly #bits = new Uint8Array(SLOTS / 8);

  add(literal: string): void {
    const slot = slotOf(literal, 0, literal.length);
    this.#bits[slot >> 3] = (this.#bits[slot >> 3] ?? 0) | (1 << (slot & 7));
  }

  mayHave(text: string, from: number, to: number): boolean {
    const slot = slotOf(text, from, to);
    return ((this.#bits[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
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
