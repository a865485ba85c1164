/**
 * How the provider's count differs from the estimate: by the text before the first message (a system prompt and tools
 * that we do not see), and by its tokenizer. The first reading shows the former, later growth the latter.
 */
export interface Calibration {
  readonly first: Reading | undefined;
  /** The provider's tokens per estimated token. */
  readonly ratio: number;
}

interface Reading {
  readonly counted: number;
  readonly estimated: number;
}

export const UNCALIBRATED: Calibration = { first: undefined, ratio: 1 };

/** In tokens. Less growth is not enough to measure the ratio. */
const ENOUGH_GROWTH = 5_000;
const LEAST_RATIO = 0.7;
const MOST_RATIO = 1.6;

export function calibrate({ first, ratio }: Calibration, reading: Reading): Calibration {
  if (!first) return { first: reading, ratio };
  const grown = reading.estimated - first.estimated;
  if (grown < ENOUGH_GROWTH) return { first, ratio };
  const measured = (reading.counted - first.counted) / grown;
  return { first, ratio: Math.min(MOST_RATIO, Math.max(LEAST_RATIO, measured)) };
}

/** Predicts the provider's count for a request of this many estimated tokens. */
export function predict({ first, ratio }: Calibration, estimated: number): number {
  return first ? Math.max(0, Math.round(first.counted + ratio * (estimated - first.estimated))) : estimated;
}
