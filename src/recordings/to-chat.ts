import type { Issue } from "../basics/issue.ts";
import type { JsonRecord } from "../basics/json.ts";
import type { MessageMeta } from "../transcript/message.ts";
import type { Segment } from "./recording.ts";
import { metaOf, noResult, resultsOf, type SegmentSteps, type Step } from "./segment-steps.ts";

export type ChatBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      /** Gemini signs calls; a signed call must not change. */
      readonly signature?: string;
    };

/** The content of a message: its text, or text and image parts. */
export type ChatContent = string | readonly JsonRecord[];
/** Inputs are whole messages, results the content of a tool message. */
export type ChatSegment = SegmentSteps<ChatBlock, JsonRecord, ChatContent>;
export type ChatStep = Step<ChatBlock, JsonRecord, ChatContent>;

/**
 * Writes a segment in the format of chat completions: an assistant message for each step, then its tool messages.
 */
export function toChat(segment: ChatSegment, issues: Issue[]): Segment {
  const messages: JsonRecord[] = [];
  const meta: MessageMeta[] = [];
  let carried = 0;
  const add = (message: JsonRecord, about: MessageMeta, isCarried: boolean) => {
    messages.push(message);
    meta.push(about);
    if (isCarried) carried = messages.length;
  };
  for (const step of segment.steps) {
    if (step.blocks.length > 0) add(assistantMessage(step.blocks), metaOf(step), step.carried);
    const results = resultsOf(step, () => noResult, issues);
    for (const [at, { value, time, carried: isCarried }] of results.entries()) {
      const message = { role: "tool", tool_call_id: step.calls[at]?.id, content: value };
      add(message, time === undefined ? {} : { time }, isCarried);
    }
    for (const { value, time, carried: isCarried } of step.inputs)
      add(value, time === undefined ? {} : { time }, isCarried);
  }
  return { messages, meta, carried };
}

function assistantMessage(blocks: readonly ChatBlock[]): JsonRecord {
  const texts = blocks.filter((block) => block.kind === "text").map(({ text }) => text);
  const reasoning = blocks.filter((block) => block.kind === "reasoning").map(({ text }) => text);
  const calls = blocks.filter((block) => block.kind === "call");
  return {
    role: "assistant",
    content: texts.length > 1 ? texts.map((text) => ({ type: "text", text })) : (texts[0] ?? null),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("\n\n") }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: args, signature }) => ({
        id,
        type: "function",
        function: { name, arguments: args },
        ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
      })),
    }),
  };
}
