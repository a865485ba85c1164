/** A case with growing input, to measure how its time grows. */
export interface Case {
  readonly name: string;
  /** Rising: of characters, steps, entries. */
  readonly sizes: readonly number[];
  /** Makes the input, which is not timed; the function that it returns is. */
  prepare(size: number): () => unknown;
}

/** One run, before it begins. */
export interface Run {
  readonly size: number;
  /** Its time limit, in milliseconds of the processor. */
  readonly allowed: number;
}

/** Time that does not matter: faster cases pass, whatever their growth. */
const FLOOR = 150;

/** For the smallest size, which has nothing to compare with: a hang, not a limit. */
const HANGS = 20_000;

/** Linear is 1, quadratic 2. The range between leaves room for a noisy machine. */
const POWER = 1.5;

/** If a case is suspicious, both sizes are run again this many times, and the fastest run of each counts. */
const TRIES = 5;

/**
 * Reports a case whose time grows too fast. The largest size comes first: most cases are so fast there that no
 * comparison is needed. And the other sizes then run without the compiler's time, which would hide growth.
 *
 * @param begins is called before every run, so that a run that never ends can be ended
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

/** Time of the processor: other programs on the machine do not count. */
function timeRun(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
