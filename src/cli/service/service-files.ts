import { existsSync, readFileSync } from "node:fs";
import { isRecord } from "../../basics/json.ts";
import type { Env } from "../clients/client.ts";
import type { FileChange } from "../setup/change.ts";
import { ownFile, SEAL } from "../setup/own-file.ts";
import type { CoppiceProgram } from "./coppice-program.ts";
import type { Supervisor } from "./supervisor.ts";

/** The settings of the service's proxy. */
export interface ServiceSettings {
  readonly port: number;
  /** Options of `coppice proxy`. */
  readonly options: readonly string[];
}

/** The settings of an existing service, and the programs that it starts. */
export interface KnownService extends ServiceSettings {
  readonly node: string;
  readonly main: string;
}

/** Variables that the proxy uses. A shell has them, a service does not. */
const PASSED_ON = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "COPPICE_STORE",
];

/** @param program the text of `service-main.js` */
export function serviceFiles(
  { unit, script, text }: Supervisor,
  { node, main }: CoppiceProgram,
  settings: ServiceSettings,
  env: Env,
  program: string,
): readonly FileChange[] {
  const command = [node, script, main, String(settings.port), ...settings.options];
  const variables = PASSED_ON.flatMap((name): readonly (readonly [string, string])[] => {
    const value = env[name];
    return value ? [[name, value]] : [];
  });
  const kept = JSON.stringify({ ...settings, node, main } satisfies KnownService);
  const code = `// Written by coppice init; coppice remove deletes it. ${SEAL}\n// ${kept}\n${program}`;
  const size = code.trimEnd().split("\n").length;
  return [
    ownFile(unit, text({ command, env: Object.fromEntries(variables) })),
    ownFile(script, code, `${size} lines: start the proxy; if it can't start, answer requests with an error`),
  ];
}

/** The settings of the service, or `undefined` if there is no service. */
export function readService({ unit, script }: Supervisor): KnownService | undefined {
  if (!existsSync(unit) || !existsSync(script)) return undefined;
  try {
    const [, line = ""] = readFileSync(script, "utf8").split("\n", 2);
    const value: unknown = JSON.parse(line.slice("// ".length));
    return isRecord(value) && typeof value.port === "number" && Array.isArray(value.options)
      ? {
          port: value.port,
          options: value.options.map(String),
          node: String(value.node),
          main: String(value.main),
        }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The service's files, for deletion. */
export function ownFilesOf({ unit, script }: Supervisor): readonly FileChange[] {
  return [unit, script].map((file) => ownFile(file, ""));
}
