/** The uncertainty of a figure that was estimated from conversations. */
export interface Uncertainty {
  /** The variance of the figure, or of its logarithm. */
  readonly variance: number;
  /** The number of equally long conversations with the same information. */
  readonly worth: number;
}

/** Welch's degrees of freedom. */
export function freedom(a: Uncertainty, b: Uncertainty): number {
  const parts = a.variance ** 2 / (a.worth - 1) + b.variance ** 2 / (b.worth - 1);
  return parts === 0 ? Number.POSITIVE_INFINITY : (a.variance + b.variance) ** 2 / parts;
}

const NORMAL = 1.959964;

/** The 97.5 percent quantile of Student's t, by its expansion around the normal one: good to 0.01 from 6 on. */
export function quantile(freedom: number): number {
  const z = NORMAL;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / freedom + second / freedom ** 2;
}
