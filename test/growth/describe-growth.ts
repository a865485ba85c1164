import { afterAll, beforeAll, expect, test } from "vitest";
import type { families } from "./families.ts";
import { bundleWorker, watchGrowth } from "./watch.ts";

/** Far more than any family takes: what hangs is ended and named before. */
const TIMEOUT = 1_800_000;

/** Asks of each family that the time of none of its cases grows faster than what it is given. */
export function describeGrowth(names: readonly (keyof typeof families)[]): void {
  let bundle: Awaited<ReturnType<typeof bundleWorker>>;

  beforeAll(async () => {
    bundle = await bundleWorker();
  });

  afterAll(() => bundle.remove());

  test.each(names)("time does not grow faster than size: %s", { timeout: TIMEOUT }, async (family) => {
    const { cases, grows } = await watchGrowth(bundle.file, family);
    expect(grows).toEqual([]);
    expect(cases).toBeGreaterThan(0);
  });
}
