import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client, Session } from "../clients/client.ts";
import { CLIENTS } from "../clients/clients.ts";
import { NODE } from "../clients/programs.ts";
import { PI } from "../pi/programs.ts";

export const COPPICE: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The name of a client on the command line. */
export function commandOf(client: Client): string {
  const [, name = ""] = /^(Claude|Codex|Gemini|Qwen|Copilot|pi|OpenCode)\b/.exec(client.name) ?? [];
  return name.toLowerCase();
}

/** Codex accepts an address only on its command line, where ours must not come first. */
function takesAddress(client: Client): boolean {
  return commandOf(client) !== "codex";
}

export interface Wrapped {
  /**
   * The model's address. A client that accepts it from its environment or a file gets it there; for the others,
   * wrap does.
   */
  readonly provider?: string;
  /** Of wrap. */
  readonly flags?: readonly string[];
  /** Instead of those that the client is tested with. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The same program, started by `coppice wrap`. */
export function wrapped(client: Client, { provider, flags = [], ...rest }: Wrapped): Client {
  return {
    ...client,
    launch(session: Session) {
      const isTold = provider !== undefined && takesAddress(client);
      const launch = client.launch({ ...session, ...(isTold && { baseUrl: provider }) });
      const { command } = launch;
      const env = rest.env ?? launch.env;
      const words = programWords(command);
      const bin = placeProgram(session.home, commandOf(client), command.slice(0, words));
      const upstream = isTold || provider === undefined ? [] : ["--upstream", `openai=${provider}`];
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

/** The number of words that start the program itself. */
function programWords([first]: readonly string[]): number {
  return first === NODE || first === PI.command[0] ? 2 : 1;
}

/** Puts a client where a shell finds it. Returns the folder. */
export function placeClient(client: Client, home: string): string {
  const { command } = client.launch({ home, cwd: home, prompt: "" });
  return placeProgram(home, commandOf(client), command.slice(0, programWords(command)));
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

/** Every program, with one wire. */
export const ONE_OF_EACH: readonly Client[] = CLIENTS.filter(
  (client, i) => CLIENTS.findIndex((each) => commandOf(each) === commandOf(client)) === i,
);
