import { execFileSync } from "node:child_process";
import type { Env } from "../clients/client.ts";

/** A program of the system, with its arguments. */
export interface SystemCommand {
  readonly command: readonly string[];
  /** The command may fail, for example because the service to stop does not run. */
  readonly mayFail?: true;
}

/** The time limit of a command, in milliseconds. */
const PATIENCE = 30_000;

/** Runs the commands up to the first that fails. Returns its error in one line. */
export function runCommands(commands: readonly SystemCommand[], env: Env): string | undefined {
  for (const { command, mayFail } of commands) {
    const complaint = runQuietly(command, env);
    if (complaint !== undefined && !mayFail) return `${command.join(" ")}: ${complaint}`;
  }
  return undefined;
}

/** Runs a command. Returns its error, or `undefined` if it succeeded. */
export function runQuietly([program = "", ...args]: readonly string[], env: Env): string | undefined {
  try {
    execFileSync(program, args, {
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: PATIENCE,
    });
    return undefined;
  } catch (error) {
    const { stderr, code, status } = error as { stderr?: Buffer; code?: string; status?: number };
    if (code === "ENOENT") return `${program} was not found`;
    return `${stderr ?? ""}`.trim().split("\n").at(-1) || `it ended with ${status ?? code}`;
  }
}
