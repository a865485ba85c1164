import { afterAll, beforeAll, expect, test } from "vitest";
import { families } from "./growth/families.ts";
import { bundleWorker, watchGrowth } from "./growth/watch.ts";

let bundle: Awaited<ReturnType<typeof bundleWorker>>;

beforeAll(async () => {
  bundle = await bundleWorker();
});

afterAll(() => bundle.remove());

test.each(Object.keys(families))(
  "time does not grow faster than size: %s",
  { timeout: 1_800_000 },
  async (family) => {
    const { cases, grows } = await watchGrowth(bundle.file, family);
    expect(grows).toEqual([]);
    expect(cases).toBeGreaterThan(0);
  },
);
