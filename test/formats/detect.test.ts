import { describe, expect, it } from "vitest";
import { detectFormat, formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";

const plain = { role: "user", content: "Hi." };
const blocks = { role: "user", content: [{ type: "text", text: "Hi." }] };
const use = { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] };
const call = { role: "assistant", content: null, tool_calls: [] };
const openCode = { info: { role: "user" }, parts: [] };

describe("detectFormat", () => {
  it.each<[string, readonly unknown[], FormatName | undefined]>([
    ["nothing", [], undefined],
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
    ["another maker's roles", [{ role: "toolResult", content: [] }], undefined],
    ["another maker's blocks", [{ role: "assistant", content: [{ type: "toolCall" }] }], undefined],
    ["no messages", ["a", 1, null], undefined],
  ])("%s", (_, messages, expected) => expect(detectFormat(messages)).toBe(expected));
});

describe("formatByName", () => {
  it.each<FormatName>(["opencode", "openai-chat", "anthropic-messages"])("%s", (name) => {
    expect(formatByName(name).name).toBe(name);
  });
  it("names those that there are", () => {
    expect(() => formatByName("cobol" as FormatName)).toThrow(/anthropic-messages/);
  });
});
