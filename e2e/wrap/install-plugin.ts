import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installed } from "../clients/programs.ts";

/** A clone with its build. */
export const REPOSITORY: string = fileURLToPath(new URL("../..", import.meta.url));

/** Runs `claude plugin …` for this home folder. Gives what it printed. */
export async function claudePlugin(home: string, ...args: readonly string[]): Promise<string> {
  const claude = installed("clients/claude-code", "@anthropic-ai/claude-code-linux-x64/claude");
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home };
  const { stdout } = await promisify(execFile)(claude, ["plugin", ...args], { env });
  return stdout;
}

export async function installPlugin(home: string, from: string = REPOSITORY): Promise<void> {
  await claudePlugin(home, "marketplace", "add", from);
  await claudePlugin(home, "install", "coppice@coppice");
}
