// How long each entry of the package takes to import, the command line to answer, and what each entry weighs: bundled
// and minified with all that it needs but optional peers. Each run is a process of its own. Needs the built package.
// With `--before FOLDER`, a built checkout or an installed package, its figures are taken in turn with these.
// Then how long the status line takes, from start to end.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const { before, runs } = parseArgs({
  options: { before: { type: "string" }, runs: { type: "string", default: "15" } },
}).values;
if (before !== undefined && !existsSync(join(before, "dist/index.js")))
  throw new Error(`--before: there is no ${join(before, "dist/index.js")}`);
const folders = before === undefined ? ["."] : [before, "."];

const packageOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const entriesOf = ({ exports }) => Object.entries(exports).filter(([, entry]) => typeof entry === "object");
const { peerDependencies } = packageOf(".");

const run = (args) =>
  execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Milliseconds to import a module, without starting Node. */
function timeImport(file) {
  const url = pathToFileURL(resolve(file)).href;
  const code = `const t = performance.now(); await import("${url}"); console.log(performance.now() - t)`;
  return Number(run(["--input-type=module", "-e", code]));
}

/** Milliseconds of a whole process. */
function timeProcess(args) {
  const start = performance.now();
  run(args);
  return performance.now() - start;
}

/** What is timed, by name: for each folder a function, if the folder has it. */
const timed = new Map([["node alone", [() => timeProcess(["-e", ""])]]]);
for (const [i, folder] of folders.entries()) {
  const set = (name, time) => timed.set(name, Object.assign(timed.get(name) ?? [], { [i]: time }));
  for (const flag of ["--version", "--help"])
    set(`coppice ${flag}`, () => timeProcess([join(folder, "dist/cli/main.js"), flag]));
  for (const [name, entry] of entriesOf(packageOf(folder)))
    set(`coppice${name.slice(1)}`, () => timeImport(join(folder, entry.default)));
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const columns = before === undefined ? ["now"] : ["before", "now", "ratio"];
console.log(`\n${"median ms".padEnd(26)}${columns.map((name) => name.padStart(9)).join("")}\n`);
for (const [name, times] of timed) {
  const taken = folders.map(() => []);
  for (let i = 0; i < Number(runs); i++)
    for (const [at, time] of times.entries()) if (time) taken[at].push(time());
  const [old, now] = taken.length > 1 ? taken.map(median) : [undefined, median(taken[0])];
  const cells = columns.map((column) => ({ before: old, now, ratio: now / old })[column]);
  const show = (value, i) =>
    (Number.isFinite(value) ? value.toFixed(columns[i] === "ratio" ? 2 : 0) : "").padStart(9);
  console.log(`${name.padEnd(26)}${cells.map(show).join("")}`);
}

const kB = (bytes) => `${Math.round(bytes / 1_000)} kB`.padStart(9);
console.log(`\n${"entry".padEnd(26)}${"minified".padStart(9)}${"gzip".padStart(9)}\n`);
for (const [name, entry] of entriesOf(packageOf("."))) {
  const { outputFiles } = await build({
    entryPoints: [entry.default],
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    platform: "node",
    format: "esm",
    external: [...Object.keys(peerDependencies), "node:*"],
    logLevel: "error",
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  const zipped = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  console.log(`coppice${name.slice(1)}`.padEnd(26) + kB(bytes) + kB(zipped));
}
console.log();

const MAIN = "dist/cli/main.js";
const STATUSLINE_RUNS = 25;
const INPUT = JSON.stringify({
  session_id: "00000000-0000-4000-8000-000000000000",
  context_window: { current_usage: { input_tokens: 10, cache_read_input_tokens: 90_000 } },
});

/** Milliseconds from start to end of a process, in the median. */
function timeRun(args, env) {
  const run = () => {
    const start = performance.now();
    execFileSync(process.execPath, args, { input: INPUT, env: { ...process.env, ...env } });
    return performance.now() - start;
  };
  run();
  return median(Array.from({ length: STATUSLINE_RUNS }, run));
}

async function findPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

const url = `http://127.0.0.1:${await findPort()}`;
const row = (name, time) => console.log(`${name.padEnd(44)}${Math.round(time)} ms`);
row("node, which does nothing", timeRun(["-e", "0"]));
row("coppice statusline, no proxy", timeRun([MAIN, "statusline"], { COPPICE_URL: url }));
const proxy = spawn(process.execPath, [MAIN, "proxy", "--port", new URL(url).port, "--store", "memory"], {
  stdio: ["ignore", "ignore", "pipe"],
});
await once(proxy.stderr, "data");
row("coppice statusline, with a proxy", timeRun([MAIN, "statusline"], { COPPICE_URL: url }));
proxy.kill();
console.log();
