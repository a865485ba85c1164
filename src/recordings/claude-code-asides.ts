import type { JsonRecord } from "../basics/json.ts";
import { isResponse } from "./claude-code-branch.ts";
import { objectAt, stringAt, timeOf } from "./json.ts";
import type { PaidRequest } from "./recording.ts";
import { readAnthropicUsage } from "./to-anthropic.ts";

/**
 * The requests that were paid for beside those of the session as it stands: subagents, and ways that the user left. One
 * response takes several lines, each with its usage as known by then: the last one counts, once.
 */
export function listAsides(
  records: readonly JsonRecord[],
  counted: ReadonlySet<string>,
): readonly PaidRequest[] {
  const asides = new Map<string, PaidRequest>();
  for (const line of records) {
    const message = objectAt(line, "message");
    const id = stringAt(message, "id");
    if (id === undefined || counted.has(id) || !isResponse(line)) continue;
    const usage = readAnthropicUsage(objectAt(message, "usage"));
    if (!usage) continue;
    const time = timeOf(line);
    const model = stringAt(message, "model");
    asides.set(id, {
      kind: line.isSidechain === true ? "subagent" : "branch",
      ...(time !== undefined && { time }),
      ...(model !== undefined && { model }),
      usage,
    });
  }
  return [...asides.values()];
}
