/** Bill and evidence of Coppice and of its peers over recorded sessions: `npm run bench:economics -- --help`. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { fillPage } from "./economics/fill-page.ts";
import type { SessionFit } from "./economics/fit-session.ts";
import { HELP, type Options, readOptions, type Terms } from "./economics/options.ts";
import { choosePolicies } from "./economics/policies.ts";
import { replaySession, type SessionFigures } from "./economics/replay-session.ts";
import { replaySessions } from "./economics/replay-sessions.ts";
import { listSessions } from "./economics/sessions.ts";
import { describeRun, formatReport, listSections, summarizePolicies } from "./economics/tables.ts";

if (isMainThread) await main(process.argv.slice(2));
else serve(workerData);

/** A worker: files in, figures out. */
function serve(terms: Terms): void {
  parentPort?.on("message", async (file: string) =>
    parentPort?.postMessage(await replaySession(file, terms)),
  );
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOrExplain(args);
  if (!options) return;
  const files = listSessions(options.paths, options.half);
  const outcomes = await replaySessions(files, options, {
    script: new URL(import.meta.url),
    workers: options.workers,
  });
  for (const outcome of outcomes)
    if (!outcome.ok) process.stderr.write(`left out: ${outcome.file}: ${outcome.why}\n`);
  const sessions = outcomes.flatMap((outcome) => (outcome.ok ? outcome.figures : []));
  const fits = outcomes.flatMap((outcome) => (outcome.ok ? outcome.figures : (outcome.fit ?? [])));
  const report = formatReport(sessions, options, fits);
  console.log(options.json ? JSON.stringify(sessions, null, 1) : report);
  if (options.out !== undefined && sessions.length > 0)
    await writeResults(options.out, sessions, options, report);
  if (options.page !== undefined) await updatePage(options.page, sessions, options, fits);
}

async function writeResults(
  folder: string,
  sessions: readonly SessionFigures[],
  options: Options,
  report: string,
): Promise<void> {
  // The drawing libraries are no business of the workers.
  const { drawPicture, writePicture } = await import("./economics/picture.ts");
  await mkdir(folder, { recursive: true });
  const path = join(folder, nameResults(options));
  await writeFile(`${path}.txt`, `${report}\n`);
  await writePicture(path, drawPicture(summarizePolicies(sessions), describeRun(sessions, options)));
  process.stderr.write(`${path}.txt, .svg, .png\n`);
}

/** A run on the sample does not overwrite one on real sessions. */
function nameResults({ paths }: Options): string {
  return paths.length === 0 ? "sample" : "economics";
}

/** The project's page shows the run that its figures come from: tables and picture. */
async function updatePage(
  path: string,
  sessions: readonly SessionFigures[],
  options: Options,
  fits: readonly SessionFit[],
): Promise<void> {
  const run = { key: "run", title: "", table: describeRun(sessions, options) };
  const page = fillPage(await readFile(path, "utf8"), [run, ...listSections(sessions, options, fits)]);
  await writeFile(path, page.replace(/\bresults\/\w+\.png/g, `results/${nameResults(options)}.png`));
}

function readOrExplain(args: readonly string[]): Options | undefined {
  try {
    const options = readOptions(args);
    choosePolicies(options);
    if (!options.help) return options;
    console.log(HELP);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
  return undefined;
}
