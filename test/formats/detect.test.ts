import { describe, expect, it } from "vitest";
import { detectFormat, FORMAT_NAMES, formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";

const plain = { role: "user", content: "Hi." };
const blocks = { role: "user", content: [{ type: "text", text: "Hi." }] };
const use = { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] };
const call = { role: "assistant", content: null, tool_calls: [] };
const openCode = { info: { role: "user" }, parts: [] };

const piCall = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "f", arguments: {} }] };
const thinking = { type: "thinking", thinking: "hm" };

describe("detectFormat", () => {
  it.each<[string, readonly unknown[], FormatName | undefined]>([
    ["nothing", [], undefined],
    [
      "records of something else",
      [
        { id: "C-201", name: "Ada" },
        { id: "C-202", name: "Ben" },
      ],
      undefined,
    ],
    [
      "a bare reference beside an item",
      [{ id: "msg_1" }, { type: "reasoning", summary: [] }],
      "openai-responses",
    ],
    ["plain messages", [plain, { role: "assistant", content: "Hi." }], "openai-chat"],
    ["plain blocks", [blocks], "openai-chat"],
    ["one use of a tool among plain messages", [plain, plain, plain, use], "anthropic-messages"],
    [
      "thinking",
      [plain, { role: "assistant", content: [{ type: "thinking", thinking: "" }] }],
      "anthropic-messages",
    ],
    [
      "an image with a source",
      [{ role: "user", content: [{ type: "image", source: {} }] }],
      "anthropic-messages",
    ],
    ["one call among plain messages", [plain, plain, call], "openai-chat"],
    [
      "an image url",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "u" } }] }],
      "openai-chat",
    ],
    ["a tool message", [{ role: "tool", tool_call_id: "c", content: "x" }], "openai-chat"],
    ["info and parts", [openCode], "opencode"],
    ["mostly info and parts", [openCode, openCode, plain], "opencode"],
    ["pi's roles", [{ role: "toolResult", content: [] }], "pi"],
    ["pi's calls", [{ ...plain, timestamp: 1 }, piCall], "pi"],
    [
      "pi's entries",
      [
        { type: "session", id: "s", version: 3 },
        { type: "model_change", id: "a", parentId: null, modelId: "m" },
        { type: "message", id: "b", parentId: "a", message: plain },
      ],
      "pi",
    ],
    ["pi's entries of version 1", [{ type: "message", message: plain }], "pi"],
    ["plain messages with times", [{ ...plain, timestamp: 1 }], "pi"],
    ["thinking with a time", [{ role: "assistant", content: [thinking], timestamp: 1 }], "pi"],
    ["pi's thinking", [{ role: "assistant", content: [{ ...thinking, thinkingSignature: "s" }] }], "pi"],
    ["the AI SDK's calls", [plain, { role: "assistant", content: [{ type: "tool-call" }] }], "ai-sdk"],
    [
      "the AI SDK's files",
      [{ role: "user", content: [{ type: "file", data: "AA==", mediaType: "a/b" }] }],
      "ai-sdk",
    ],
    ["the AI SDK's images", [{ role: "user", content: [{ type: "image", image: "AA==" }] }], "ai-sdk"],
    ["options for providers", [{ ...plain, providerOptions: { anthropic: {} } }], "ai-sdk"],
    [
      "reasoning of the AI SDK",
      [plain, { role: "assistant", content: [{ type: "reasoning", text: "" }] }],
      "ai-sdk",
    ],
    [
      "an item of a response among plain messages",
      [plain, plain, { type: "function_call" }],
      "openai-responses",
    ],
    ["a reasoning item", [plain, { type: "reasoning", summary: [] }, plain], "openai-responses"],
    ["input text", [{ role: "user", content: [{ type: "input_text", text: "Hi." }] }], "openai-responses"],
    ["plain items", [{ type: "message", ...plain }], "openai-responses"],
    ["Gemini's calls", [{ role: "model", parts: [{ functionCall: { name: "f" } }] }], "gemini"],
    ["Gemini's texts", [{ role: "user", parts: [{ text: "Hi." }] }], "gemini"],
    ["Gemini's texts without a role", [{ parts: [{ text: "Hi." }] }], "gemini"],
    ["Gemini's other spelling", [{ role: "user", parts: [{ inline_data: { data: "AA==" } }] }], "gemini"],
    [
      "the AI SDK's messages for a screen",
      [{ role: "user", parts: [{ type: "text", text: "Hi." }] }],
      undefined,
    ],
    ["another maker's roles", [{ role: "model", content: [] }], undefined],
    ["another maker's blocks", [{ role: "assistant", content: [{ type: "toolCall" }] }], undefined],
    ["no messages", ["a", 1, null], undefined],
  ])("%s", (_, messages, expected) => expect(detectFormat(messages)).toBe(expected));
});

describe("formatByName", () => {
  it.each(FORMAT_NAMES)("%s", (name) => expect(formatByName(name).name).toBe(name));
  it("lists the existing names", () => {
    expect(() => formatByName("cobol" as FormatName)).toThrow(
      "opencode, pi, ai-sdk, gemini, langchain, openai-responses, openai-agents, anthropic-messages, openai-chat",
    );
  });
});
