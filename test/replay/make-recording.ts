import type { Recording, Segment } from "../../src/recordings/recording.ts";
import type { MessageMeta } from "../../src/transcript/message.ts";

/** A message of chat completions, with its metadata. */
export interface Line {
  readonly message: unknown;
  readonly meta: MessageMeta;
}

/** A text of exactly this many tokens: the estimator counts a control character as one. */
export function tokens(count: number, kind: 1 | 2 | 3 = 1): string {
  return String.fromCharCode(kind).repeat(count);
}

export function user(content: string, time?: number): Line {
  return { message: { role: "user", content }, meta: withTime(time) };
}

export function answer(content: string, meta: MessageMeta = {}): Line {
  return { message: { role: "assistant", content }, meta };
}

export function call(id: string, name: string, input: unknown, text: string | null = null): Line {
  const tool_calls = [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }];
  return { message: { role: "assistant", content: text, tool_calls }, meta: {} };
}

export function result(id: string, content: string, time?: number): Line {
  return { message: { role: "tool", tool_call_id: id, content }, meta: withTime(time) };
}

export function makeSegment(lines: readonly Line[], carried = 0): Segment {
  return { messages: lines.map(({ message }) => message), meta: lines.map(({ meta }) => meta), carried };
}

/** A session of one segment, or of those given. */
export function makeRecording(lines: readonly Line[], ...more: readonly Segment[]): Recording {
  return {
    source: "codex",
    format: "openai-chat",
    models: [],
    segments: [makeSegment(lines), ...more],
    asides: [],
    issues: [],
    skipped: 0,
  };
}

function withTime(time: number | undefined): MessageMeta {
  return time === undefined ? {} : { time };
}
