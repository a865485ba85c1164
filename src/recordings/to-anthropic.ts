import type { Issue } from "../basics/issue.ts";
import type { JsonRecord } from "../basics/json.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";
import { numberAt, objectAt, stringAt } from "./json.ts";
import type { Segment } from "./recording.ts";
import {
  type Call,
  knownUsage,
  metaOf,
  noResult,
  resultsOf,
  type SegmentSteps,
  type Step,
} from "./segment-steps.ts";

/** Blocks, user content and `tool_result` blocks are already in the form of the Messages API. */
export type AnthropicContent = string | readonly JsonRecord[];
export type AnthropicSegment = SegmentSteps<JsonRecord, AnthropicContent, JsonRecord>;
export type AnthropicStep = Step<JsonRecord, AnthropicContent, JsonRecord>;

/**
 * Writes a segment in the format of the Messages API: an assistant message for each step, then one user message
 * with all results of the step, in the order of the calls, followed by the other input.
 */
export function toAnthropic(segment: AnthropicSegment, issues: Issue[]): Segment {
  const messages: JsonRecord[] = [];
  const meta: MessageMeta[] = [];
  let carried = 0;
  for (const step of segment.steps) {
    if (step.blocks.length > 0) {
      if (messages.length === 0) {
        messages.push({ role: "user", content: "[no input recorded]" });
        meta.push({});
      }
      messages.push({ role: "assistant", content: endWithMore(step.blocks) });
      meta.push(metaOf(step));
      if (step.carried) carried = messages.length;
    }
    const results = resultsOf(step, standIn, issues);
    const pieces = [...results, ...step.inputs];
    if (pieces.length > 0) {
      messages.push({ role: "user", content: joinContent(pieces.map(({ value }) => value)) });
      const time = newestTime(pieces);
      const cleared = step.calls.flatMap(({ id }, i) => (results[i]?.cleared ? id : []));
      meta.push({ ...(time !== undefined && { time }), ...(cleared.length > 0 && { cleared }) });
      if (pieces.some((piece) => piece.carried)) carried = messages.length;
    }
  }
  return { messages, meta, carried };
}

/** Adds the blocks of a response to its step; its calls can then get their results. */
export function addBlocks(
  blocks: readonly JsonRecord[],
  step: AnthropicStep,
  segment: AnthropicSegment,
): void {
  for (const block of blocks) {
    const id = block.type === "tool_use" ? stringAt(block, "id") : undefined;
    if (id === undefined) step.blocks.push(block);
    else segment.addCall(step, { id, name: stringAt(block, "name") ?? "" }, block);
  }
}

/** `input_tokens` do not include cached tokens. */
export function readAnthropicUsage(usage: JsonRecord | undefined): Usage | undefined {
  const longWrite = numberAt(objectAt(usage, "cache_creation"), "ephemeral_1h_input_tokens") ?? 0;
  return knownUsage({
    input: numberAt(usage, "input_tokens") ?? 0,
    cacheRead: numberAt(usage, "cache_read_input_tokens") ?? 0,
    cacheWrite: numberAt(usage, "cache_creation_input_tokens") ?? 0,
    ...(longWrite > 0 && { longWrite }),
    output: numberAt(usage, "output_tokens") ?? 0,
  });
}

/** Removes blank texts, which the API refuses. `undefined` when nothing is left. */
export function withoutBlanks(content: AnthropicContent): AnthropicContent | undefined {
  if (typeof content === "string") return content.trim() === "" ? undefined : content;
  const blocks = content.filter((block) => block.type !== "text" || stringAt(block, "text")?.trim());
  return blocks.length === 0 ? undefined : blocks;
}

/** No assistant message may end with thinking, so a recorded one gets a text. */
function endWithMore(blocks: readonly JsonRecord[]): readonly JsonRecord[] {
  const last = blocks.at(-1)?.type;
  const isThinking = last === "thinking" || last === "redacted_thinking";
  return isThinking ? [...blocks, { type: "text", text: "[no text recorded]" }] : blocks;
}

function standIn({ id }: Call): JsonRecord {
  return { type: "tool_result", tool_use_id: id, content: noResult, is_error: true };
}

function joinContent(values: readonly (AnthropicContent | JsonRecord)[]): AnthropicContent {
  if (values.length === 1 && typeof values[0] === "string") return values[0];
  return values.flatMap((value) => (typeof value === "string" ? [{ type: "text", text: value }] : value));
}

function newestTime(pieces: readonly { readonly time: number | undefined }[]): number | undefined {
  return pieces.reduce<number | undefined>(
    (newest, { time }) => (time === undefined ? newest : Math.max(time, newest ?? time)),
    undefined,
  );
}
