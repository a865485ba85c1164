/**
 * What `coppice wrap --lean claude` would have left out of recorded sessions of Claude Code, and what they would have missed:
 * `npm run bench:lean -- FOLDER [--keep Agent,Skill] [--page docs/lean.md]`. With `--page` the table goes into the page.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { PROBES } from "../src/cli/context/probes.ts";
import { readRecording } from "../src/recordings/index.ts";
import { fillPage } from "./economics/fill-page.ts";
import { listSessions } from "./economics/sessions.ts";
import { CLAUDE_CODE, defineTool } from "./lean/definitions.ts";
import { measureSession } from "./lean/measure-session.ts";
import { type LeanSession, playLean } from "./lean/play-lean.ts";
import { formatLean, formatRegrets, type LeanProject } from "./lean/table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: "string", default: "" }, page: { type: "string", multiple: true, default: [] } },
});
if (positionals.length === 0) {
  console.error("usage: npm run bench:lean -- FOLDER [--keep TOOL,TOOL] [--page FILE]");
  process.exit(2);
}
const report = describe(play(await measureAll(positionals)));
console.log(report);
for (const page of values.page) {
  const section = { key: "lean", title: "", table: report };
  await writeFile(page, fillPage(await readFile(page, "utf8"), [section]));
}

/** By project: the folder that the agent worked in, as `--lean` has it. */
async function measureAll(paths: readonly string[]): Promise<ReadonlyMap<string, readonly LeanSession[]>> {
  const projects = new Map<string, LeanSession[]>();
  for (const file of listSessions(paths, undefined)) {
    const read = await readRecording(file);
    const project = read.ok ? read.value.project : undefined;
    if (!read.ok || read.value.source !== "claude-code" || project === undefined) {
      process.stderr.write(`left out: ${file}: no session of Claude Code with a folder\n`);
      continue;
    }
    const others = projects.get(project) ?? [];
    projects.set(project, [...others, measureSession(read.value, CLAUDE_CODE)]);
  }
  return projects;
}

function play(projects: ReadonlyMap<string, readonly LeanSession[]>): readonly LeanProject[] {
  const kept = values.keep.split(",");
  const isKept = (tool: string) => kept.includes(tool) || PROBES.claude?.lean?.needed.test(tool) === true;
  const called = [...projects.values()].flat().flatMap(({ use }) => use.tools.map(({ name }) => name));
  const all = [...new Set(called)].map((name) => defineTool(name, 0));
  return [...projects].map(([project, sessions]) => ({
    // The end of the path: the rest says who worked there.
    name: project.slice(1 + Math.max(project.lastIndexOf("/"), project.lastIndexOf("\\"))),
    outcomes: playLean(sessions, { project, items: CLAUDE_CODE.items, isKept }),
    withAllTools: playLean(sessions, { project, items: all, isKept }),
  }));
}

function describe(projects: readonly LeanProject[]): string {
  const { client, date } = CLAUDE_CODE;
  return [
    `sizes of definitions: today's, ${client} on ${date}`,
    "",
    formatLean(projects),
    "",
    `sessions that called a tool which was left out: ${formatRegrets(projects.flatMap(({ outcomes }) => outcomes))}`,
    `if all tools were sent: ${formatRegrets(projects.flatMap(({ withAllTools }) => withAllTools))}`,
  ].join("\n");
}
