import type { Answered, Dialect } from "./dialects.ts";
import { data, listOf } from "./sse.ts";

/** OpenAI's Chat Completions. */
export const chat: Dialect = {
  name: "chat",
  paths: /\/chat\/completions$/,
  messagesOf: ({ messages }) => listOf(messages),
  error: (_, message) => ({ error: { message, type: "invalid_request_error" } }),
  whole: (answered) => ({
    ...base(answered, "chat.completion"),
    choices: [{ index: 0, message: messageOf(answered), finish_reason: finishOf(answered) }],
    usage: usageOf(answered),
  }),
  *events(answered) {
    const chunk = (choices: readonly object[], more: object = {}) =>
      data({ ...base(answered, "chat.completion.chunk"), choices, ...more });
    const { text } = answered.reply;
    yield chunk([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
    if (answered.thinking !== undefined)
      yield chunk([{ index: 0, delta: { reasoning_content: answered.thinking }, finish_reason: null }]);
    if (text !== undefined) yield chunk([{ index: 0, delta: { content: text }, finish_reason: null }]);
    for (const [index, call] of callsOf(answered).entries())
      yield chunk([{ index: 0, delta: { tool_calls: [{ index, ...call }] }, finish_reason: null }]);
    yield chunk([{ index: 0, delta: {}, finish_reason: finishOf(answered) }]);
    yield chunk([], { usage: usageOf(answered) });
    yield "data: [DONE]\n\n";
  },
};

function base({ model, serial }: Answered, object: string): object {
  return { id: `chatcmpl-${serial}`, object, created: 1_790_000_000, model };
}

function callsOf({ reply }: Answered): readonly object[] {
  return (reply.calls ?? []).map(({ id, name, input }) =>
    typeof input === "string"
      ? { id, type: "custom", custom: { name, input } }
      : { id, type: "function", function: { name, arguments: JSON.stringify(input) } },
  );
}

function messageOf(answered: Answered): object {
  const calls = callsOf(answered);
  return {
    role: "assistant",
    content: answered.reply.text ?? null,
    ...(answered.thinking !== undefined && { reasoning_content: answered.thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function finishOf({ reply }: Answered): string {
  return reply.calls?.length ? "tool_calls" : "stop";
}

function usageOf({ usage }: Answered): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
}
