import type { Issue } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import { checkPairs, type MessagePairs, type ReportIssue } from "../pairing.ts";
import { isContent, isSent, isThinking, isToolCall, TEXT_FIELDS } from "./blocks.ts";
import { isEntry, readEntry } from "./entry.ts";

/**
 * The properties that pi needs to make a legal request of these messages. For a call without a result it adds one
 * that says so, and it leaves out blank texts.
 */
export function validatePi(raw: readonly unknown[], reasoning: ReasoningRule): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  const messages = raw.map((each) => (isEntry(each) ? (readEntry(each) ?? UNSEEN) : each));
  const needsReasoning = reasoning === "field" && messages.some(hasReasoning);
  const pairs = messages.map((message, index): MessagePairs | undefined => {
    if (!isRecord(message) || typeof message.role !== "string") {
      report("malformed-message", index, "A message is an object with a role.");
      return undefined;
    }
    if (!isSent(message)) return undefined;
    checkContent(message, index, report);
    const found = readPairs(message);
    if (needsReasoning && found.calls.length > 0 && !hasReasoning(message))
      report("reasoning-missing", index, "A message with calls keeps its reasoning.");
    return found;
  });
  checkPairs(pairs, report, "warning");
  return issues;
}

/** Replaces an entry that no model sees. */
const UNSEEN: JsonRecord = { role: "custom", content: "" };

function readPairs({ role, content, toolCallId }: JsonRecord): MessagePairs {
  if (role === "toolResult")
    return { calls: [], results: [typeof toolCallId === "string" ? toolCallId : "(none)"] };
  const blocks: readonly unknown[] = role === "assistant" && Array.isArray(content) ? content : [];
  return { calls: blocks.filter(isToolCall).map(({ id }) => id), results: [] };
}

function checkContent(message: JsonRecord, index: number, report: ReportIssue): void {
  const { role, content } = message;
  const fields = TEXT_FIELDS.get(role);
  if (fields) {
    if (fields.some((field) => typeof message[field] !== "string"))
      report("malformed-message", index, `A ${String(role)} has ${fields.join(" and ")}.`);
  } else if (role === "assistant" || role === "toolResult" ? !Array.isArray(content) : content == null) {
    report("malformed-message", index, "Content is a list of blocks; a user's may be a string.");
  } else if (role === "assistant" && Array.isArray(content) && content.length > 0) {
    if (!isContent(content.at(-1)))
      report("reasoning-order", index, "Thinking lacks the part that followed it.");
  }
}

function hasReasoning(message: unknown): boolean {
  return (
    isRecord(message) &&
    message.role === "assistant" &&
    Array.isArray(message.content) &&
    message.content.some((block) => isThinking(block) && block.thinking !== "")
  );
}
