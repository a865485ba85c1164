import { isRecord, type JsonRecord } from "../basics/json.ts";
import { openAnswer } from "./answers/open-answer.ts";
import { responsesAnswer } from "./answers/responses-answer.ts";
import { isPostTo } from "./paths.ts";
import { countPrefix, hasToolsIn, parseBody, stringIn, toolNamesIn } from "./read-body.ts";
import type { MessagesPlace, Wire, WireRequest } from "./wire.ts";
import { writeMessages } from "./write-messages.ts";

/** OpenAI's Responses. Its messages are the items of `input`, which may also be the text of one user message. */
export const openAiResponsesWire: Wire = {
  name: "openai-responses",
  match: (method, path) => isPostTo(method, path, "/responses"),
  read: readResponses,
  write: writeMessages,
  openAnswer: () => openAnswer(responsesAnswer),
};

function readResponses(text: string): WireRequest | undefined {
  const body = parseBody(text);
  const input = body && readInput(body.input);
  if (!input) return undefined;
  return {
    body: text,
    format: "openai-responses",
    messages: input.items,
    place: { path: ["input"], kind: input.kind },
    model: stringIn(body, "model"),
    prefixTokens: countPrefix(body.instructions, body.tools),
    caching: {},
    isStream: body.stream === true,
    hasTools: hasToolsIn(body, ["tools"]) || input.items.some(isToolList),
    isCompaction: isTrigger(input.items.at(-1)),
    toolNames: toolNamesIn(body.tools, ...input.items.filter(isToolList).map(({ tools }) => tools)),
    historyOnServer: ["previous_response_id", "conversation"].find((field) => isSet(body, field)),
    cacheKey: stringIn(body, "prompt_cache_key"),
  };
}

function readInput(
  input: unknown,
): { readonly items: readonly unknown[]; readonly kind: MessagesPlace["kind"] } | undefined {
  if (Array.isArray(input)) return { items: input, kind: "list" };
  if (typeof input !== "string") return undefined;
  return { items: [{ type: "message", role: "user", content: input }], kind: "text" };
}

/** Codex sends its tools as an item of the input, where they are counted. */
function isToolList(item: unknown): item is JsonRecord {
  return isRecord(item) && item.type === "additional_tools";
}

/** The last item of Codex's request for a compaction. */
function isTrigger(item: unknown): boolean {
  return isRecord(item) && item.type === "compaction_trigger";
}

function isSet(body: JsonRecord, field: string): boolean {
  return body[field] !== undefined && body[field] !== null;
}
