import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Usage } from "../../transcript/message.ts";
import { isTime, toCount, toUsage } from "../usage.ts";

/** When the message was complete: the time of its newest result, if it has any. */
export function readTime(info: JsonRecord, parts: readonly unknown[]): number | undefined {
  let newest: number | undefined;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const state = isRecord(part) && isRecord(part.state) ? part.state : undefined;
    const end = state && isRecord(state.time) ? state.time.end : undefined;
    if (isTime(end) && (newest === undefined || end > newest)) newest = end;
  }
  if (newest !== undefined || !isRecord(info.time)) return newest;
  const time = info.time.completed ?? info.time.created;
  return isTime(time) ? time : undefined;
}

/** A summary's figures do not count: they belong to the separate request that made it. */
export function readUsage(info: JsonRecord): Usage | undefined {
  const { tokens } = info;
  if (!isRecord(tokens) || info.summary === true) return undefined;
  const cache = isRecord(tokens.cache) ? tokens.cache : {};
  return toUsage({
    input: tokens.input,
    cacheRead: cache.read,
    cacheWrite: cache.write,
    output: toCount(tokens.output) + toCount(tokens.reasoning),
  });
}

export function readModel(info: JsonRecord): string | undefined {
  const model = isRecord(info.model) ? info.model.modelID : info.modelID;
  return typeof model === "string" ? model : undefined;
}
