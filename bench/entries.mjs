// What each entry of the package weighs: bundled and minified with all that it needs but optional peers, and how long it
// takes to import, each in a process of its own, in one run. Then how long the status line takes, from start to end.
// Needs the built package.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const { exports: entries, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const external = [...Object.keys(peerDependencies), "node:*"];
const RUNS = 5;

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

/** Milliseconds to import a module, without starting Node. */
function timeImport(file) {
  const code = `const t = performance.now(); await import(${JSON.stringify(`./${file}`)}); console.log(performance.now() - t)`;
  const run = () =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "-e", code], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  return median(Array.from({ length: RUNS }, run));
}

const kB = (bytes) => `${Math.round(bytes / 1_000)} kB`.padStart(9);

console.log(
  `\n${"entry".padEnd(26)}${"minified".padStart(9)}${"gzip".padStart(9)}${"prices".padStart(9)}${"import".padStart(10)}\n`,
);
for (const [name, entry] of Object.entries(entries)) {
  if (typeof entry === "string") continue;
  const file = entry.default.replace("./", "");
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    platform: "node",
    format: "esm",
    external,
    metafile: true,
    logLevel: "error",
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  const prices = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path]) => path.includes("genai-prices"))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  const zipped = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  console.log(
    `${name.replace(".", "coppice").padEnd(26)}${kB(bytes)}${kB(zipped)}${kB(prices)}${`${Math.round(timeImport(file))} ms`.padStart(10)}`,
  );
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
