import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { isOwnQuestion, readIds } from "../../src/wires/client-ids.ts";
import { findWire, listWires } from "../../src/wires/find-wire.ts";
import type { WireName, WireRequest } from "../../src/wires/wire.ts";
import { mustReadBody, wireNamed } from "./bodies.ts";

test.each<[string, string, WireName | undefined]>([
  ["POST", "/v1/messages", "anthropic-messages"],
  ["post", "/v1/messages?beta=true", "anthropic-messages"],
  ["POST", "/api/v1/messages/", "anthropic-messages"],
  ["POST", "/v1/messages/count_tokens?beta=true", "anthropic-count-tokens"],
  ["POST", "/v1/chat/completions", "openai-chat"],
  ["POST", "/openai/deployments/x/chat/completions?api-version=2024-10-21", "openai-chat"],
  ["POST", "/v1/responses", "openai-responses"],
  ["POST", "/backend-api/codex/responses", "openai-responses"],
  ["POST", "/v1beta/models/gemini-2.5-pro:generateContent", "gemini"],
  ["POST", "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse", "gemini"],
  ["POST", "/v1/projects/p/locations/l/publishers/google/models/g:streamGenerateContent", "gemini"],
  ["POST", "/v1internal:streamGenerateContent?alt=sse", "gemini"],
  ["GET", "/v1/messages", undefined],
  ["POST", "/v1/messages/batches", undefined],
  ["POST", "/v1/responses/compact", undefined],
  ["GET", "/v1/responses/resp_1", undefined],
  ["POST", "/v1/embeddings?next=/v1/messages", undefined],
  ["POST", "/v1beta/models/gemini-2.5-pro:countTokens", undefined],
  ["POST", "", undefined],
])("%s %s", (method, path, name) => {
  expect(findWire(method, path)?.name).toBe(name);
  expect(listWires().filter((wire) => wire.match(method, path)).length).toBe(name ? 1 : 0);
});

const text = "You are an agent that works on a repository. ".repeat(20);
const tools = [{ name: "read", description: text }];
const user = { role: "user", content: "go" };
const item = { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] };
const content = { role: "user", parts: [{ text: "go" }] };
const HOUR = 3_600_000;

const mark = (ttl?: string) => ({ type: "ephemeral", ...(ttl !== undefined && { ttl }) });
const count = (...texts: readonly string[]) => texts.reduce((sum, each) => sum + estimateTokens(each), 0);

