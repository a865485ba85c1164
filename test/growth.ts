import { cpuUsage } from "node:process";
import { expect } from "vitest";

/** Linear work takes 4 times as long for 4 times as much; quadratic work takes 16 times as long. */
const FACTOR = 4;
const LIMIT = 8;
const TRIES = 5;

/** Fails if four times the size takes far more than four times the work, in every attempt. */
export function expectInProportion(size: number, run: (size: number) => unknown): void {
  run(size);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && least > LIMIT; i++) {
    const once = spend(() => run(size));
    least = Math.min(least, spend(() => run(FACTOR * size)) / Math.max(once, 1_000));
  }
  expect(least, `times the work of size ${size} for size ${FACTOR * size}`).toBeLessThanOrEqual(LIMIT);
}

/** In microseconds of this process: other work of the machine does not count. */
function spend(run: () => unknown): number {
  const before = cpuUsage();
  run();
  const { user, system } = cpuUsage(before);
  return user + system;
}
