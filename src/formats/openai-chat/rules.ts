import type { Issue } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import { isTextBlock } from "../blocks.ts";
import type { ReportIssue } from "../pairing.ts";
import { REASONING_LISTS, REASONING_TEXTS } from "./blocks.ts";

/**
 * The rules of Chat Completions: a message with calls is followed directly by one tool message per call, in any
 * order; no other tool messages; nothing without content.
 */
export function validateOpenAiChat(messages: readonly unknown[], reasoning: ReasoningRule): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  const lastCalled = new Map<string, number>();
  messages.forEach((message, index) => {
    for (const id of readCallIds(message)) lastCalled.set(id, index);
  });
  const needsReasoning = reasoning === "field" && messages.some(hasReasoning);
  const called = new Set<string>();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (!isRecord(message) || typeof message.role !== "string") {
      report("malformed-message", index, "A message is an object with a role.");
      continue;
    }
    checkContent(message, index, report);
    if (message.role === "tool") {
      const id = readResultId(message);
      const isEarly = (lastCalled.get(id) ?? -1) > index;
      report(
        isEarly ? "result-before-call" : "result-without-call",
        index,
        `No call ${id} right before this result.`,
      );
      continue;
    }
    const ids = readCallIds(message);
    if (ids.length === 0) continue;
    if (needsReasoning && !hasReasoning(message)) {
      report("reasoning-missing", index, "A message with calls keeps its reasoning field.");
    }
    for (const id of new Set(ids)) {
      if (called.has(id)) report("repeated-call-id", index, `Call id ${id} was used before.`, "warning");
      called.add(id);
    }
    index = checkResults(messages, index, ids, report);
  }
  return issues;
}

/** Checks the results that follow the calls at `index`; returns the index of the last one. */
function checkResults(
  messages: readonly unknown[],
  index: number,
  ids: readonly string[],
  report: ReportIssue,
): number {
  const open = new Set(ids);
  if (open.size < ids.length) report("repeated-call-id", index, "Two calls of one message share an id.");
  const answered = new Set<string>();
  let last = index;
  for (let next = messages[last + 1]; isRecord(next) && next.role === "tool"; next = messages[last + 1]) {
    last++;
    checkContent(next, last, report);
    const id = readResultId(next);
    if (open.delete(id)) answered.add(id);
    else if (answered.has(id)) report("repeated-call-id", last, `Call ${id} has two results.`);
    else report("result-without-call", last, `No call ${id} right before this result.`);
  }
  for (const id of open) report("call-without-result", index, `Call ${id} has no result right after it.`);
  return last;
}

function checkContent(message: JsonRecord, index: number, report: ReportIssue): void {
  const { content } = message;
  if (Array.isArray(content) && content.some((block) => isTextBlock(block) && block.text === "")) {
    report("empty-block", index, "A text block is empty.");
  }
  const isMissing = content == null || (Array.isArray(content) && content.length === 0);
  if (message.role === "assistant") {
    const others = ["tool_calls", "function_call", "refusal", "audio"];
    const isEmpty = (isMissing || content === "") && others.every((field) => message[field] == null);
    if (isEmpty) report("empty-message", index, "An assistant message has neither content nor calls.");
  } else if (isMissing) {
    report("empty-message", index, "A message has no content.");
  }
}

function readCallIds(message: unknown): readonly string[] {
  if (!isRecord(message) || message.role !== "assistant" || !Array.isArray(message.tool_calls)) return [];
  return message.tool_calls.flatMap((call) =>
    isRecord(call) && typeof call.id === "string" ? [call.id] : [],
  );
}

function readResultId({ tool_call_id: id }: JsonRecord): string {
  return typeof id === "string" ? id : "(none)";
}

function hasReasoning(message: unknown): boolean {
  if (!isRecord(message) || message.role !== "assistant") return false;
  return (
    REASONING_TEXTS.some((field) => typeof message[field] === "string" && message[field] !== "") ||
    REASONING_LISTS.some((field) => Array.isArray(message[field]) && message[field].length > 0)
  );
}
