import type { Issue } from "../../basics/issue.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import { checkPairs, type MessagePairs, type ReportIssue } from "../pairing.ts";
import { isReasoning, isText, readReasoningField } from "./blocks.ts";
import {
  type BaseMessage,
  isBaseMessage,
  isToolCall,
  listCalls,
  REASONING_TEXT,
  recordAt,
  roleOf,
  typeOf,
} from "./message.ts";

/** The rules of every provider behind LangChain: results directly after their calls, one each, and nothing empty. */
export function validateLangChain(messages: readonly unknown[], reasoning: ReasoningRule): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  const needsReasoning = reasoning === "field" && messages.some(hasReasoning);
  const pairs = messages.map((message, index): MessagePairs | undefined => {
    if (!isBaseMessage(message) || !(typeof message.content === "string" || Array.isArray(message.content))) {
      report("malformed-message", index, "A message has a type, and a string or blocks as content.");
      return undefined;
    }
    if (typeOf(message) === "remove") return undefined;
    const found = readPairs(message);
    checkContent(message, found.calls.length > 0, index, report);
    if (needsReasoning && found.calls.length > 0 && !hasReasoning(message))
      report("reasoning-missing", index, "A message with calls keeps its reasoning.");
    return found;
  });
  checkPairs(pairs, report);
  return issues;
}

function readPairs(message: BaseMessage): MessagePairs {
  const role = roleOf(message);
  const calls = role === "assistant" ? listCalls(message).filter(isToolCall) : [];
  const { tool_call_id: id } = message;
  return {
    calls: calls.map((call) => call.id),
    results: role === "tool" ? [typeof id === "string" ? id : "(none)"] : [],
  };
}

function checkContent(message: BaseMessage, hasCalls: boolean, index: number, report: ReportIssue): void {
  const { content } = message;
  const isEmpty = content === "" || (Array.isArray(content) && content.length === 0);
  if (isEmpty && !hasCalls && roleOf(message) !== "tool")
    report("empty-message", index, "A message has no content.");
  if (!Array.isArray(content)) return;
  const blocks: readonly unknown[] = content;
  if (blocks.some((block) => isText(block) && block.text === ""))
    report("empty-block", index, "A text is empty.");
  if (!hasCalls && isReasoning(blocks.at(-1)))
    report("reasoning-order", index, "Reasoning lacks the part that followed it.");
}

function hasReasoning(message: unknown): boolean {
  if (!isBaseMessage(message) || roleOf(message) !== "assistant") return false;
  const text = recordAt(message, "additional_kwargs")[REASONING_TEXT];
  if (typeof text === "string" && text !== "") return true;
  return (
    Array.isArray(message.content) && message.content.some((block) => readReasoningField(block) !== undefined)
  );
}
