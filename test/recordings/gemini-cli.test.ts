import { describe, expect, it } from "vitest";
import { parseGeminiCli } from "../../src/recordings/gemini-cli.ts";
import { findFaults, read } from "./legality.ts";
import { mustRead } from "./parse.ts";

const parse = (document: unknown) => mustRead(parseGeminiCli(JSON.stringify(document), "f"));
const call = (id: string, name: string, args: object, more?: object) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
  ...more,
});

describe("parseGeminiCli", () => {
  it("reads a session's log, without the host's notes and without thoughts", () => {
    const response = (name: string, answer: object) => [{ functionResponse: { name, response: answer } }];
    const recording = parse({
      sessionId: "s1",
      messages: [
        { type: "user", timestamp: "2026-01-01T00:00:01Z", content: [{ text: "go" }] },
        { type: "info", timestamp: "2026-01-01T00:00:01Z", content: "updated" },
        {
          type: "gemini",
          timestamp: "2026-01-01T00:00:02Z",
          content: "looking",
          model: "m1",
          thoughts: [{ subject: "hm", description: "hm" }],
          tokens: { input: 100, output: 5, cached: 60, thoughts: 7, total: 112 },
          toolCalls: [
            { id: "a", name: "glob", args: { pattern: "*" }, result: response("glob", { output: "a.ts" }) },
            {
              id: "b",
              name: "glob",
              args: {},
              result: response("glob", { error: "no pattern" }),
              status: "error",
            },
            { id: "c", name: "mcp", args: {}, result: response("mcp", { content: [1] }) },
            { id: "d", name: "glob", args: {}, status: "cancelled" },
          ],
        },
        7,
      ],
    });
    expect(recording).toMatchObject({
      source: "gemini-cli",
      format: "openai-chat",
      session: "s1",
      models: ["m1"],
    });
    expect(read(recording.segments[0])).toEqual([
      { role: "user", content: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        content: "looking",
        tool_calls: [
          call("a", "glob", { pattern: "*" }),
          call("b", "glob", {}),
          call("c", "mcp", {}),
          call("d", "glob", {}),
        ],
      },
      { role: "tool", tool_call_id: "a", content: "a.ts" },
      { role: "tool", tool_call_id: "b", content: "no pattern" },
      { role: "tool", tool_call_id: "c", content: '{"content":[1]}' },
      { role: "tool", tool_call_id: "d", content: "[no result recorded]" },
    ]);
    expect(recording.segments[0]?.meta[1]).toEqual({
      time: Date.UTC(2026, 0, 1, 0, 0, 2),
      model: "m1",
      usage: { input: 40, cacheRead: 60, cacheWrite: 0, output: 12 },
    });
    expect(recording.skipped).toBe(1);
  });

  it("reads contents of the API: responses answer calls by name, in order; a signed call stays signed", () => {
    const answer = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
    const recording = parse([
      { role: "user", parts: [{ text: "go" }, { inlineData: { mimeType: "image/png", data: "AA" } }] },
      {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { functionCall: { name: "read", args: { path: "a" } }, thoughtSignature: "s" },
          { functionCall: { name: "glob", args: {} } },
          { functionCall: { name: "read", args: { path: "b" } } },
        ],
      },
      { role: "user", parts: [answer("glob", "1"), answer("read", "2"), answer("read", "3")] },
      { role: "model", parts: [{ text: "done" }] },
    ]);
    const signed = { extra_content: { google: { thought_signature: "s" } } };
    expect(read(recording.segments[0])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "go" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        reasoning_content: "hm",
        tool_calls: [
          call("read-1-1", "read", { path: "a" }, signed),
          call("glob-1-2", "glob", {}),
          call("read-1-3", "read", { path: "b" }),
        ],
      },
      { role: "tool", tool_call_id: "read-1-1", content: "2" },
      { role: "tool", tool_call_id: "glob-1-2", content: "1" },
      { role: "tool", tool_call_id: "read-1-3", content: "3" },
      { role: "assistant", content: "done" },
    ]);
    expect(findFaults(recording)).toEqual([]);
  });
});
