import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { formatLicences, listLibraries } from "./list-libraries.mjs";

/*
 * The JavaScript of the package: a file for each entry of package.json, and `chunks/` with what they share. 900 small
 * modules took three to four times as long to load. `tsc` writes the types beside them. Another folder than `dist` may
 * be given.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(root, "dist");

/** Bundled by `bundle-plugins.mjs`: each has to be one file. */
const PLUGINS = new Set(["./server", "./pi"]);

/** Files that a thread or a process is started with. */
const STARTED = [
  "cli/worker",
  "cli/stand-in-main",
  "cli/service/service-main",
  "hosts/proxy/dashboard/report-worker",
];

/** Packages are loaded from where they are installed, except for two that took half of the time. */
const BUNDLED = new Set(["zod", "@pydantic/genai-prices"]);

const { exports: entries, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const published = Object.entries(entries)
  .filter(([name, entry]) => typeof entry === "object" && !PLUGINS.has(name))
  .map(([, entry]) => entry.default);
const sources = [
  ...[...published, ...Object.values(bin)].map((file) => file.replace("./dist/", "").replace(".js", "")),
  ...STARTED,
];

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: sources.map((source) => `src/${source}.ts`),
  outdir: folder,
  outbase: "src",
  // One level below `dist`, as `src/basics/package-file.ts` expects.
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "es2023",
  sourcemap: true,
  metafile: true,
  logLevel: "error",
  plugins: [{ name: "packages", setup: choosePackages }],
});
// A chunk's name changes with its content. Other files stay: tests may be using them.
const written = new Set(Object.keys(metafile.outputs).map((file) => basename(file)));
for (const file of readdirSync(join(folder, "chunks")))
  if (!written.has(file)) rmSync(join(folder, "chunks", file));
writeFileSync(join(folder, "LICENSES.txt"), formatLicences(listLibraries(Object.keys(metafile.inputs))));

/** Leaves out all packages but those in `BUNDLED`. The price list is only evaluated when a price is first looked up. */
function choosePackages({ onResolve, onLoad }) {
  onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
    if (kind === "entry-point" || importer.includes("node_modules")) return undefined;
    if (path === "@pydantic/genai-prices" && kind === "import-statement")
      return { path, namespace: "prices" };
    return BUNDLED.has(path) ? undefined : { path, external: true };
  });
  onLoad({ filter: /.*/, namespace: "prices" }, ({ path }) => ({
    resolveDir: root,
    contents: ["calcPrice", "findProvider"]
      .map((name) => `export const ${name} = (...args) => require("${path}").${name}(...args);`)
      .join("\n"),
  }));
}
