import type { Command } from "commander";
import type { Client } from "./clients/client.ts";
import { CLIENTS } from "./clients/clients.ts";
import { Failure } from "./failure.ts";

/** The client of this name. @param command the command that needs it */
export function findClient(name: string, command: string): Client {
  const client = CLIENTS.find((each) => each.name === name);
  if (client) return client;
  throw new Failure(
    `Coppice does not know ${JSON.stringify(name)}: use ${CLIENTS.map((each) => each.name).join(", ")}, or for any other command: coppice ${command} -- ${name}`,
    2,
  );
}

/** Did `--` precede the last words of a command? It is not one of them. */
export function isAfterDashes(command: Command, words: number): boolean {
  const { rawArgs = [] } = (command.parent ?? {}) as { readonly rawArgs?: readonly string[] };
  return rawArgs.at(-words - 1) === "--";
}