/** The result of reading a body; fields that are not named are ignored. */
const READ: readonly (readonly [string, WireName, object, Partial<WireRequest>])[] = [
  [
    "a small one",
    "anthropic-messages",
    { messages: [user] },
    {
      format: "anthropic-messages",
      messages: [user],
      model: undefined,
      prefixTokens: 0,
      caching: {},
      isStream: false,
      hasTools: false,
      historyOnServer: undefined,
      cacheKey: undefined,
    },
  ],
  [
    "model and stream",
    "anthropic-messages",
    { model: "claude", stream: true, messages: [user] },
    { model: "claude", isStream: true },
  ],
  [
    "system as a text, and tools",
    "anthropic-messages",
    { system: text, tools, messages: [user] },
    { prefixTokens: count(text, JSON.stringify(tools)), hasTools: true },
  ],
  [
    "system as blocks",
    "anthropic-messages",
    {
      system: [
        { type: "text", text },
        { type: "text", text: "a" },
      ],
      messages: [user],
    },
    { prefixTokens: count(text, "a") },
  ],
  [
    "system among the messages",
    "anthropic-messages",
    { messages: [user, { role: "system", content: "remember" }] },
    { messages: [user, { role: "system", content: "remember" }], prefixTokens: 0 },
  ],
  [
    "a mark",
    "anthropic-messages",
    { system: [{ type: "text", text, cache_control: mark() }], messages: [user] },
    { caching: { marks: [{ message: -1 }], mayMark: true } },
  ],
  [
    "a mark of five minutes",
    "anthropic-messages",
    { tools: [{ name: "a", cache_control: mark("5m") }], messages: [user] },
    { caching: { marks: [{ message: -1 }], mayMark: true } },
  ],
  [
    "the longest mark",
    "anthropic-messages",
    {
      system: [{ type: "text", text, cache_control: mark("1h") }],
      messages: [{ role: "user", content: [{ type: "text", text, cache_control: mark("5m") }] }],
    },
    { caching: { marks: [{ message: -1, ttl: HOUR }, { message: 0 }], ttl: HOUR, mayMark: true } },
  ],
  [
    "a mark in a result",
    "anthropic-messages",
    {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "a",
              content: [{ type: "text", text, cache_control: mark("1h") }],
            },
          ],
        },
      ],
    },
    { caching: { marks: [{ message: 0, ttl: HOUR }], ttl: HOUR, mayMark: true } },
  ],
  [
    "a mark of the whole request",
    "anthropic-messages",
    { cache_control: mark(), messages: [user] },
    { caching: { marks: [{ message: 0 }], mayMark: true } },
  ],
  [
    "no mark, only the word",
    "anthropic-messages",
    { messages: [{ role: "user", content: "cache_control: 1h" }] },
    { caching: {} },
  ],
  [
    "marks where most clients set them: at the end of the system text and at the end",
    "anthropic-messages",
    {
      system: [
        { type: "text", text, cache_control: mark() },
        { type: "text", text, cache_control: mark() },
      ],
      messages: [user, { role: "user", content: [{ type: "text", text, cache_control: mark() }] }],
    },
    { caching: { mayMark: true } },
  ],
  [
    "a mark inside a message, and as many as a provider takes",
    "anthropic-messages",
    {
      system: [{ type: "text", text, cache_control: mark() }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text, cache_control: mark() },
            { type: "text", text: "a", cache_control: mark() },
            { type: "text", text: "b" },
          ],
        },
        { role: "user", content: [{ type: "text", text, cache_control: mark() }] },
      ],
    },
    {
      caching: {
        marks: [{ message: -1 }, { message: 0, block: 0 }, { message: 0, block: 1 }, { message: 1 }],
      },
    },
  ],
  [
    "a thread is created",
    "anthropic-messages",
    { thread: { type: "create" }, messages: [user] },
    { historyOnServer: "thread create (the SDK's toolRunner takes `thread: false`)" },
  ],
  [
    "a thread goes on",
    "anthropic-messages",
    { thread: { type: "continue", id: "t" }, messages: [user] },
    { historyOnServer: "thread continue (the SDK's toolRunner takes `thread: false`)" },
  ],
  ["no thread", "anthropic-messages", { thread: null, messages: [user] }, { historyOnServer: undefined }],
  ["who asks", "anthropic-messages", { metadata: { user_id: "u_1" }, messages: [user] }, { cacheKey: "u_1" }],
  [
    "a question of tokens",
    "anthropic-count-tokens",
    { model: "claude", system: text, messages: [user] },
    { format: "anthropic-messages", model: "claude", messages: [user], prefixTokens: count(text) },
  ],
  [
    "chat",
    "openai-chat",
    { model: "gpt", messages: [user], tools, stream: true, prompt_cache_key: "k" },
    {
      format: "openai-chat",
      model: "gpt",
      prefixTokens: count(JSON.stringify(tools)),
      isStream: true,
      hasTools: true,
      cacheKey: "k",
    },
  ],
  ["chat, functions of old", "openai-chat", { messages: [user], functions: tools }, { hasTools: true }],
  ["chat, no tools", "openai-chat", { messages: [user], tools: [] }, { hasTools: false }],
  [
    "chat, a gateway's mark",
    "openai-chat",
    { messages: [{ role: "system", content: [{ type: "text", text, cache_control: mark("1h") }] }] },
    { caching: { marks: [{ message: 0, ttl: HOUR }], ttl: HOUR } },
  ],
  [
    "responses",
    "openai-responses",
    { model: "gpt", instructions: text, input: [item], tools, store: false, prompt_cache_key: "k" },
    {
      format: "openai-responses",
      messages: [item],
      model: "gpt",
      prefixTokens: count(text, JSON.stringify(tools)),
      hasTools: true,
      cacheKey: "k",
    },
  ],
  [
    "responses, a text",
    "openai-responses",
    { input: "go" },
    {
      messages: [{ type: "message", role: "user", content: "go" }],
      place: { path: ["input"], kind: "text" },
    },
  ],
  [
    "responses, tools among the items",
    "openai-responses",
    { input: [{ type: "additional_tools", tools }, item], tools: [] },
    { hasTools: true, prefixTokens: 0 },
  ],
  [
    "responses, tools in groups",
    "openai-responses",
    {
      input: [{ type: "additional_tools", tools: [{ type: "namespace", name: "functions", tools }] }, item],
      tools: [
        { type: "namespace", name: "mcp__coppice", tools: [{ type: "function", name: "context_info" }] },
      ],
    },
    { hasTools: true, toolNames: ["mcp__coppice__context_info", "read"] },
  ],
  [
    "responses, history by an id",
    "openai-responses",
    { previous_response_id: "resp_1", input: [item] },
    { historyOnServer: "previous_response_id" },
  ],
  [
    "responses, a conversation",
    "openai-responses",
    { conversation: { id: "conv_1" }, input: "go" },
    { historyOnServer: "conversation" },
  ],
  [
    "responses, no history",
    "openai-responses",
    { previous_response_id: null, input: [item] },
    { historyOnServer: undefined },
  ],
  [
    "gemini",
    "gemini",
    {
      contents: [content],
      systemInstruction: { parts: [{ text }] },
      tools: [{ functionDeclarations: tools }],
    },
    {
      format: "gemini",
      messages: [content],
      model: "gemini-2.5-pro",
      prefixTokens: count(text, JSON.stringify([{ functionDeclarations: tools }])),
      isStream: true,
      hasTools: true,
      place: { path: ["contents"], kind: "list" },
    },
  ],
  [
    "gemini, spelled with underscores",
    "gemini",
    { contents: [content], system_instruction: { parts: [{ text }] } },
    { prefixTokens: count(text), hasTools: false },
  ],
  [
    "gemini, in Code Assist's wrapper",
    "gemini",
    { model: "gemini-3-pro", project: "p", request: { contents: [content], tools, session_id: "s" } },
    {
      messages: [content],
      hasTools: true,
      cacheKey: "s",
      place: { path: ["request", "contents"], kind: "list" },
    },
  ],
];

