import { isRecord } from "../../basics/json.ts";
import { allowRead } from "./allow-read.ts";
import { readHookInput } from "./hook-input.ts";

/** No output of fewer characters is shortened. */
const SMALL_OUTPUT = 2_000;

/** Where the user's data folder is, among other things. */
export type HookEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * What is answered to a hook of Claude Code; `undefined`: nothing. Most calls have little output, and the agent waits for
 * the answer: what it takes to shorten one is loaded only for a large one.
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
