import type { Command } from "commander";
import { isRecord } from "../basics/json.ts";
import { type LoadedConfig, loadConfig } from "../config/files.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import type { Screen } from "./screen.ts";

interface ConfigOptions {
  readonly host: string;
  readonly all?: true;
  readonly json?: true;
}

export function addConfig(command: Command, screen: Screen): void {
  command
    .option(
      "--host <name>",
      "opencode: the files that OpenCode uses; none: those of the command line",
      "none",
    )
    .option("--all", "also show defaults")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice config", "what differs from the defaults"],
        ["coppice config --all --host opencode", "everything, as the plugin sees it"],
      ]),
    )
    .action((options: ConfigOptions) => showConfig(options, screen));
}

function showConfig({ host, all, json }: ConfigOptions, screen: Screen): void {
  if (host !== "opencode" && host !== "none")
    throw new Failure(`There is no host ${JSON.stringify(host)}: use opencode or none.`, 2);
  const loaded = loadConfig({ host, directory: process.cwd() });
  if (loaded.issues.some(({ severity }) => severity === "error")) process.exitCode = 1;
  screen.print(json ? printJson(loaded) : formatConfig(loaded, all ?? false, screen.paint));
}

/** `schedule.mode = "eager"   .coppice.jsonc` */
function formatConfig(
  { config, origins, files, issues }: LoadedConfig,
  all: boolean,
  paint: Screen["paint"],
): string {
  const keys = Object.keys(origins).filter((key) => all || origins[key] !== "default");
  const lines = keys.map((key) => `${key} = ${JSON.stringify(lookUp(config, key))}`);
  const width = Math.min(72, Math.max(0, ...lines.map(({ length }) => length)));
  return [
    files.length === 0
      ? "No configuration file was found.\n"
      : files.map((file) => `${paint.bold(file)}\n`).join(""),
    ...issues.map(({ where, message }) =>
      paint.red(`${where === undefined ? "" : `${where}: `}${message}\n`),
    ),
    lines.length === 0 ? "All settings have their defaults: coppice config --all shows them.\n" : "",
    ...lines.map((line, i) => `${line.padEnd(width)}  ${paint.dim(origins[keys[i] ?? ""] ?? "")}\n`),
  ].join("");
}

/** Model names are keys too, and may contain dots. */
function lookUp(value: unknown, key: string): unknown {
  if (!isRecord(value)) return undefined;
  if (key in value) return value[key];
  const inside = Object.keys(value).filter((name) => key.startsWith(`${name}.`));
  return inside
    .map((name) => lookUp(value[name], key.slice(name.length + 1)))
    .find((found) => found !== undefined);
}
