// What each entry of the package weighs: bundled and minified with all that it needs but optional peers, and how long it
// takes to import, each in a process of its own, in one run. Needs the built package.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
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
