/**
 * How likely is a text needed again? Counted on recorded sessions: `npm run bench:risk -- FOLDER`. The tables of all
 * sessions are those of `src/risk/need-table.ts`; how well they foretell a project that they have not seen is shown by
 * leaving out one project at a time.
 */
import { readRecording } from "../src/recordings/index.ts";
import { projectOf } from "./economics/project-of.ts";
import { listSessions } from "./economics/sessions.ts";
import { collectUses, type Result } from "./risk/collect-uses.ts";
import { formatEdits, formatLeftOut, formatNames } from "./risk/format.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run bench:risk -- FOLDER");
  process.exit(2);
}
const projects = new Map<string, Result[]>();
for (const file of listSessions([folder], undefined)) {
  const read = await readRecording(file);
  if (!read.ok) continue;
  const project = projectOf(file, read.value);
  const own = projects.get(project) ?? [];
  projects.set(project, own);
  for (const result of collectUses(read.value)) own.push(result);
}
const all = [...projects.values()].flat();
console.log([formatNames(all), formatEdits(all), formatLeftOut(projects)].join("\n\n"));
