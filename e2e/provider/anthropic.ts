import type { Answered, Dialect } from "./dialects.ts";
import { listOf, named } from "./sse.ts";

/** Anthropic's Messages API. */
export const anthropic: Dialect = {
  name: "anthropic",
  paths: /\/messages$/,
  messagesOf: ({ messages }) => listOf(messages),
  error: (status, message) => ({
    type: "error",
    error: { type: ERRORS[status] ?? "invalid_request_error", message },
  }),
  whole: (answered) => ({
    ...start(answered),
    content: blocksOf(answered),
    stop_reason: stopOf(answered),
    usage: usageOf(answered),
  }),
  *events(answered) {
    yield named({ type: "message_start", message: start(answered) } as { type: string });
    for (const [index, block] of blocksOf(answered).entries()) {
      yield named({ type: "content_block_start", index, content_block: opened(block) } as { type: string });
      for (const delta of deltasOf(block))
        yield named({ type: "content_block_delta", index, delta } as { type: string });
      yield named({ type: "content_block_stop", index } as { type: string });
    }
    yield named({
      type: "message_delta",
      delta: { stop_reason: stopOf(answered), stop_sequence: null },
      usage: usageOf(answered),
    } as { type: string });
    yield named({ type: "message_stop" });
  },
};

const ERRORS: Readonly<Record<number, string>> = { 429: "rate_limit_error", 529: "overloaded_error" };

type Block =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

function start({ model, serial, usage }: Answered) {
  return {
    id: `msg_${serial}`,
    type: "message",
    role: "assistant",
    model,
    content: [] as readonly Block[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: { ...usageOf({ usage } as Answered), output_tokens: 1 },
  };
}

function blocksOf({ reply, thinking, signature }: Answered): readonly Block[] {
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking" as const, thinking, signature }]),
    ...(reply.text === undefined ? [] : [{ type: "text" as const, text: reply.text }]),
    ...(reply.calls ?? []).map(({ id, name, input }) => ({ type: "tool_use" as const, id, name, input })),
  ];
}

function opened(block: Block): object {
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
}

function deltasOf(block: Block): readonly object[] {
  if (block.type === "thinking")
    return [
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ];
  if (block.type === "text") return [{ type: "text_delta", text: block.text }];
  return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
}

function stopOf({ reply }: Answered): string {
  return reply.calls?.length ? "tool_use" : "end_turn";
}

function usageOf({ usage }: Answered) {
  return {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    output_tokens: usage.output,
  };
}
