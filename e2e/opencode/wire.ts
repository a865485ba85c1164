import type { HostMessage, HostPart } from "./host-message.ts";
import type { WireBlock, WireMessage } from "./model.ts";

/** The messages that OpenCode 1.18 sends to an OpenAI-compatible provider, without its system message. */
export function renderWire(messages: readonly HostMessage[], model: string): WireMessage[] {
  return messages.flatMap((message) =>
    message.info.role === "user" ? renderUser(message) : renderAssistant(message, model),
  );
}

function renderUser({ parts }: HostMessage): WireMessage[] {
  const blocks = parts.flatMap((part): WireBlock[] => {
    if (part.type === "text" && !part.ignored && part.text) return [{ type: "text", text: part.text }];
    if (part.type === "compaction") return [{ type: "text", text: "What did we do so far?" }];
    if (part.type === "file" && part.mime?.startsWith("image/")) return [imageBlock(part.url ?? "")];
    return [];
  });
  if (blocks.length === 0) return [];
  return [{ role: "user", content: blocks.length === 1 ? (blocks[0]?.text ?? blocks) : blocks }];
}

function renderAssistant({ info, parts }: HostMessage, model: string): WireMessage[] {
  const spoken = parts.filter((part) => ["text", "reasoning", "tool"].includes(part.type));
  const said = spoken.some((part) => part.type !== "reasoning");
  if (info.error && !(info.error.name === "MessageAbortedError" && said)) return [];
  if (spoken.length === 0) return [];

  const sameModel = info.modelID === model;
  const asText = (part: HostPart) =>
    part.type === "text" || (part.type === "reasoning" && !sameModel && part.text?.trim() !== "");
  const reasoning = sameModel ? spoken.filter((part) => part.type === "reasoning") : [];
  const tools = spoken.filter((part) => part.type === "tool");
  const images = tools.flatMap((part) =>
    part.state?.time?.compacted ? [] : (part.state?.attachments ?? []),
  );
  return [
    {
      role: "assistant",
      content: spoken.filter(asText).map(textOf).join(""),
      ...(tools.length > 0 ? { tool_calls: tools.map(renderCall) } : {}),
      reasoning_content: reasoning.map(textOf).join(""),
    },
    ...tools.map(
      (part): WireMessage => ({ role: "tool", tool_call_id: part.callID ?? "", content: resultOf(part) }),
    ),
    ...(images.length > 0 ? [renderMedia(images)] : []),
  ];
}

const textOf = (part: HostPart): string => part.text ?? "";

const renderCall = (part: HostPart) => ({
  id: part.callID ?? "",
  type: "function",
  function: { name: part.tool ?? "", arguments: JSON.stringify(part.state?.input) },
});

function resultOf({ state }: HostPart): string {
  if (state?.status === "completed") {
    return state.time?.compacted ? "[Old tool result content cleared]" : (state.output ?? "");
  }
  if (state?.status !== "error") return "[Tool execution was interrupted]";
  return state.metadata?.interrupted === true
    ? (state.metadata.output ?? state.error ?? "")
    : (state.error ?? "");
}

/** Providers that accept no images in results get them in a user message after the results. */
const renderMedia = (images: readonly { url: string }[]): WireMessage => ({
  role: "user",
  content: [
    { type: "text", text: "Attached media from tool result:" },
    ...images.map((image) => imageBlock(image.url)),
  ],
});

const imageBlock = (url: string) => ({ type: "image_url", image_url: { url } });
