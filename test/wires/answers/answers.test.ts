import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WireName } from "../../../src/wires/wire.ts";
import {
  anthropicStream,
  chatStream,
  geminiStream,
  readAnswer,
  response,
  responsesStream,
  toEvents,
} from "./streams.ts";

const usage = (input: number, cacheRead: number, cacheWrite: number, output: number) => ({
  input,
  cacheRead,
  cacheWrite,
  output,
});
const anthropic = {
  ok: true,
  model: "claude-sonnet-4-5",
  finish: "tool_use",
  calls: ["toolu_1", "toolu_2"],
  calledTools: ["read"],
  usage: { input: 12, cacheRead: 40_000, cacheWrite: 300, output: 89 },
};
const chat = {
  ok: true,
  model: "gpt-5",
  finish: "tool_calls",
  calls: ["call_1", "call_2"],
  calledTools: ["read"],
  usage: { input: 86, cacheRead: 1_920, cacheWrite: 0, output: 300 },
};
const responses = {
  ok: true,
  model: "gpt-5-codex",
  finish: "completed",
  calls: ["call_1", "call_2"],
  calledTools: ["read", "exec"],
  usage: { input: 392, cacheRead: 4_608, cacheWrite: 0, output: 70 },
};
const gemini = {
  ok: true,
  model: "gemini-2.5-pro",
  finish: "STOP",
  calls: ["fc_1"],
  calledTools: ["read"],
  usage: { input: 205, cacheRead: 700, cacheWrite: 0, output: 35 },
};

const WHOLE: readonly (readonly [string, WireName, string, object])[] = [
  ["Anthropic's events", "anthropic-messages", toEvents(anthropicStream), anthropic],
  ["Chat's events", "openai-chat", toEvents(chatStream), chat],
  ["Responses' events", "openai-responses", toEvents(responsesStream), responses],
  ["Responses in one piece", "openai-responses", JSON.stringify(response), responses],
  ["Gemini's events", "gemini", toEvents(geminiStream, "\r\n"), gemini],
  [
    "Gemini's list",
    "gemini",
    `[${geminiStream.map((chunk) => JSON.stringify(chunk, null, 2)).join(",\r\n")}\n]`,
    gemini,
  ],
  [
    "Code Assist's events",
    "gemini",
    toEvents(geminiStream.map((each) => ({ response: each, traceId: "t" }))),
    gemini,
  ],
  ["Code Assist in one piece", "gemini", JSON.stringify({ response: geminiStream[1] }), gemini],
];

describe("the same, for any split", () => {
  test.each(WHOLE)("%s", (_, name, text, expected) => {
    expect(readAnswer(name, text)).toEqual(expected);
    const bytes = new TextEncoder().encode(text);
    expect(readAnswer(name, text, [...bytes.keys()])).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        expect(readAnswer(name, bytes, cuts)).toEqual(expected);
      }),
    );
  });

  test.each([
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["CR", (text: string) => text.replaceAll("\n", "\r")],
    ["no blank behind the colon", (text: string) => text.replaceAll("data: ", "data:")],
    ["comments", (text: string) => text.replaceAll("event:", ": keep-alive\nid: 7\nretry: 3\nevent:")],
    ["data on several lines", (text: string) => text.replaceAll('","', '",\ndata: "')],
    ["blank lines before", (text: string) => `\n\n${text}`],
    ["a byte order mark", (text: string) => `\ufeff${text}`],
    ["no blank line at the end", (text: string) => text.trimEnd()],
    ["an empty event", (text: string) => `data:\n\ndata\n\n${text}`],
  ])("events with %s", (_, change) => {
    const text = change(toEvents(anthropicStream));
    expect(readAnswer("anthropic-messages", text)).toEqual(anthropic);
    expect(
      readAnswer(
        "anthropic-messages",
        text,
        [...text].map((_each, index) => index),
      ),
    ).toEqual(anthropic);
  });
});

const chatWith = (figures: object) => ({ choices: [{ message: {}, finish_reason: "stop" }], usage: figures });

test("a character that is cut in two is read whole", () => {
  const text = toEvents([{ content_block: { type: "tool_use", id: "toolu_größe_👩‍🚀" } }]);
  const bytes = new TextEncoder().encode(text);
  expect(readAnswer("anthropic-messages", bytes, [...bytes.keys()])).toMatchObject({
    calls: ["toolu_größe_👩‍🚀"],
  });
});

test.each<[string, object, object]>([
  [
    "zeros first",
    { input_tokens: 0, output_tokens: 0 },
    { input_tokens: 7, cache_read_input_tokens: 8, output_tokens: 9 },
  ],
  [
    "zeros last",
    { input_tokens: 7, cache_read_input_tokens: 8 },
    { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 },
  ],
])("figures of other providers on Anthropic's wire, %s", (_, first, last) => {
  const text = toEvents([
    { type: "message_start", message: { model: "m", usage: first } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: last },
  ]);
  expect(readAnswer("anthropic-messages", text)).toMatchObject({ ok: true, usage: usage(7, 8, 0, 9) });
});

