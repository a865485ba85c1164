import { isRecord, type JsonRecord } from "../basics/json.ts";
import { anthropicAnswer, countedAnswer } from "./answers/anthropic-answer.ts";
import { openAnswer } from "./answers/open-answer.ts";
import { readMarks } from "./cache-marks.ts";
import { isPostTo } from "./paths.ts";
import { countPrefix, hasToolsIn, parseBody, stringIn, toolNamesIn } from "./read-body.ts";
import { readClearing } from "./read-clearing.ts";
import type { Wire, WireRequest } from "./wire.ts";
import { writeMessages } from "./write-messages.ts";

/** Anthropic's Messages. System text is a separate field, but may also occur among the messages. */
export const anthropicMessagesWire: Wire = {
  name: "anthropic-messages",
  match: (method, path) => isPostTo(method, path, "/messages"),
  read: readAnthropic,
  write: writeMessages,
  openAnswer: () => openAnswer(anthropicAnswer),
};

/** Asks for the size of a request: it must count the text that will be sent. */
export const anthropicCountTokensWire: Wire = {
  name: "anthropic-count-tokens",
  match: (method, path) => isPostTo(method, path, "/messages/count_tokens"),
  read: readAnthropic,
  write: writeMessages,
  openAnswer: () => openAnswer(countedAnswer),
};

function readAnthropic(text: string): WireRequest | undefined {
  const body = parseBody(text);
  if (!body || !Array.isArray(body.messages)) return undefined;
  const clears = readClearing(body.context_management);
  return {
    body: text,
    format: "anthropic-messages",
    messages: body.messages,
    place: { path: ["messages"], kind: "list" },
    model: stringIn(body, "model"),
    prefixTokens: countPrefix(body.system, body.tools),
    caching: readMarks(body, [body.tools, body.system], body.messages),
    ...(clears && { clears }),
    isStream: body.stream === true,
    hasTools: hasToolsIn(body, ["tools"]),
    isCompaction: asksForSummary(body.messages.at(-1)),
    toolNames: toolNamesIn(body.tools),
    historyOnServer: readThread(body),
    cacheKey: stringIn(body.metadata, "user_id"),
  };
}

/** Claude Code's prompt for a summary comes after the whole history, with all of its tools, and begins like this. */
const SUMMARY_PROMPT = "CRITICAL: Respond with TEXT ONLY";

function asksForSummary(message: unknown): boolean {
  if (!isRecord(message) || message.role !== "user") return false;
  const { content } = message;
  const texts = Array.isArray(content) ? content.map((block) => stringIn(block, "text")) : [content];
  return texts.some((text) => typeof text === "string" && text.trimStart().startsWith(SUMMARY_PROMPT));
}

/** The server keeps a thread from its creation on. */
function readThread({ thread }: JsonRecord): string | undefined {
  if (thread === undefined || thread === null) return undefined;
  const kind = (isRecord(thread) && stringIn(thread, "type")) || "of an unknown kind";
  return `thread ${kind} (the SDK's toolRunner takes \`thread: false\`)`;
}
