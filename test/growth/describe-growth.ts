import { afterAll, beforeAll, expect, test } from "vitest";
import type { families } from "./families.ts";
import { bundleWorker, openWatch, type Watch } from "./watch.ts";

/** Far more than any family takes: a hanging case is ended and named before this. */
const TIMEOUT = 1_800_000;

/** Checks for each family that no case takes time that grows faster than its input. */
export function describeGrowth(names: readonly (keyof typeof families)[]): void {
  let bundle: Awaited<ReturnType<typeof bundleWorker>>;
  let watch: Watch;

  beforeAll(async () => {
    bundle = await bundleWorker();
    watch = openWatch(bundle.file);
  });

  afterAll(async () => {
    await watch.close();
    bundle.remove();
  });

  test.each(names)("time does not grow faster than size: %s", { timeout: TIMEOUT }, async (family) => {
    const { cases, grows } = await watch.growthOf(family);
    expect(grows).toEqual([]);
    expect(cases).toBeGreaterThan(0);
  });
}
