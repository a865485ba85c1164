import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Trace } from "../trace.ts";
import { CACHE_MARK, readOutputId } from "./items.ts";

/** Shows a whole item, except the marks in its blocks that say where the cache ends. */
export function lookAtItem(item: unknown, trace: Trace): boolean {
  if (!isRecord(item)) return false;
  const field = findBlocks(item);
  if (!trace.see(field)) return false;
  const blocks = field === undefined ? undefined : item[field];
  if (field === undefined || !Array.isArray(blocks)) return trace.seeAll(item);
  if (!trace.see(blocks.length) || !trace.seeFields(item, [field])) return false;
  for (let i = 0; i < blocks.length; i++) {
    const block: unknown = blocks[i];
    if (!isRecord(block) || !trace.seeFields(block, MARKS)) return false;
  }
  return true;
}

const MARKS = [CACHE_MARK];

function findBlocks(item: JsonRecord): string | undefined {
  const isMessage = item.type == null || item.type === "message";
  const field = isMessage ? "content" : readOutputId(item) === undefined ? undefined : "output";
  return field !== undefined && Array.isArray(item[field]) ? field : undefined;
}
