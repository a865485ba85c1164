import type { Issue } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import { isTextBlock } from "../blocks.ts";
import { checkPairs, type MessagePairs, type ReportIssue } from "../pairing.ts";
import { isContent, isToolCall, isToolResult, readOutput } from "./parts.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

/**
 * The rules that the AI SDK checks before it calls any provider (roles, results for all calls that the provider did
 * not run), and the rules of all providers: content in every message, no empty text, something after reasoning.
 */
export function validateAiSdk(messages: readonly unknown[], reasoning: ReasoningRule): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  const approved = listApproved(messages);
  const needsReasoning = reasoning === "field" && messages.some(hasReasoning);
  const pairs = messages.map((message, index): MessagePairs | undefined => {
    if (!isRecord(message) || !ROLES.has(message.role)) {
      report("malformed-message", index, "A message has a role: system, user, assistant or tool.");
      return undefined;
    }
    checkContent(message, index, report);
    const found = readPairs(message, approved);
    if (needsReasoning && found.calls.length > 0 && !hasReasoning(message))
      report("reasoning-missing", index, "A message with calls keeps its reasoning.");
    return found;
  });
  checkPairs(pairs, report);
  return issues;
}

function readPairs({ role, content }: JsonRecord, approved: ReadonlySet<string>): MessagePairs {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const calls = role === "assistant" ? parts.filter(isToolCall) : [];
  const own = calls.filter((call) => call.providerExecuted !== true && !approved.has(call.toolCallId));
  const results = role === "tool" ? parts.filter(isToolResult) : [];
  return {
    calls: own.map(({ toolCallId }) => toolCallId),
    results: results.map(({ toolCallId }) => toolCallId).filter((id) => !approved.has(id)),
  };
}

/** Calls with a request for approval: the SDK decides whether and when a result follows. */
function listApproved(messages: readonly unknown[]): ReadonlySet<string> {
  const ids = messages.flatMap((message) =>
    isRecord(message) && Array.isArray(message.content)
      ? message.content.map((part) =>
          isRecord(part) && part.type === "tool-approval-request" ? part.toolCallId : undefined,
        )
      : [],
  );
  return new Set(ids.filter((id) => typeof id === "string"));
}

function checkContent({ role, content }: JsonRecord, index: number, report: ReportIssue): void {
  if (typeof content !== "string" && !Array.isArray(content)) {
    report("malformed-message", index, "Content is a string or a list of parts.");
    return;
  }
  if (content.length === 0) {
    report("empty-message", index, "A message has no content.");
    return;
  }
  if (typeof content === "string") return;
  const parts: readonly unknown[] = content;
  if (parts.some((part) => isTextBlock(part) && part.text === ""))
    report("empty-block", index, "A text is empty.");
  if (role === "assistant" && !isContent(parts.at(-1)))
    report("reasoning-order", index, "Reasoning lacks the part that followed it.");
  if (role === "tool" && parts.some((part) => isToolResult(part) && !readOutput(part.output)))
    report("malformed-message", index, "A result has an output with a type and a value.");
}

function hasReasoning(message: unknown): boolean {
  return (
    isRecord(message) &&
    message.role === "assistant" &&
    Array.isArray(message.content) &&
    message.content.some((part) => isRecord(part) && part.type === "reasoning" && part.text !== "")
  );
}
