import type { ServerResponse } from "node:http";
import type { Recorded, Reply, WireCall, WireMessage, WireRequest } from "./model.ts";

/* Anthropic's messages API, as far as OpenCode uses it. */

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
};
type AnthropicMessage = { readonly role: "user" | "assistant"; readonly content: string | readonly Block[] };
export type AnthropicRequest = {
  readonly model: string;
  readonly system?: string | readonly Block[];
  readonly messages: readonly AnthropicMessage[];
  readonly tools?: readonly { readonly name: string }[];
};

/** The request in the form of OpenAI's chat: tests check the same text for both. */
export function readAnthropic(raw: string): WireRequest {
  const { model, system, messages, tools } = JSON.parse(raw) as AnthropicRequest;
  const heading: readonly WireMessage[] = system ? [{ role: "system", content: textOfBlocks(system) }] : [];
  return {
    model,
    messages: [...heading, ...messages.flatMap(readMessage)],
    ...(tools && { tools: tools.map(({ name }) => ({ function: { name } })) }),
  };
}

/** The messages of a request block by block, without the cache marks, which move with each request. */
export function listMessages(
  request: Recorded | undefined,
): readonly { readonly role: string; readonly content: readonly Block[] }[] {
  const unmark = (key: string, value: unknown) => (key === "cache_control" ? undefined : value);
  return request ? JSON.parse(request.raw, unmark).messages : [];
}

function readMessage({ role, content }: AnthropicMessage): WireMessage[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const texts = blocks.filter(({ type }) => type === "text");
  if (role === "user") {
    const results = blocks.filter(({ type }) => type === "tool_result");
    return [
      ...results.map(
        (block): WireMessage => ({
          role: "tool",
          tool_call_id: block.tool_use_id ?? "",
          content: textOfBlocks(block.content ?? ""),
        }),
      ),
      ...(texts.length > 0 ? [{ role, content: textOfBlocks(texts) }] : []),
    ];
  }
  const thinking = blocks.filter(({ type }) => type === "thinking").map((block) => block.thinking ?? "");
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return [
    {
      role,
      content: textOfBlocks(texts),
      ...(thinking.length > 0 && { reasoning_content: thinking.join("\n") }),
      ...(calls.length > 0 && { tool_calls: calls.map(readCall) }),
    },
  ];
}

const readCall = ({ id = "", name = "", input }: Block): WireCall => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

const textOfBlocks = (content: string | readonly Block[]): string =>
  typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("\n");

export async function sendAnthropic(outgoing: ServerResponse, reply: Reply, serial: number): Promise<void> {
  if (reply.fail) {
    const { status, message } = reply.fail;
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const write = (type: string, event: object) =>
    outgoing.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
  const { prompt = 0, cached = 0, completion = 20 } = reply.usage ?? {};
  const usage = {
    input_tokens: prompt - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: completion,
  };
  write("message_start", {
    message: {
      id: `msg_${serial}`,
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  let index = 0;
  const block = (start: object, ...deltas: readonly object[]) => {
    write("content_block_start", { index, content_block: start });
    for (const delta of deltas) write("content_block_delta", { index, delta });
    write("content_block_stop", { index });
    index += 1;
  };
  if (reply.reasoning) {
    block(
      { type: "thinking", thinking: "" },
      { type: "thinking_delta", thinking: reply.reasoning },
      { type: "signature_delta", signature: reply.signature ?? `signature-${serial}` },
    );
  }
  if (reply.text) block({ type: "text", text: "" }, { type: "text_delta", text: reply.text });
  for (const [i, call] of (reply.calls ?? []).entries()) {
    const id = call.id ?? `toolu_${serial}_${i}`;
    block(
      { type: "tool_use", id, name: call.name, input: {} },
      { type: "input_json_delta", partial_json: JSON.stringify(call.input) },
    );
  }
  const stop_reason = reply.calls?.length ? "tool_use" : "end_turn";
  write("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: completion },
  });
  write("message_stop", {});
  outgoing.end();
}
