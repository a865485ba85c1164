import { describe, expect, it } from "vitest";
import { parsePlainMessages } from "../../src/recordings/plain-messages.ts";
import { mustRead, toLines } from "./parse.ts";

const parse = (text: string) => mustRead(parsePlainMessages(text, "f"));
const chat = [
  { role: "user", content: "go", extra: { kept: true } },
  { role: "assistant", content: "done", reasoning_content: "hm" },
];
const anthropic = [
  { role: "user", content: [{ type: "text", text: "go" }] },
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: {} }] },
];
const responses = [
  { role: "user", content: "go" },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Look first." }] },
  { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a.ts"}' },
  { type: "function_call_output", call_id: "c1", output: "text" },
  { id: "msg_2" },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] },
];
const openCode = [{ info: { id: "m", role: "user" }, parts: [{ type: "text", text: "go" }] }];

describe("parsePlainMessages", () => {
  it.each([
    { name: "a list of OpenAI's", text: JSON.stringify(chat), format: "openai-chat", messages: chat },
    {
      name: "a list of Anthropic's",
      text: JSON.stringify(anthropic),
      format: "anthropic-messages",
      messages: anthropic,
    },
    { name: "a list of OpenCode's", text: JSON.stringify(openCode), format: "opencode", messages: openCode },
    {
      name: "a list of Responses items",
      text: JSON.stringify(responses),
      format: "openai-responses",
      messages: responses,
    },
    {
      name: "lines of Responses items",
      text: toLines(responses),
      format: "openai-responses",
      messages: responses,
    },
    { name: "lines", text: toLines(chat), format: "openai-chat", messages: chat },
    {
      name: "one line, which is a document as well",
      text: `\uFEFF${toLines(anthropic.slice(1))}`,
      format: "anthropic-messages",
      messages: anthropic.slice(1),
    },
  ])("reads $name unchanged", ({ text, format, messages }) => {
    const recording = parse(text);
    expect(recording).toMatchObject({ source: "messages", format, issues: [] });
    expect(recording.segments).toEqual([{ messages, meta: messages.map(() => ({})), carried: 0 }]);
  });

  it("reads the model of a request", () => {
    const recording = parse(JSON.stringify({ model: "m1", system: "be brief", messages: chat }));
    expect(recording.models).toEqual(["m1"]);
    expect(recording.segments[0]?.meta).toEqual([{}, { model: "m1" }]);
  });

  it("reads the input of a Responses request, and recognises the model's items", () => {
    const recording = parse(JSON.stringify({ model: "m1", input: responses }));
    expect(recording.segments[0]?.messages).toEqual(responses);
    const models = recording.segments[0]?.meta.map(({ model }) => model);
    expect(models).toEqual([undefined, "m1", "m1", undefined, "m1", "m1"]);
  });

  it("reads items of the Agents SDK, and recognises the model's", () => {
    const items = [
      { role: "user", content: "go" },
      { type: "function_call", callId: "c1", name: "read", arguments: "{}" },
      { type: "function_call_result", callId: "c1", name: "read", output: "done" },
    ];
    const recording = parse(JSON.stringify({ model: "m1", input: items }));
    expect(recording).toMatchObject({ format: "openai-agents", issues: [] });
    expect(recording.segments[0]?.meta.map(({ model }) => model)).toEqual([undefined, "m1", undefined]);
  });

  it("reads the contents of a Gemini request", () => {
    const contents = [
      { role: "user", parts: [{ text: "go" }] },
      { role: "model", parts: [{ text: "done" }] },
    ];
    const recording = parse(JSON.stringify({ model: "m1", contents }));
    expect(recording).toMatchObject({ format: "gemini", issues: [] });
    expect(recording.segments[0]).toEqual({ messages: contents, meta: [{}, { model: "m1" }], carried: 0 });
  });

  it("makes a segment of each conversation", () => {
    const { segments } = parse(toLines([{ messages: chat }, { messages: anthropic }]));
    expect(segments.map(({ messages }) => messages)).toEqual([chat, anthropic]);
  });

  it("reports entries that are not messages", () => {
    const recording = parse(`${toLines([...chat, { type: "note" }])}\n{broken`);
    expect(recording.segments[0]?.messages).toEqual(chat);
    expect(recording.issues.map(({ code }) => code)).toEqual(["broken-line", "malformed-message"]);
    expect(recording.skipped).toBe(2);
  });
});
