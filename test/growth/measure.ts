/** Something that is given more and more, to see how its time grows. */
export interface Case {
  readonly name: string;
  /** Rising: of characters, steps, entries. */
  readonly sizes: readonly number[];
  /** Makes the input, which is not timed; what it gives is. */
  prepare(size: number): () => unknown;
}

/** One run, before it begins. */
export interface Run {
  readonly size: number;
  /** What it may take, in milliseconds of the processor. */
  readonly allowed: number;
}

/** Time that does not matter. All that is faster passes, however it grows. */
const FLOOR = 150;

/** For the smallest size, which there is nothing to compare with: a hang and no limit. */
const HANGS = 20_000;

/** Linear is 1, quadratic 2. Between them there is room for a noisy machine. */
const POWER = 1.5;

/** On suspicion both sizes are run again so many times, and the fastest run of each counts. */
const TRIES = 5;

/**
 * Says how the time of a case grows too fast, or nothing. The largest size comes first: most cases are so quick there
 * that there is nothing to compare. And the others are then run without the compiler's time, which would allow too much.
 *
 * @param begins is told of every run before it begins, so that somebody can end one that does not end itself
 */
export function findFastGrowth(
  { name, sizes, prepare }: Case,
  begins: (run: Run) => void,
): string | undefined {
  const time = (size: number, allowed: number = HANGS): number => {
    begins({ size, allowed: HANGS });
    const run = prepare(size);
    begins({ size, allowed });
    return timeRun(run);
  };
  const largest = sizes.at(-1) ?? 0;
  const first = time(largest);
  if (first <= FLOOR) return undefined;
  let before: Measured | undefined;
  for (const size of sizes) {
    let allowed = before ? allowedAt(size, before) : HANGS;
    let took = size === largest ? first : time(size, allowed);
    for (let tries = 1; before && took > allowed && tries < TRIES; tries++) {
      before = { size: before.size, took: Math.min(before.took, time(before.size)) };
      allowed = allowedAt(size, before);
      took = Math.min(took, time(size, allowed));
    }
    if (before && took > allowed) return `${name}: ${show(before)}, ${show({ size, took })}`;
    before = { size, took };
  }
  return undefined;
}

interface Measured {
  readonly size: number;
  readonly took: number;
}

function allowedAt(size: number, before: Measured): number {
  return Math.max(FLOOR, before.took * (size / before.size) ** POWER);
}

function show({ size, took }: Measured): string {
  return `${took.toFixed(1)} ms at ${size}`;
}

/** Time of the processor: what else runs on the machine does not count. */
function timeRun(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
