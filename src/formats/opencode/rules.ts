import type { Issue } from "../../basics/issue.ts";
import { isRecord } from "../../basics/json.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import type { ReportIssue } from "../pairing.ts";
import {
  findSentText,
  isCleared,
  isMessage,
  isSent,
  isTool,
  type OpenCodeMessage,
  type ToolPart,
} from "./parts.ts";

/**
 * The properties that OpenCode needs to make a legal request of these messages. It handles pairs and order itself,
 * because a call and its result are one part. It leaves out an empty text, unless there is nothing else to send.
 */
export function validateOpenCode(messages: readonly unknown[], reasoning: ReasoningRule): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  const needsReasoning =
    reasoning === "field" && messages.some((message) => isMessage(message) && hasReasoning(message));
  const called = new Set<string>();
  messages.forEach((message, index) => {
    if (!isMessage(message)) {
      report("malformed-message", index, "A message has info and parts.");
      return;
    }
    checkParts(message, index, report);
    if (!isSent(message.info, message.parts)) return;
    checkText(message, index, report);
    const tools = message.parts.filter(isTool);
    checkIds(tools, called, index, report);
    if (needsReasoning && tools.length > 0 && !hasReasoning(message)) {
      report("reasoning-missing", index, "A message with calls keeps its reasoning.");
    }
  });
  return issues;
}

function checkParts({ info, parts }: OpenCodeMessage, index: number, report: ReportIssue): void {
  if (info.role !== "user" && info.role !== "assistant")
    report("role-order", index, "The role is user or assistant.");
  const ids = parts.flatMap((part) => (isRecord(part) && typeof part.id === "string" ? [part.id] : []));
  if (new Set(ids).size < ids.length) report("malformed-message", index, "Two parts share an id.", "warning");
  for (const part of parts) {
    if (!isRecord(part) || part.type !== "tool") continue;
    if (isTool(part)) checkState(part, index, report);
    else report("malformed-message", index, "A tool part has a callID, a tool and a state.");
  }
}

function checkState({ callID, state }: ToolPart, index: number, report: ReportIssue): void {
  if (state.status === "pending" || state.status === "running" || isCleared(state)) return;
  if (state.status !== "completed" && state.status !== "error") {
    report("malformed-message", index, `Call ${callID} has no known status.`);
  } else if (findSentText(state) === undefined) {
    report("call-without-result", index, `Call ${callID} has ended without a text.`);
  }
}

function checkText({ info, parts }: OpenCodeMessage, index: number, report: ReportIssue): void {
  if (info.role !== "assistant" || parts.some(isTool)) return;
  const texts = parts.flatMap((part) => (isRecord(part) && part.type === "text" ? [part.text] : []));
  if (texts.length > 0 && texts.every((text) => text === ""))
    report("empty-message", index, "All texts are empty.");
}

/** Providers refuse the same id twice in one message; an id that is used again later is only a warning. */
function checkIds(tools: readonly ToolPart[], called: Set<string>, index: number, report: ReportIssue): void {
  const here = new Set(tools.map(({ callID }) => callID));
  if (here.size < tools.length) report("repeated-call-id", index, "Two calls of one message share an id.");
  for (const id of here) {
    if (called.has(id)) report("repeated-call-id", index, `Call id ${id} was used before.`, "warning");
    called.add(id);
  }
}

function hasReasoning({ info, parts }: OpenCodeMessage): boolean {
  return (
    info.role === "assistant" &&
    parts.some((part) => isRecord(part) && part.type === "reasoning" && part.text !== "")
  );
}
