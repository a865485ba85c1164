/**
 * Were the lines of a run's final patch in view when they were edited, in runs that solved their task and in runs that did not:
 * `npm run bench:outcomes -- FOLDER [--policies A,B] [--before CHECKOUT] [--json] [--page FILE]`. The folder has an
 * `OUTCOMES.tsv`; policies are those of `bench:economics`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { readRecording } from "../src/recordings/index.ts";
import { prepareReplay } from "../src/replay/index.ts";
import { fillPage } from "./economics/fill-page.ts";
import { type BenchPolicy, choosePolicies } from "./economics/policies.ts";
import { takeApartOnce } from "./economics/take-apart-once.ts";
import { measurePatch, type PatchFigures, placeHunks } from "./outcomes/measure-run.ts";
import { type JudgedRun, listRuns, readSubmission } from "./outcomes/read-outcomes.ts";
import { readPatch } from "./outcomes/read-patch.ts";
import { formatOutcomes, type RunFigures } from "./outcomes/table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    policies: { type: "string", default: "Coppice" },
    before: { type: "string" },
    json: { type: "boolean", default: false },
    page: { type: "string" },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    "usage: npm run bench:outcomes -- FOLDER [--policies A,B] [--before CHECKOUT] [--json] [--page FILE]",
  );
  process.exit(2);
}
const policies = choosePolicies({
  policies: values.policies.split(","),
  configs: [],
  before: values.before,
  overheadTokens: 0,
});
const runs: RunFigures[] = [];
for (const run of listRuns(folder)) {
  const figures = await replayRun(run, policies);
  if (figures) runs.push(figures);
}
const table = formatOutcomes(runs);
console.log(values.json ? JSON.stringify(runs, null, 1) : table);
if (values.page !== undefined) {
  const section = { key: "outcomes", title: "", table };
  await writeFile(values.page, fillPage(await readFile(values.page, "utf8"), [section]));
}

async function replayRun(
  { path, outcome }: JudgedRun,
  chosen: readonly BenchPolicy[],
): Promise<RunFigures | undefined> {
  const read = await readRecording(path);
  if (!read.ok) {
    process.stderr.write(`left out: ${path}: ${read.issue.message}\n`);
    return undefined;
  }
  const recording = read.value;
  takeApartOnce(recording.format);
  const bench = prepareReplay(recording);
  const hunks = readPatch(readSubmission(path));
  const placed = placeHunks(recording, bench, hunks);
  const figures: PatchFigures[] = [];
  for (const policy of chosen)
    figures.push(measurePatch(recording, placed, bench.run(await policy.open(recording))));
  return { file: path, outcome, hunks: hunks.length, policies: figures };
}
