import type { Issue } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import { checkPairs, type MessagePairs, type ReportIssue } from "../pairing.ts";
import { findDoubles, isSigned, isText, isThought, type NamedCall, readCall, readResponse } from "./parts.ts";

const ROLES: ReadonlySet<unknown> = new Set(["user", "model", "function", "system", undefined]);

/**
 * The rules of generateContent: the user begins; the calls of a message are answered directly after it, one
 * response each; a message with calls does not follow another model message; nothing is empty. From Gemini 3 on,
 * the first call of each response in the current turn carries its signature.
 */
export function validateGemini(messages: readonly unknown[], reasoning: ReasoningRule): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  const ids = new CallNumbers();
  const pairs = messages.map((message, index): MessagePairs | undefined => {
    if (!isRecord(message) || !Array.isArray(message.parts) || !ROLES.has(message.role)) {
      report("malformed-message", index, "A content has parts and the role user or model.");
      return undefined;
    }
    checkParts(message.parts, index, report);
    return ids.number(message, message.parts, index);
  });
  if (roleOf(messages[0]) === "model") report("role-order", 0, "The first content must be the user's.");
  messages.forEach((message, index) => {
    if (firstCall(message) && roleOf(messages[index - 1]) === "model")
      report("role-order", index, "A call must come directly after the user or a response.");
  });
  checkPairs(pairs, report);
  if (reasoning === "signed" || reasoning === "bound") checkSignatures(messages, report);
  return issues;
}

function checkParts(parts: readonly unknown[], index: number, report: ReportIssue): void {
  if (parts.length === 0) report("empty-message", index, "A content has no parts.");
  const isEmpty = (part: unknown) => (isText(part) || isThought(part)) && part.text === "" && !isSigned(part);
  if (parts.some(isEmpty)) report("empty-block", index, "A text is empty.");
  if (findDoubles(parts).size > 0)
    report("repeated-call-id", index, "This response occurs twice.", "warning");
}

/** Gives ids to calls and responses without one: by their name, in order. */
class CallNumbers {
  #callAt = 0;
  #responses = new Map<string, number>();

  number({ role }: JsonRecord, parts: readonly unknown[], index: number): MessagePairs {
    const doubles = findDoubles(parts);
    const calls = role === "model" ? parts.flatMap((part) => readCall(part) ?? []) : [];
    const responses = parts.flatMap((part, i) => (doubles.has(i) ? [] : (readResponse(part) ?? [])));
    if (calls.length > 0) {
      this.#callAt = index;
      this.#responses = new Map();
    }
    const counted = new Map<string, number>();
    return {
      calls: calls.map((call) => this.#name(call, counted)),
      results: responses.map((response) => this.#name(response, this.#responses)),
    };
  }

  #name({ callId, hasId, name }: NamedCall, counted: Map<string, number>): string {
    if (hasId) return callId;
    const count = (counted.get(name) ?? 0) + 1;
    counted.set(name, count);
    return `${name} ${count} of content ${this.#callAt}`;
  }
}

/** Not all clients send thoughts back, and texts lose little with their signatures: only calls are checked. */
function checkSignatures(messages: readonly unknown[], report: ReportIssue): void {
  const start = messages.findLastIndex((message) => roleOf(message) === "user" && !hasResponse(message));
  const first = messages.map((message, index) => (index > start ? firstCall(message) : undefined));
  if (!first.some((part) => part && isSigned(part))) return;
  first.forEach((part, index) => {
    if (part && !isSigned(part)) report("reasoning-missing", index, "The first call has no signature.");
  });
}

function firstCall(message: unknown): JsonRecord | undefined {
  const part = roleOf(message) === "model" ? partsOf(message).find((each) => readCall(each)) : undefined;
  return isRecord(part) ? part : undefined;
}

function hasResponse(message: unknown): boolean {
  return partsOf(message).some((part) => readResponse(part));
}

function partsOf(message: unknown): readonly unknown[] {
  return isRecord(message) && Array.isArray(message.parts) ? message.parts : [];
}

function roleOf(message: unknown): unknown {
  return isRecord(message) ? message.role : undefined;
}
