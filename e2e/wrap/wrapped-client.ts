import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client, Session } from "../clients/client.ts";
import { CLIENTS } from "../clients/clients.ts";
import { NODE } from "../clients/programs.ts";
import { PI } from "../pi/programs.ts";

const COPPICE = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** What a client is called on the command line. */
function commandOf(client: Client): string {
  const [, name = ""] = /^(Claude|Codex|Gemini|Qwen|Copilot|pi|OpenCode)\b/.exec(client.name) ?? [];
  return name.toLowerCase();
}

/** Codex takes an address from its command line only, where ours must not come first. */
function takesAddress(client: Client): boolean {
  return commandOf(client) !== "codex";
}

export interface Wrapped {
  /** Where the model is: as far as the client can be told by its environment or settings, it is told so. */
  readonly provider: string;
  readonly flags?: readonly string[];
}

/** The same program, started by `coppice wrap`. */
export function wrapped(client: Client, { provider, flags = [] }: Wrapped): Client {
  return {
    ...client,
    launch(session: Session) {
      const launch = client.launch({ ...session, ...(takesAddress(client) && { baseUrl: provider }) });
      const { command, env } = launch;
      const words = command[0] === NODE || command[0] === PI.command[0] ? 2 : 1;
      const bin = placeProgram(session.home, commandOf(client), command.slice(0, words));
      const upstream = takesAddress(client) ? [] : ["--upstream", `openai=${provider}`];
      return {
        ...launch,
        command: [
          process.execPath,
          ...[COPPICE, "wrap", ...upstream, ...flags, commandOf(client)],
          ...command.slice(words),
        ],
        env: { ...env, PATH: `${bin}:${process.env.PATH}` },
      };
    },
  };
}

/** The program under the name by which people start it. */
function placeProgram(home: string, name: string, command: readonly string[]): string {
  const bin = join(home, "../bin");
  mkdirSync(bin, { recursive: true });
  const quoted = command.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${quoted} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  return bin;
}

export const WRAPPED: readonly Client[] = CLIENTS;
