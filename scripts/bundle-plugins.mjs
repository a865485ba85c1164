import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const repository = fileURLToPath(new URL("..", import.meta.url));
const outdir = process.argv[2] ?? join(repository, "dist");
const hosts = join(repository, "src/hosts");

const options = {
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
};

const plugins = await build({
  ...options,
  entryPoints: Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, join(hosts, path)])),
  outdir,
});

/*
 * The plugin of Claude Code is a folder, which Claude Code copies. Its program is started for every command of the agent:
 * what only a large output needs is in files of its own, which it loads then.
 */
const plugin = join(outdir, "claude-plugin");
rmSync(plugin, { recursive: true, force: true });
cpSync(join(hosts, "claude-code/plugin"), plugin, { recursive: true });
const manifest = join(plugin, ".claude-plugin/plugin.json");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
writeFileSync(
  manifest,
  `${JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), version }, undefined, 2)}\n`,
);
const hook = await build({
  ...options,
  entryPoints: { hook: join(hosts, "claude-code/hook.ts") },
  outdir: plugin,
  outExtension: { ".js": ".mjs" },
  splitting: true,
  chunkNames: "[name]-[hash]",
  minify: true,
});
writeFileSync(
  join(outdir, "LICENSES-PLUGINS.txt"),
  formatLicences(listLibraries([plugins, hook].flatMap(({ metafile }) => Object.keys(metafile.inputs)))),
);
