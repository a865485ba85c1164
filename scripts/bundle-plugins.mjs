import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { formatLicences, listLibraries } from "./list-libraries.mjs";

/*
 * The plugins of OpenCode and pi, each in one file: OpenCode installs plugin packages without running scripts, both load a
 * clone as it lies there, and pi's loader is quicker with one file than with hundreds. So the entries need nothing beside
 * them. Another folder than `dist` may be given.
 */
const sources = { server: "opencode/server.ts", pi: "pi/extension.ts" };

const folder = process.argv[2] ?? fileURLToPath(new URL("../dist", import.meta.url));

const { metafile } = await build({
  entryPoints: Object.fromEntries(
    Object.entries(sources).map(([name, path]) => [
      name,
      fileURLToPath(new URL(`../src/hosts/${path}`, import.meta.url)),
    ]),
  ),
  outdir: folder,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "es2023",
  // Taken where it is installed. Elsewhere there is Bun's SQLite or Node's own.
  external: ["libsql"],
  // jsonc-parser's CommonJS entry loads its parts by computed names, which no bundle has.
  mainFields: ["module", "main"],
  legalComments: "inline",
  metafile: true,
  logLevel: "error",
});
writeFileSync(
  join(folder, "LICENSES-PLUGINS.txt"),
  formatLicences(listLibraries(Object.keys(metafile.inputs))),
);
