import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDebugLog } from "../../src/hosts/plugin/debug-log.ts";
import { StatisticsFile } from "../../src/hosts/plugin/statistics-file.ts";
import { writeRecordingText } from "../../src/recordings/files.ts";
import { makeFolder } from "../../src/stores/make-folder.ts";

/** Node's own `mkdir` never comes back from such a place (`test/stores/processes.test.ts` has the store). */
test.runIf(process.platform === "linux")("no writer hangs if a folder can't be made", async () => {
  const nowhere = "/proc/nowhere/a/b";
  expect(() => makeFolder(nowhere)).toThrow("ENOENT");
  await expect(writeRecordingText(join(nowhere, "s.jsonl"), { text: "", packed: false })).rejects.toThrow();
  createDebugLog(join(nowhere, "log"))({ event: 1 });
  const statistics = new StatisticsFile(join(nowhere, "statistics.json"));
  statistics.record("s", statistics.total());
  expect(statistics.total().saved).toBe(0);
});

test("only makeFolder makes folders", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const makers = files.filter((file) => /\bmkdir(?:Sync)?\(/.test(readFileSync(join("src", file), "utf8")));
  expect(files.length).toBeGreaterThan(400);
  expect(makers).toEqual(["stores/make-folder.ts"]);
});