test.each(READ)("%s", (_, name, body, expected) => {
  expect(mustReadBody(name, body)).toMatchObject(expected);
});

test("Gemini's path names model and stream; Code Assist's does not name the model", () => {
  const body = JSON.stringify({ model: "gemini-3-pro", request: { contents: [content] } });
  const read = (path: string) => wireNamed("gemini").read(body, path);
  expect(read("/v1internal:generateContent")).toMatchObject({ model: "gemini-3-pro", isStream: false });
  expect(read("/v1beta/models/g:streamGenerateContent")).toMatchObject({ model: "g", isStream: true });
});

const summaryAsked = {
  role: "user",
  content: [
    { type: "tool_result", tool_use_id: "t1", content: "ok" },
    { type: "text", text: "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nSummarise." },
  ],
};

describe("a client's own question has no tools, or identifies itself", () => {
  test.each<[string, WireName, object, boolean]>([
    ["a title", "anthropic-messages", { messages: [user] }, true],
    ["a step", "anthropic-messages", { messages: [user], tools }, false],
    [
      "a step with tools among the items",
      "openai-responses",
      { input: [{ type: "additional_tools", tools }] },
      false,
    ],
    ["Claude Code's compaction", "anthropic-messages", { messages: [user, summaryAsked], tools }, true],
    ["a step after one", "anthropic-messages", { messages: [summaryAsked, user], tools }, false],
    ["a quota", "openai-responses", { input: "quota" }, true],
    [
      "Codex's compaction",
      "openai-responses",
      { input: [item, { type: "compaction_trigger" }], tools },
      true,
    ],
    ["a step after it", "openai-responses", { input: [{ type: "compaction_trigger" }, item], tools }, false],
  ])("%s", (_, name, body, own) => {
    expect(isOwnQuestion(mustReadBody(name, body))).toBe(own);
  });
});

describe("ids, the most trusted first", () => {
  const request = mustReadBody("openai-responses", { input: [item], prompt_cache_key: "k" });

  test.each<[string, Record<string, string | string[] | undefined>, readonly object[]]>([
    ["none", { "user-agent": "claude-cli" }, []],
    ["OpenCode", { "x-session-id": "s" }, [{ source: "x-session-id", id: "s", isShared: false }]],
    [
      "its subagent",
      { "x-session-id": "s", "x-parent-session-id": "p" },
      [{ source: "x-session-id", id: "s", parent: "p", isShared: false }],
    ],
    [
      "Claude Code",
      { "x-claude-code-session-id": "s" },
      [{ source: "x-claude-code-session-id", id: "s", isShared: false }],
    ],
    [
      "its subagent",
      { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a" },
      [{ source: "x-claude-code-session-id", id: "s/a", parent: "s", isShared: false }],
    ],
    ["an agent of no session", { "x-claude-code-agent-id": "a" }, []],
    [
      "all of them",
      { session_id: "4", "x-claude-code-session-id": "3", "x-session-id": "2", "thread-id": "1" },
      ["1", "2", "3", "4"].map((id) => ({ id })),
    ],
    [
      "blank, missing, twice",
      { "thread-id": " ", session_id: undefined, "x-session-id": [" s ", "t"] },
      [{ id: "s" }],
    ],
  ])("%s", (_, headers, expected) => {
    expect(readIds(headers)).toMatchObject(expected);
    expect(readIds(headers)).toHaveLength(expected.length);
    expect(readIds(headers, request).at(-1)).toEqual({ source: "cache key", id: "k", isShared: true });
  });

  test("names that every object has are no headers", () => {
    expect(readIds(Object.create({ "thread-id": "inherited" }))).toEqual([]);
  });
});
