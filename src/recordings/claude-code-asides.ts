import type { JsonRecord } from "../basics/json.ts";
import { isResponse } from "./claude-code-branch.ts";
import { objectAt, stringAt, timeOf } from "./json.ts";
import type { PaidRequest } from "./recording.ts";
import { readAnthropicUsage } from "./to-anthropic.ts";

/**
 * The paid requests other than those of the session's final history: subagents, branches that the user left, and
 * answers that were interrupted before they said anything. One response takes several lines, each with its usage so
 * far: only the last one counts.
 */
export function listAsides(
  records: readonly JsonRecord[],
  path: readonly JsonRecord[],
  counted: ReadonlySet<string>,
): readonly PaidRequest[] {
  const asides = new Map<string, PaidRequest>();
  const onPath = new Set(path);
  for (const line of records) {
    const message = objectAt(line, "message");
    const id = stringAt(message, "id");
    if (id === undefined || counted.has(id) || !isResponse(line)) continue;
    const usage = readAnthropicUsage(objectAt(message, "usage"));
    if (!usage) continue;
    const time = timeOf(line);
    const model = stringAt(message, "model");
    asides.set(id, {
      kind: line.isSidechain === true ? "subagent" : onPath.has(line) ? "failed" : "branch",
      ...(time !== undefined && { time }),
      ...(model !== undefined && { model }),
      usage,
    });
  }
  return [...asides.values()];
}
