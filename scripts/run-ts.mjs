// Runs a TypeScript file of this repository on Node 20: bundles it (our own sources only) and imports the result.
import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [file, ...rest] = process.argv.slice(2);
if (!file) {
  console.error("usage: node scripts/run-ts.mjs FILE.ts [arguments]");
  process.exit(2);
}
// Inside node_modules, so that the packages it imports are found from there.
const folder = mkdtempSync(resolve("node_modules", ".run-ts-"));
const outfile = join(folder, "main.mjs");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
await build({
  entryPoints: [file],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  logLevel: "error",
});
process.argv = [process.argv[0] ?? "node", file, ...rest];
await import(pathToFileURL(outfile).href);
