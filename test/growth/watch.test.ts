import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWatch } from "./watch.ts";

/** Families of three cases, of which the second never ends in one of them. */
const WORKER = `
import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ family, from }) => {
  const names = ["first", family, "last"];
  for (let index = from; index < names.length; index++) {
    parentPort.postMessage({ begins: { size: 64, allowed: 20 }, index, name: names[index] });
    for (;;) if (names[index] !== "hangs") break;
  }
  parentPort.postMessage({ grows: "last: too fast" });
  parentPort.postMessage({ ends: names.length });
});
`;

test("a hanging case is ended and named, and the rest continues", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-growth-"));
  try {
    const file = join(folder, "worker.mjs");
    writeFileSync(file, WORKER);
    const watch = openWatch(file);
    const last = "last: too fast";
    try {
      expect(await watch.growthOf("ends")).toEqual({ cases: 3, grows: [last] });
      const hangs = "hangs: ended after 60 ms at 64";
      expect(await watch.growthOf("hangs")).toEqual({ cases: 3, grows: [hangs, last] });
      expect(await watch.growthOf("ends")).toEqual({ cases: 3, grows: [last] });
    } finally {
      await watch.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
