import type { AgentPlugin } from "@cline/sdk";
import type { AgentMessage, AgentMessagePart, AgentToolResultPart } from "@cline/shared";
import { type Format, formatByName } from "../../src/entries/host.ts";
import { createPruner, type PrunerOptions } from "../../src/index.ts";

type Part = Record<string, unknown>;

const aiSdk = formatByName("ai-sdk");

// Cline's messages are almost those of the AI SDK, with their times and costs.
export const cline: Format<AgentMessage> = {
  name: "cline",
  detect: () => 0,
  decode: (message) => ({ ...aiSdk.decode(toAiSdk(message)), ...readMeta(message) }),
  look: (message, trace) => trace.seeAll(message),
  rewrite(message, changes) {
    const rewritten = aiSdk.rewrite(toAiSdk(message), changes) as { content: Part[] } | undefined;
    return rewritten && { ...message, content: rewritten.content.map(fromAiSdk) };
  },
  placeNote(messages, text) {
    const note = {
      id: "coppice",
      role: "user" as const,
      content: [{ type: "text" as const, text }],
      createdAt: 0,
    };
    return { messages: [...messages, note], added: "message" };
  },
  validate: (messages, reasoning) => aiSdk.validate(messages.map(toAiSdk), reasoning),
};

function toAiSdk({ role, content }: AgentMessage) {
  return { role, content: content.map(toAiSdkPart) };
}

function toAiSdkPart(part: AgentMessagePart): object {
  switch (part.type) {
    case "tool-result":
      return { ...part, output: toAiSdkOutput(part) };
    case "tool-call":
      return {
        ...part,
        providerExecuted: part.execution !== undefined,
        providerOptions: { cline: part.metadata },
      };
    case "reasoning": // a message with more than a text is signed: it stays unchanged
      return { ...part, providerOptions: { cline: { signature: part.metadata ?? part.redacted } } };
    default:
      return part;
  }
}

function toAiSdkOutput({ output, isError }: AgentToolResultPart): object {
  if (typeof output === "string") return { type: isError ? "error-text" : "text", value: output };
  const hasImage = JSON.stringify(output)?.includes('"type":"image"');
  return { type: hasImage ? "left alone" : isError ? "error-json" : "json", value: output };
}

function fromAiSdk({ providerExecuted, providerOptions, ...part }: Part): AgentMessagePart {
  const { output } = part as { output?: { value: unknown } };
  return { ...part, ...(output && { output: output.value }) } as unknown as AgentMessagePart;
}

function readMeta({ createdAt, modelInfo, metrics }: AgentMessage) {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = metrics ?? {};
  const input = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return {
    time: createdAt,
    ...(modelInfo && { model: modelInfo.id }),
    ...(metrics && {
      usage: { input, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens, output: outputTokens },
    }),
  };
}

export function coppicePlugin(options: PrunerOptions = {}): AgentPlugin {
  const pruner = createPruner({ ...options, format: cline });
  return {
    name: "coppice",
    manifest: { capabilities: ["hooks"] },
    hooks: {
      beforeModel: ({ request, snapshot }) => ({
        messages: pruner.prune(request.messages, { session: snapshot.conversationId ?? snapshot.agentId })
          .messages,
      }),
    },
  };
}
