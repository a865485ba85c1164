import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { WireName } from "../../wires/wire.ts";

/** An answer of the stub: its type and its body. */
export interface DoneAnswer {
  readonly type: "application/json" | "text/event-stream";
  readonly body: string;
}

/**
 * The answer "done" to any request, streamed if requested. A request with a schema gets an answer that matches it.
 */
export function answerDone(wire: WireName, body: string, isStream: boolean): DoneAnswer {
  const request = readRecord(body);
  const text = fillForm(request) ?? "done";
  const model = typeof request.model === "string" ? request.model : "stub";
  return WORDS[wire](text, model, isStream);
}

function readRecord(body: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

type Words = (text: string, model: string, isStream: boolean) => DoneAnswer;

const json = (value: unknown): DoneAnswer => ({ type: "application/json", body: JSON.stringify(value) });

const stream = (events: readonly JsonRecord[], end = ""): DoneAnswer => ({
  type: "text/event-stream",
  body:
    events
      .map((event) => {
        const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
        return `${name}data: ${JSON.stringify(event)}\n\n`;
      })
      .join("") + end,
});

const anthropic: Words = (text, model, isStream) => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    ...{ id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null, usage },
  };
  const block = { type: "text", text };
  if (!isStream) return json({ ...message, content: [block], stop_reason: "end_turn" });
  return stream([
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ]);
};

const chat: Words = (text, model, isStream) => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const base = { id: "chatcmpl-1", created: 0, model };
  const message = { role: "assistant", content: text };
  if (!isStream)
    return json({
      ...{ ...base, object: "chat.completion", usage },
      choices: [{ index: 0, message, finish_reason: "stop" }],
    });
  const chunk = { ...base, object: "chat.completion.chunk" };
  return stream(
    [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage },
    ],
    "data: [DONE]\n\n",
  );
};

const responses: Words = (text, model, isStream) => {
  const part = { type: "output_text", text, annotations: [] };
  const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [part] };
  const response = {
    ...{ id: "resp_1", object: "response", created_at: 0, status: "completed", model, output: [item] },
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
  if (!isStream) return json(response);
  const opened = { ...response, status: "in_progress", output: [] };
  return stream([
    { type: "response.created", response: opened },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ]);
};

const gemini: Words = (text, model, isStream) => {
  const response = {
    candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: model,
  };
  return isStream ? stream([response]) : json(response);
};

const WORDS: Readonly<Record<WireName, Words>> = {
  "anthropic-messages": anthropic,
  "anthropic-count-tokens": () => json({ input_tokens: 1 }),
  "openai-chat": chat,
  "openai-responses": responses,
  gemini,
};

/** Gemini CLI asks a small model which model to use, and repeats this until the answer has the expected form. */
function fillForm({ generationConfig }: JsonRecord): string | undefined {
  if (!isRecord(generationConfig)) return undefined;
  const schema = generationConfig.responseJsonSchema ?? generationConfig.responseSchema;
  return schema === undefined ? undefined : JSON.stringify(fill(schema));
}

function fill(schema: unknown): unknown {
  if (!isRecord(schema)) return "done";
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (String(schema.type).toLowerCase()) {
    case "object":
      return Object.fromEntries(
        Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, inner]) => [
          name,
          fill(inner),
        ]),
      );
    case "array":
      return [];
    case "number":
    case "integer":
      // On a scale of difficulty, the end that needs the best model.
      return typeof schema.maximum === "number" ? schema.maximum : 1;
    case "boolean":
      return false;
    default:
      return "done";
  }
}
