import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import { findErrorLines } from "./error-lines.ts";
import { findExitCode } from "./exit-code.ts";
import { saysFailed } from "./key-numbers.ts";
import { splitLines } from "./lines.ts";
import type { SummaryContext } from "./summary.ts";

/**
 * Did the call fail? The host may say so. For a command, its exit code decides, from the host or from the text;
 * without one, the output of a run.
 *
 *   npm test, exit code 1, not marked as an error      ->  failed
 *   npm test, no exit code: `2 failed, 40 passed`      ->  failed
 *   grep -rn "error: " src, no exit code               ->  not failed
 */
export function hasFailed(
  { kind, shows }: ToolUse,
  text: string,
  { exitCode, failed = false }: Pick<SummaryContext, "exitCode" | "failed">,
): boolean {
  if (failed || kind !== "shell") return failed;
  const code = exitCode ?? findExitCode(text);
  return code === undefined ? shows === undefined && reportsFailure(text) : code !== 0;
}

function reportsFailure(text: string): boolean {
  const lines = splitLines(text);
  return lines.some(saysFailed) || findErrorLines(lines).includes(true);
}
