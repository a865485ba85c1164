import type { FormatName } from "../../src/formats/format.ts";

/** A message as its provider gets it, or one of several that make up a message. */
export interface Sent {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string; readonly signature?: unknown; readonly id?: unknown }
  | { readonly kind: "call"; readonly id: unknown; readonly signature?: unknown; readonly itemId?: unknown }
  | { readonly kind: "result"; readonly id: unknown }
  | { readonly kind: "other" };

type Fields = Readonly<Record<string, unknown>>;

/* Nothing here comes from `src/`: the code under test must not be the test. */

const READERS: Readonly<Record<FormatName, (message: Fields) => Sent>> = {
  "anthropic-messages": ({ role, content }) => ({
    role: roleOf(role),
    blocks: blocksOf(content, ({ type, text, thinking, signature, id, tool_use_id }) => {
      if (type === "text") return { kind: "text", text: String(text) };
      if (type === "thinking") return { kind: "thinking", text: String(thinking), signature };
      if (type === "tool_use") return { kind: "call", id };
      return type === "tool_result" ? { kind: "result", id: tool_use_id } : { kind: "other" };
    }),
  }),
  "openai-chat": ({ role, content, tool_calls, tool_call_id, reasoning_content }) =>
    role === "tool"
      ? { role, blocks: [{ kind: "result", id: tool_call_id }] }
      : {
          role: roleOf(role),
          blocks: [
            ...(reasoning_content === undefined ? [] : [thought(reasoning_content)]),
            ...(content == null ? [] : blocksOf(content, readText)),
            ...listOf(tool_calls).map(({ id }): Block => ({ kind: "call", id })),
          ],
        },
  "openai-responses": (item) => readItem(item, item.call_id),
  "openai-agents": (item) => readItem(item, item.callId),
  gemini: ({ role, parts }) => ({
    role: role === "model" ? "assistant" : "user",
    blocks: listOf(parts).map(
      ({ text, thought, thoughtSignature, functionCall, functionResponse }): Block => {
        if (functionCall)
          return { kind: "call", id: (functionCall as Fields).id, signature: thoughtSignature };
        if (functionResponse) return { kind: "result", id: (functionResponse as Fields).id };
        if (text === undefined) return { kind: "other" };
        return thought === true
          ? { kind: "thinking", text: String(text) }
          : { kind: "text", text: String(text) };
      },
    ),
  }),
  "ai-sdk": ({ role, content }) => ({
    role: roleOf(role),
    blocks: blocksOf(content, (part) => {
      if (part.type === "reasoning") return thought(part.text);
      if (part.type === "tool-call") return { kind: "call", id: part.toolCallId };
      return part.type === "tool-result" ? { kind: "result", id: part.toolCallId } : readText(part);
    }),
  }),
  pi: ({ role, content, toolCallId }) =>
    role === "toolResult"
      ? { role: "tool", blocks: [{ kind: "result", id: toolCallId }] }
      : {
          role: roleOf(role),
          blocks: blocksOf(content, (block) => {
            if (block.type === "thinking")
              return { ...thought(block.thinking), signature: block.thinkingSignature };
            return block.type === "toolCall" ? { kind: "call", id: block.id } : readText(block);
          }),
        },
  // A call and its result are one part here.
  opencode: ({ info, parts }) => ({
    role: roleOf((info as Fields).role),
    blocks: listOf(parts).flatMap((part): readonly Block[] => {
      if (part.type === "tool")
        return [
          { kind: "call", id: part.callID },
          { kind: "result", id: part.callID },
        ];
      if (part.type !== "reasoning") return [readText(part)];
      const { anthropic } = (part.metadata ?? {}) as { anthropic?: Fields };
      return [{ ...thought(part.text), signature: anthropic?.signature }];
    }),
  }),
  langchain(message) {
    const type = (message as { getType?(): string }).getType?.();
    if (type === "tool") return { role: "tool", blocks: [{ kind: "result", id: message.tool_call_id }] };
    return {
      role: type === "ai" ? "assistant" : type === "human" ? "user" : "system",
      blocks: [
        ...blocksOf(message.content, ({ type, text, thinking, signature }) => {
          if (type === "thinking") return { ...thought(thinking), signature };
          return type === "text" ? { kind: "text", text: String(text) } : { kind: "other" };
        }),
        ...listOf(message.tool_calls).map(({ id }): Block => ({ kind: "call", id })),
      ],
    };
  },
};

export function readMessage(format: FormatName, message: unknown): Sent {
  return READERS[format](message as Fields);
}

function readItem(item: Fields, callId: unknown): Sent {
  const { type, role, id, content } = item;
  if (type === "reasoning") {
    const { encrypted_content: sealed = (item.providerData as Fields | undefined)?.encrypted_content } = item;
    return { role: "assistant", blocks: [{ kind: "thinking", text: "sealed", signature: sealed, id }] };
  }
  if (type === "function_call")
    return { role: "assistant", blocks: [{ kind: "call", id: callId, itemId: id }] };
  if (type === "function_call_output" || type === "function_call_result")
    return { role: "tool", blocks: [{ kind: "result", id: callId }] };
  return { role: roleOf(role), blocks: blocksOf(content, readText) };
}

function readText({ text }: Fields): Block {
  return typeof text === "string" ? { kind: "text", text } : { kind: "other" };
}

function thought(text: unknown): Block & { readonly kind: "thinking" } {
  return { kind: "thinking", text: String(text) };
}

function blocksOf(content: unknown, read: (block: Fields) => Block): readonly Block[] {
  return typeof content === "string" ? [{ kind: "text", text: content }] : listOf(content).map(read);
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

function roleOf(role: unknown): Sent["role"] {
  return role === "assistant" || role === "user" || role === "tool" ? role : "system";
}
