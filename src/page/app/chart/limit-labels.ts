/** A line across the chart at a fixed amount. */
export interface LimitLine {
  readonly text: string;
  /** In pixels from the top. */
  readonly y: number;
}

export interface LimitLabel extends LimitLine {
  /** The middle of the label, in pixels from the top. */
  readonly middle: number;
}

const LINE = 16;
const OFFSET = 10;

/**
 * Puts each label above its line, or below it if another is in the way. A label without room is left out: the
 * legend has it.
 */
export function placeLimitLabels(
  lines: readonly LimitLine[],
  frame: { readonly top: number; readonly bottom: number },
): readonly LimitLabel[] {
  const placed: LimitLabel[] = [];
  for (const line of lines.toSorted((a, b) => a.y - b.y)) {
    const middle = [line.y - OFFSET, line.y + OFFSET].find(
      (y) =>
        y - LINE / 2 >= frame.top &&
        y + LINE / 2 <= frame.bottom &&
        placed.every((other) => Math.abs(other.middle - y) >= LINE),
    );
    if (middle !== undefined) placed.push({ ...line, middle });
  }
  return placed;
}
