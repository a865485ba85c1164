import { describe, expect, test } from "vitest";
import { cutHistory } from "../../src/prefix/cut-history.ts";
import { findWire } from "../../src/wires/index.ts";

/** The rest of a body. */
function cut(path: string, body: object): unknown {
  const wire = findWire("POST", path);
  const request = wire?.read(JSON.stringify(body), path);
  if (!wire || !request) throw new Error("not read");
  return JSON.parse(cutHistory(wire, request) ?? "null");
}

describe("the rest of a request without its history", () => {
  const user = (text: string) => ({ role: "user", content: text });
  const CASES: readonly (readonly [string, string, object, object])[] = [
    [
      "Anthropic",
      "/v1/messages",
      {
        system: "s",
        messages: [
          user("a"),
          { role: "system", content: "b" },
          { role: "assistant", content: "c" },
          user("d"),
        ],
        tools: [{ name: "t" }],
      },
      { system: "s", messages: [user("a"), { role: "system", content: "b" }], tools: [{ name: "t" }] },
    ],
    [
      "OpenAI Responses, with tools in an item",
      "/v1/responses",
      {
        input: [
          { type: "additional_tools", tools: [] },
          { type: "message", role: "developer", content: "a" },
          { type: "message", role: "user", content: "b" },
          { type: "reasoning", summary: [] },
          { type: "message", role: "user", content: "c" },
        ],
      },
      {
        input: [
          { type: "additional_tools", tools: [] },
          { type: "message", role: "developer", content: "a" },
          { type: "message", role: "user", content: "b" },
        ],
      },
    ],
    ["OpenAI Responses with one text", "/v1/responses", { input: "a" }, { input: "a" }],
    [
      "Gemini, where the user needs no role",
      "/v1beta/models/gemini-2.5-pro:generateContent",
      { contents: [{ parts: [{ text: "a" }] }, { role: "model", parts: [] }, { parts: [{ text: "b" }] }] },
      { contents: [{ parts: [{ text: "a" }] }] },
    ],
    [
      "a first request, all of it",
      "/v1/chat/completions",
      { messages: [{ role: "system", content: "s" }, user("a")] },
      { messages: [{ role: "system", content: "s" }, user("a")] },
    ],
  ];
  test.each(CASES)("%s", (_, path, body, left) => {
    expect(cut(path, body)).toEqual(left);
  });
});
