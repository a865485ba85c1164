import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Call, Client, Session } from "../clients/client.ts";
import { resultsIn } from "../clients/results-in.ts";
import { type Ran, runClient } from "../clients/run-client.ts";
import { doneWith, promptFor, work } from "../clients/work.ts";
import type { Received } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { claudePlugin, installPlugin, REPOSITORY } from "./install-plugin.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { wrapped } from "./wrapped-client.ts";

const { read, edit, shell } = CLAUDE_CODE.tools;

/** Prints so many lines. Of the tests every n-th fails, or else four. Ends with 0, as behind `|| true`. */
const TESTS = `
const [, , lines, nth] = process.argv.map(Number);
const fails = (i) => (nth ? i % nth === 0 : [90, 91, 170, 171].includes(i));
for (let i = 0; i < lines; i++)
  console.log(fails(i) ? \`× total \${i} is rounded to cents\` : \`✓ total \${i} is added up, in order \${i} of the cart\`);
`;
const FAILED = [90, 91, 170, 171].map(failedLine);

function failedLine(i: number): string {
  return `× total ${i} is rounded to cents`;
}

/** The same, in the test. */
function outputOf(lines: number, nth?: number): string {
  const fails = (i: number) => (nth ? i % nth === 0 : [90, 91, 170, 171].includes(i));
  const lineOf = (i: number) =>
    fails(i) ? failedLine(i) : `✓ total ${i} is added up, in order ${i} of the cart`;
  return Array.from({ length: lines }, (_, i) => lineOf(i)).join("\n");
}

const FILE = Array.from(
  { length: 400 },
  (_, i) => `export const rate${i} = order.total * ${i}; // in euros`,
).join("\n");

interface Scene extends Prepared {
  run(session: Partial<Session> & Pick<Session, "prompt">, client?: Client): Promise<Ran>;
}

/** A model that makes these calls, one after the other, in a project with tests and a long file. */
async function setScene(
  calls: (place: Prepared["place"], request: Received) => readonly Call[],
): Promise<Scene> {
  let scene: Prepared | undefined;
  const prepared = await prepare(CLAUDE_CODE, (request) => {
    const { place } = scene as Prepared;
    const script = work({
      ...{ tools: CLAUDE_CODE.tools, cwd: place.cwd },
      instead: (n) => calls(place, request)[n],
    });
    return script(request);
  });
  scene = prepared;
  const { place, provider } = prepared;
  writeFileSync(join(place.cwd, "tests.mjs"), TESTS);
  writeFileSync(join(place.cwd, "rates.ts"), FILE);
  return {
    ...prepared,
    run: (session, client = CLAUDE_CODE) =>
      runClient(client, {
        ...{ home: place.home, cwd: place.cwd, baseUrl: provider.url, model: "claude-sonnet-4-5" },
        ...session,
      }),
  };
}

/** The same program, which asks before it does what it may not. */
const asking: Client = {
  ...CLAUDE_CODE,
  launch(session) {
    const { command, ...rest } = CLAUDE_CODE.launch(session);
    const [program, ...args] = command;
    const others = args.filter((word) => word !== "--dangerously-skip-permissions");
    return { ...rest, command: [program, ...others, "--allowedTools", "Bash(node:*)"] };
  },
};

/** The file that the mark of a shortened output names. */
function pathIn(result: string): string {
  const [, path = ""] =
    /\[Coppice shortened this output of [\d,]+ lines\. All of it is in (\S+): /.exec(result) ?? [];
  return path;
}

test("the manifests are valid", async () => {
  const { place } = await prepare(CLAUDE_CODE);
  const plugin = join(REPOSITORY, "dist/claude-plugin");
  const checks = [
    [REPOSITORY, "--strict"],
    [plugin, "--strict"],
    [plugin, "--profile", "directory"],
  ];
  for (const args of checks)
    expect(await claudePlugin(place.home, "validate", ...args)).toContain("Validation passed");
});

test("it installs from the package as npm packs it, and works", async () => {
  const scene = await setScene(() => [shell("node tests.mjs 400")]);
  const { home } = scene.place;
  const [file = ""] = execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--silent", "--pack-destination", home],
    {
      ...{ cwd: REPOSITORY, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    },
  ).split("\n");
  execFileSync("tar", ["-xzf", join(home, file), "-C", home]);
  await installPlugin(home, join(home, "package"));
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
  expect(await claudePlugin(home, "list")).toMatch(new RegExp(`coppice@coppice\\s+Version: ${version}`));
  const ran = await scene.run({ prompt: promptFor("first", 1) });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 1) });
  const [tests = ""] = resultsIn(lastOf(scene.provider));
  expect(readFileSync(pathIn(tests), "utf8")).toBe(outputOf(400));
});

