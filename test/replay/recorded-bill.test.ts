import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { mergeLevels } from "../../src/config/merge.ts";
import { readRecording } from "../../src/recordings/files.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { scanBill } from "./scan-bill.ts";

// Recorded sessions are not part of the project: without the shared folder next to it there is nothing to add up.
const FOLDER = resolve("../shared/data/sessions");
const FILES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".gz"))
      .toSorted()
  : [];
const { config } = mergeLevels([]);

/** One recording of each kind is analyzed completely, with the savings of each preset, which takes time. */
const ANALYZED: ReadonlySet<string> = new Set(new Map(FILES.map((file) => [kindOf(file), file])).values());

function kindOf(file: string): string {
  return file.split("/")[0] ?? "";
}

/** The payments in analyze, without the parts that it estimated. */
async function analyzeRecorded(file: string): Promise<number> {
  const read = await readRecording(join(FOLDER, file));
  if (!read.ok) throw new Error(read.issue.message);
  return ANALYZED.has(file) ? sumAnalysis(read.value, file) : sumBook(read.value);
}

function sumAnalysis(recording: Recording, file: string): number {
  return analyzeSession(recording, file, config, () => undefined)
    .days.flatMap(({ models }) => models)
    .reduce((sum, { dollars, estimated }) => sum + dollars - estimated, 0);
}

/** The book that analyze adds up. */
function sumBook(recording: Recording): number {
  const { prices, model: pricedAs } = config.schedule;
  return prepareReplay(recording, { prices, pricedAs, evidence: false }).book.entries.reduce(
    (sum, { input, output, estimated, unpriced }) =>
      unpriced ? sum : sum + (estimated.input ? 0 : input) + (estimated.output ? 0 : output),
    0,
  );
}

describe.skipIf(FILES.length === 0)("analyze shows the recorded amounts", () => {
  const sums = { analyzed: 0, scanned: 0 };

  test.each(FILES)("%s", async (file) => {
    const scanned = scanBill(kindOf(file), gunzipSync(readFileSync(join(FOLDER, file))).toString());
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
