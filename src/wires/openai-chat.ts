import { chatAnswer } from "./answers/chat-answer.ts";
import { openAnswer } from "./answers/open-answer.ts";
import { readMarks, withoutOwn } from "./cache-marks.ts";
import { isPostTo } from "./paths.ts";
import { countPrefix, hasToolsIn, parseBody, stringIn, toolNamesIn } from "./read-body.ts";
import type { Wire, WireRequest } from "./wire.ts";
import { writeMessages } from "./write-messages.ts";

/** Chat Completions, as many providers offer it. System text is a message. */
export const openAiChatWire: Wire = {
  name: "openai-chat",
  match: (method, path) => isPostTo(method, path, "/chat/completions"),
  read: readChat,
  write: writeMessages,
  openAnswer: () => openAnswer(chatAnswer),
};

function readChat(text: string): WireRequest | undefined {
  const body = parseBody(text);
  if (!body || !Array.isArray(body.messages)) return undefined;
  return {
    body: text,
    format: "openai-chat",
    messages: body.messages,
    place: { path: ["messages"], kind: "list" },
    model: stringIn(body, "model"),
    prefixTokens: countPrefix(body.tools, body.functions),
    // Gateways accept Anthropic's marks, but not every gateway accepts one on a tool's message.
    caching: withoutOwn(readMarks(body, [body.tools], body.messages)),
    isStream: body.stream === true,
    hasTools: hasToolsIn(body, ["tools", "functions"]),
    isCompaction: false,
    toolNames: toolNamesIn(body.tools, body.functions),
    historyOnServer: undefined,
    cacheKey: stringIn(body, "prompt_cache_key"),
  };
}