test("a large output of a command is shortened, and can be read; files and searches are whole", async () => {
  const scene = await setScene(({ cwd }, request) => [
    shell("node tests.mjs 400"),
    read(pathIn(request.raw)),
    read(join(cwd, "rates.ts")),
    shell("grep -n euros rates.ts"),
    shell("node tests.mjs 10"),
    shell("node tests.mjs 2000"),
  ]);
  await installPlugin(scene.place.home);
  const ran = await scene.run({ prompt: promptFor("first", 6) }, asking);
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 6) });
  expect(scene.provider.refused).toEqual([]);
  const [tests = "", again = "", file = "", matches = "", small = "", huge = ""] = resultsIn(
    lastOf(scene.provider),
  );

  const whole = outputOf(400);
  expect(tests.length).toBeLessThan(0.7 * whole.length);
  for (const failed of FAILED) expect(tests).toContain(failed);
  const path = pathIn(tests);
  expect(readFileSync(path, "utf8")).toBe(whole);
  expect(path.startsWith(join(scene.place.home, ".local/share/coppice/outputs/"))).toBe(true);
  expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  // The agent may read it though it lies outside of the project.
  expect(again).toContain("200\t✓ total 199 is added up");

  for (const line of FILE.split("\n")) {
    expect(file).toContain(line);
    expect(matches).toContain(line);
  }
  expect(small).toContain(outputOf(10));

  // What Claude Code itself has put into a file: its preview ends long before the first failure.
  expect(huge).not.toContain("persisted-output");
  for (const failed of [...FAILED, "total 1999 is"]) expect(huge).toContain(failed);
  expect(huge.length).toBeLessThan(6_000);
  expect(readFileSync(pathIn(huge), "utf8").trimEnd()).toBe(outputOf(2000));
});

test("after a compaction the agent is told where its work stands", async () => {
  const scene = await setScene(({ cwd }, request) =>
    request.raw.includes("[talk after]")
      ? []
      : [
          read(join(cwd, "rates.ts")),
          edit(join(cwd, "rates.ts"), "export const rate0 = order.total * 0;", "export const rate0 = 0;"),
          { name: "TaskCreate", input: { subject: "Round the totals", description: "To cents." } },
          { name: "TaskCreate", input: { subject: "Add up the totals", description: "In order." } },
          { name: "TaskUpdate", input: { taskId: "2", status: "completed" } },
          shell("npm test -- totals; echo '× total 90 is rounded to cents'; exit 1"),
        ],
  );
  await installPlugin(scene.place.home);
  const env = { ENABLE_TOOL_SEARCH: "false" };
  const ran = await scene.run({ prompt: promptFor("first", 6), env });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 6) });
  const resume = String(ran.session);
  const compacted = await scene.run({ prompt: "/compact", resume, env });
  expect(compacted.code, compacted.stderr).toBe(0);
  const after = await scene.run({ prompt: promptFor("after", 0), resume, env });
  expect(after, after.stderr).toMatchObject({ code: 0, answer: doneWith("after", 0) });
  expect(scene.provider.refused).toEqual([]);
  const { raw } = lastOf(scene.provider);
  expect(raw).toContain("being continued");
  const [told = ""] = /Where the work stood before the compaction.*?<\/system-reminder>/.exec(raw) ?? [];
  expect(told.split("\\n").slice(1, -1)).toEqual([
    "Files changed, the newest first (1):",
    "- rates.ts",
    "Open todos (1):",
    "- [pending] Round the totals",
    "The last test run that failed and has not passed since: npm test -- totals; echo '× total 90 is rounded to cents'; exit 1",
    "| Exit code 1",
    expect.stringMatching(/^\| /),
    expect.stringMatching(/^\| /),
    expect.any(String),
  ]);
});

/** A program called `node` stands before the real one on the path. */
function placeNode({ home }: Prepared["place"], script: string): Readonly<Record<string, string>> {
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "node"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env.PATH}` };
}

const TROUBLES: readonly (readonly [string, (scene: Scene) => Readonly<Record<string, string>>])[] = [
  [
    "there can be no data folder",
    (scene) => {
      scene.write(".local/share/coppice", "a file");
      return {};
    },
  ],
  ["the hook fails and prints something", ({ place }) => placeNode(place, "echo x; echo oh no >&2; exit 2")],
  ["the hook does not end", ({ place }) => placeNode(place, "exec sleep 60")],
];

test.each(TROUBLES)("a session goes on unharmed where %s", async (_, cause) => {
  const scene = await setScene(() => [shell(`'${process.execPath}' tests.mjs 400`)]);
  await installPlugin(scene.place.home);
  const ran = await scene.run({ prompt: promptFor("first", 1), env: cause(scene) });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 1) });
  expect(scene.provider.refused).toEqual([]);
  const { raw } = lastOf(scene.provider);
  expect(raw.includes(JSON.stringify(outputOf(400)).slice(1, -1))).toBe(true);
  expect(/oh no|shortened/.test(raw)).toBe(false);
});

test("together with wrap every failure stays, and the whole can be read", async () => {
  const scene = await setScene((_, request) => [
    shell("node tests.mjs 400"),
    read(pathIn(request.raw)),
    // What is left of this is more than wrap lets in as well.
    shell("node tests.mjs 600 2"),
  ]);
  await installPlugin(scene.place.home);
  const client = wrapped(CLAUDE_CODE, { provider: scene.provider.url });
  const ran = await scene.run({ prompt: promptFor("first", 3) }, client);
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 3) });
  expect(scene.provider.refused).toEqual([]);
  const [tests = "", again = "", many = ""] = resultsIn(lastOf(scene.provider));
  for (const failed of FAILED) expect(tests).toContain(failed);
  expect(tests.match(/\[Coppice shortened/g)).toHaveLength(1);
  expect(readFileSync(pathIn(tests), "utf8")).toBe(outputOf(400));
  expect(again).toContain("200\t✓ total 199 is added up");
  for (let i = 0; i < 600; i += 2) expect(many).toContain(failedLine(i));
  expect(readFileSync(pathIn(many), "utf8")).toBe(outputOf(600, 2));
});
