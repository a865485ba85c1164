import { isRecord } from "../../basics/json.ts";
import { allowRead } from "./allow-read.ts";
import { readHookInput } from "./hook-input.ts";

/** Outputs with fewer characters are never shortened. */
const SMALL_OUTPUT = 2_000;

/** Environment variables. They also locate the user's data folder. */
export type HookEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Answers a hook of Claude Code. `undefined` means no answer. The agent waits for the answer, and most calls have
 * little output, so the code that shortens an output is loaded only for a large one.
 */
export async function answerHook(
  value: unknown,
  env: HookEnvironment = process.env,
): Promise<object | undefined> {
  const input = readHookInput(value);
  const { event, all } = input ?? {};
  if (!input || !all) return undefined;
  if (event === "PermissionRequest") return allowRead(input, env);
  if (event === "PostToolUse" && all.tool_name === "Bash" && isLarge(all.tool_response)) {
    const { shortenOutput } = await import("./shorten-output.ts");
    return shortenOutput(input, env);
  }
  if (event === "SessionStart" && all.source === "compact") {
    const { tellWork } = await import("./tell-work.ts");
    return tellWork(input, env);
  }
  return undefined;
}

function isLarge(response: unknown): boolean {
  return isRecord(response) && typeof response.stdout === "string" && response.stdout.length >= SMALL_OUTPUT;
}
