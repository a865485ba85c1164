import { isRecord } from "../../basics/json.ts";
import type { HookEnvironment } from "./answer-hook.ts";
import type { HookInput } from "./hook-input.ts";
import { isKeptOutput } from "./kept-outputs.ts";

/**
 * Lets the agent read the full text of a shortened output of its own session. The file is outside the project, so
 * Claude Code would ask the user each time, or refuse if it can't ask. This hook allows nothing else, and forbids
 * nothing.
 */
export function allowRead({ session, all }: HookInput, env: HookEnvironment): object | undefined {
  const { tool_name: tool, tool_input: input } = all;
  if (tool !== "Read" || !isRecord(input) || typeof input.file_path !== "string") return undefined;
  if (!isKeptOutput(input.file_path, session, env)) return undefined;
  const decision = { behavior: "allow" };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}
