import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchGrowth } from "./watch.ts";

/** Three cases, of which the second never ends. */
const WORKER = `
import { parentPort, workerData } from "node:worker_threads";
const names = ["first", "hangs", "last"];
for (let index = workerData.from; index < names.length; index++) {
  parentPort.postMessage({ begins: { size: 64, allowed: 20 }, index, name: names[index] });
  for (;;) if (names[index] !== "hangs") break;
}
parentPort.postMessage({ grows: "last: too fast" });
parentPort.postMessage({ ends: names.length });
`;

test("what hangs is ended and named, and the rest goes on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-growth-"));
  try {
    const file = join(folder, "worker.mjs");
    writeFileSync(file, WORKER);
    const { cases, grows } = await watchGrowth(file, "any");
    expect(cases).toBe(3);
    expect(grows).toEqual(["hangs: ended after 60 ms at 64", "last: too fast"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