describe("in one piece of JSON", () => {
  test.each<[string, WireName, object, object]>([
    [
      "Anthropic",
      "anthropic-messages",
      {
        type: "message",
        model: "m",
        content: [
          { type: "text", text: "x" },
          { type: "tool_use", id: "t", name: "edit", input: { usage: { input_tokens: 9 } } },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 3, output_tokens: 4 },
      },
      {
        ok: true,
        model: "m",
        finish: "tool_use",
        calls: ["t"],
        calledTools: ["edit"],
        usage: usage(3, 0, 0, 4),
      },
    ],
    ["a count", "anthropic-count-tokens", { input_tokens: 2_095 }, { ok: true, calls: [], calledTools: [] }],
    [
      "Chat",
      "openai-chat",
      {
        model: "m",
        choices: [
          {
            message: { content: null, tool_calls: [{ id: "a", function: { name: "x" } }, { id: "b" }] },
            finish_reason: "tool_calls",
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 2 },
      },
      {
        ok: true,
        model: "m",
        finish: "tool_calls",
        calls: ["a", "b"],
        calledTools: ["x"],
        usage: usage(10, 0, 0, 2),
      },
    ],
    [
      "DeepSeek",
      "openai-chat",
      chatWith({
        prompt_tokens: 10,
        prompt_cache_hit_tokens: 6,
        prompt_cache_miss_tokens: 4,
        completion_tokens: 2,
      }),
      { usage: usage(4, 6, 0, 2) },
    ],
    [
      "Kimi",
      "openai-chat",
      chatWith({ prompt_tokens: 10, cached_tokens: 6, completion_tokens: 2 }),
      { usage: usage(4, 6, 0, 2) },
    ],
    [
      "Kimi's stream",
      "openai-chat",
      { choices: [{ delta: {}, finish_reason: "stop", usage: { prompt_tokens: 10, completion_tokens: 2 } }] },
      { usage: usage(10, 0, 0, 2) },
    ],
    [
      "OpenRouter",
      "openai-chat",
      chatWith({
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
      }),
      { usage: usage(2, 5, 3, 2) },
    ],
    [
      "LiteLLM",
      "openai-chat",
      chatWith({
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 5 },
        cache_creation_input_tokens: 3,
      }),
      { usage: usage(2, 5, 3, 2) },
    ],
    [
      "figures that do not add up",
      "openai-chat",
      chatWith({ prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 5 } }),
      { usage: usage(0, 5, 0, 2) },
    ],
    [
      "no usage",
      "openai-chat",
      { choices: [{ message: {}, finish_reason: "stop" }] },
      { ok: true, finish: "stop", calls: [] },
    ],
    [
      "Responses, cut short",
      "openai-responses",
      {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        usage: { input_tokens: 4, output_tokens: 5 },
      },
      { ok: true, finish: "max_output_tokens", usage: usage(4, 0, 0, 5) },
    ],
    [
      "Gemini, blocked",
      "gemini",
      { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 4 } },
      { ok: true, finish: "SAFETY", usage: usage(4, 0, 0, 0) },
    ],
  ])("%s", (_, name, body, expected) => {
    expect(readAnswer(name, JSON.stringify(body))).toMatchObject(expected);
    expect(readAnswer(name, toEvents([body]))).toMatchObject(expected);
  });
});

describe("an incomplete answer is not ok", () => {
  test.each<[string, WireName, string]>([
    ["nothing", "anthropic-messages", ""],
    ["blanks", "openai-chat", " \n\n"],
    [
      "an error of Anthropic's",
      "anthropic-messages",
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ],
    [
      "an error in the stream",
      "anthropic-messages",
      toEvents([...anthropicStream, { type: "error", error: { type: "overloaded_error" } }]),
    ],
    [
      "an error to a count",
      "anthropic-count-tokens",
      '{"type":"error","error":{"type":"invalid_request_error"},"input_tokens":1}',
    ],
    [
      "an error of OpenAI's",
      "openai-chat",
      '{"error":{"message":"no","type":"invalid_request_error","code":null}}',
    ],
    ["an error that is a text", "openai-chat", '{"error":"no","choices":[{"finish_reason":"stop"}]}'],
    [
      "a response that failed",
      "openai-responses",
      toEvents([
        { type: "response.failed", response: { status: "failed", error: { code: "server_error" } } },
      ]),
    ],
    [
      "an event that is an error",
      "openai-responses",
      toEvents([{ type: "error", code: "server_error", message: "no" }]),
    ],
    ["a response that runs on", "openai-responses", '{"status":"in_progress","model":"m"}'],
    ["an error of Gemini's", "gemini", '[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]'],
    ["a page", "openai-chat", "<html><body>502 Bad Gateway</body></html>"],
    ["another wire's", "openai-chat", toEvents(anthropicStream)],
  ])("%s", (_, name, text) => {
    expect(readAnswer(name, text)).toMatchObject({ ok: false });
  });

  test.each(WHOLE)("%s, cut off", (_, name, text) => {
    const half = text.slice(0, text.length * 0.4);
    expect(readAnswer(name, half)).toMatchObject({ ok: false });
  });

  test("the usage of a stream that was cut off is known", () => {
    const text = toEvents(anthropicStream.slice(0, 6));
    expect(readAnswer("anthropic-messages", text)).toMatchObject({
      ok: false,
      calls: ["toolu_1"],
      usage: usage(12, 40_000, 300, 1),
    });
  });
});

const DIAGNOSED = {
  model: "claude-sonnet-4-5",
  diagnostics: { cache_miss_reason: { type: "tools_changed", cache_missed_input_tokens: 900 } },
};

test.each<[string, string]>([
  ["in one piece", JSON.stringify({ stop_reason: "end_turn", ...DIAGNOSED })],
  ["in a stream", toEvents([{ type: "message_start", message: DIAGNOSED }, { type: "message_stop" }])],
])("the reason of a cache miss is read, if Anthropic gives it: %s", (_, text) => {
  expect(readAnswer("anthropic-messages", text)).toMatchObject({ cacheMiss: "tools_changed" });
});
