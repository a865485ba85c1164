import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { mergeLevels } from "../../src/config/merge.ts";
import { readRecording } from "../../src/recordings/files.ts";
import { scanBill } from "./scan-bill.ts";

// Recorded sessions are not part of the project: without the shared folder beside it there is nothing to add up.
const FOLDER = resolve("../shared/data/sessions");
const FILES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".gz"))
      .toSorted()
  : [];
const { config } = mergeLevels([]);

/** What analyze says was paid, without what it estimated where nothing was recorded. */
async function analyzeRecorded(file: string): Promise<number> {
  const read = await readRecording(join(FOLDER, file));
  if (!read.ok) throw new Error(read.issue.message);
  const { days } = analyzeSession(read.value, file, config, () => undefined);
  return days
    .flatMap(({ models }) => models)
    .reduce((sum, { dollars, estimated }) => sum + dollars - estimated, 0);
}

describe.skipIf(FILES.length === 0)("what analyze shows is what was recorded", () => {
  const sums = { analyzed: 0, scanned: 0 };

  test.each(FILES)("%s", async (file) => {
    const scanned = scanBill(
      file.split("/")[0] ?? "",
      gunzipSync(readFileSync(join(FOLDER, file))).toString(),
    );
    const analyzed = await analyzeRecorded(file);
    expect(analyzed, basename(file)).toBeCloseTo(scanned, 4);
    sums.analyzed += analyzed;
    sums.scanned += scanned;
  });

  test("all of them, to the cent", () => {
    expect(sums.analyzed.toFixed(2)).toBe(sums.scanned.toFixed(2));
    expect(sums.scanned).toBeGreaterThan(500);
  });
});
