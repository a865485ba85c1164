import { isRecord, type JsonRecord } from "../../basics/json.ts";

/**
 * The message that pi makes from a session's entry; `undefined` for an entry that no model sees.
 *
 *   { type: "message", id, parentId, message: { role: "user", … } }   ->   { role: "user", … }
 *   { type: "branch_summary", id, parentId, summary }                 ->   { role: "branchSummary", summary }
 *   { type: "model_change", id, parentId, modelId }                   ->   undefined
 */
export function readEntry(entry: JsonRecord): JsonRecord | undefined {
  const { type, message, summary, customType, content } = entry;
  const timestamp = Date.parse(String(entry.timestamp));
  switch (type) {
    case "message":
      return isRecord(message) ? message : undefined;
    case "custom_message":
      return { role: "custom", customType, content, timestamp };
    case "branch_summary":
      return { role: "branchSummary", summary, timestamp };
    case "compaction":
      return { role: "compactionSummary", summary, timestamp };
    default:
      return undefined;
  }
}

/** The entry with another message. */
export function writeEntry(entry: JsonRecord, message: JsonRecord): JsonRecord {
  if (entry.type === "message") return { ...entry, message };
  return entry.type === "custom_message"
    ? { ...entry, content: message.content }
    : { ...entry, summary: message.summary };
}

/**
 * Is it an entry of a session, with or without a message? Sessions of version 1 have no ids: there, only messages
 * are recognised.
 */
export function isEntry(value: unknown): value is JsonRecord {
  if (!isRecord(value) || value.role !== undefined || typeof value.type !== "string") return false;
  const { type, id, parentId, message } = value;
  if (type === "message") return isRecord(message) && typeof message.role === "string";
  if (typeof id !== "string") return false;
  return type === "session" || parentId === null || typeof parentId === "string";
}
