import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/*
 * The OpenCode plugin in one file: OpenCode installs plugin packages without running scripts, and loads a clone as it
 * lies there, so the entry must need nothing beside it.
 */
await build({
  entryPoints: [fileURLToPath(new URL("../src/hosts/opencode/server.ts", import.meta.url))],
  outfile: process.argv[2] ?? fileURLToPath(new URL("../dist/server.js", import.meta.url)),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "es2023",
  // jsonc-parser's CommonJS entry loads its parts by computed names, which no bundle has.
  mainFields: ["module", "main"],
  legalComments: "inline",
  logLevel: "error",
});
