import type { WireName } from "../../../src/wires/wire.ts";
import { wireNamed } from "../bodies.ts";

/** Server-sent events; an object is an event's data, named by its `type` as Anthropic and OpenAI do. */
export function toEvents(events: readonly unknown[], end = "\n"): string {
  return events
    .map((event) => {
      const type = Reflect.get(Object(event), "type");
      const data = typeof event === "string" ? event : JSON.stringify(event);
      return `${typeof type === "string" ? `event: ${type}${end}` : ""}data: ${data}${end}${end}`;
    })
    .join("");
}

/** Reads an answer in pieces that end at these bytes. */
export function readAnswer(
  name: WireName,
  answer: string | Uint8Array,
  cuts: readonly number[] = [],
): unknown {
  const bytes = typeof answer === "string" ? new TextEncoder().encode(answer) : answer;
  const reader = wireNamed(name).openAnswer();
  let from = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    reader.push(bytes.subarray(from, cut));
    from = cut;
  }
  return reader.end();
}

export const anthropicStream: readonly unknown[] = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [],
      stop_reason: null,
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 40_000,
        cache_creation: { ephemeral_5m_input_tokens: 300 },
        output_tokens: 1,
      },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "ping" },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: 'Grüße 👩‍🚀: {"usage":{"input_tokens":99}}\n\ndata: {"error":{}}' },
  },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "toolu_1", name: "read", input: {} },
  },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"usage":' } },
  {
    type: "content_block_start",
    index: 2,
    content_block: { id: "toolu_2", type: "tool_use", name: "read", input: {} },
  },
  {
    type: "content_block_start",
    index: 3,
    content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search" },
  },
  {
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 89 },
  },
  { type: "message_stop" },
];

const chatChunk = (delta: object, more: object = {}) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  model: "gpt-5",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  usage: null,
});

export const chatStream: readonly unknown[] = [
  chatChunk({ role: "assistant", content: "" }),
  chatChunk({
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "read", arguments: "" } }],
  }),
  chatChunk({ tool_calls: [{ index: 0, function: { arguments: '{"id":"call_x"}' } }] }),
  chatChunk({
    tool_calls: [{ index: 1, id: "call_2", type: "function", function: { name: "read", arguments: "{}" } }],
  }),
  chatChunk({}, { finish_reason: "tool_calls" }),
  {
    id: "chatcmpl-1",
    model: "gpt-5",
    choices: [],
    usage: {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
    },
  },
  "[DONE]",
];

export const response: object = {
  id: "resp_1",
  object: "response",
  status: "completed",
  error: null,
  incomplete_details: null,
  instructions: "You are.",
  model: "gpt-5-codex",
  output: [
    { type: "reasoning", id: "rs_1", encrypted_content: "c2VjcmV0" },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: '{"call_id":"x"}' },
    { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "exec", input: "1" },
    { type: "web_search_call", id: "ws_1", status: "completed" },
  ],
  tools: [{ type: "function", name: "read", parameters: { usage: { input_tokens: 5 } } }],
  usage: {
    input_tokens: 5_000,
    input_tokens_details: { cached_tokens: 4_608 },
    output_tokens: 70,
    output_tokens_details: { reasoning_tokens: 64 },
  },
};

export const responsesStream: readonly unknown[] = [
  {
    type: "response.created",
    response: {
      id: "resp_1",
      status: "in_progress",
      model: "gpt-5-codex",
      output: [],
      usage: null,
      error: null,
    },
  },
  {
    type: "response.output_item.done",
    output_index: 1,
    item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "read" },
  },
  { type: "response.output_text.delta", delta: '{"type":"error"}' },
  { type: "response.completed", response },
];

const geminiChunk = (parts: readonly unknown[], usage: object, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  usageMetadata: usage,
  modelVersion: "gemini-2.5-pro",
});

export const geminiStream: readonly unknown[] = [
  geminiChunk([{ text: "hm", thought: true }], {
    promptTokenCount: 900,
    totalTokenCount: 900,
    trafficType: "ON_DEMAND",
  }),
  geminiChunk(
    [
      { functionCall: { name: "read", args: { id: "no" }, id: "fc_1" } },
      { functionCall: { name: "read", args: {} } },
    ],
    {
      promptTokenCount: 900,
      cachedContentTokenCount: 700,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 15,
      toolUsePromptTokenCount: 5,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 900 }],
    },
    { finishReason: "STOP" },
  ),
];
