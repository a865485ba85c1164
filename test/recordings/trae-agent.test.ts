import { describe, expect, it } from "vitest";
import { parseTraeAgent } from "../../src/recordings/trae-agent.ts";
import { findFaults, read } from "./legality.ts";
import { codesOf, mustRead } from "./parse.ts";

const parse = (...llm_interactions: unknown[]) =>
  mustRead(parseTraeAgent(JSON.stringify({ task: "go", llm_interactions, agent_steps: [] }), "f"));
const call = (call_id: string) => ({ call_id, name: "bash", arguments: { command: "ls" }, id: null });
const ask = (input_messages: unknown[], response: object | null, more?: object) => ({
  timestamp: "2026-01-01T00:00:03",
  model: "m1",
  input_messages,
  response,
  ...more,
});
const result = (call_id: string, text: string | null, error: string | null) => ({
  role: "user",
  content: null,
  tool_result: { call_id, result: text, error },
});
const toolCall = (id: string) => ({
  id,
  type: "function",
  function: { name: "bash", arguments: '{"command":"ls"}' },
});

describe("parseTraeAgent", () => {
  it("joins the additions of each request, with times and usage", () => {
    const usage = { input_tokens: 50, output_tokens: 4, cache_read_input_tokens: 40 };
    const recording = parse(
      ask(
        [
          { role: "system", content: "be brief" },
          { role: "user", content: "go" },
        ],
        {
          content: "looking",
          usage,
          tool_calls: [call("t1"), call("t2")],
        },
      ),
      ask([result("t2", "two", ""), result("t1", "one", "oops")], { content: "done", tool_calls: null }),
    );
    expect(recording).toMatchObject({ source: "trae-agent", format: "openai-chat", models: ["m1"] });
    expect(read(recording.segments[0])).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "go" },
      { role: "assistant", content: "looking", tool_calls: [toolCall("t1"), toolCall("t2")] },
      { role: "tool", tool_call_id: "t1", content: "one\nTool call failed with error:\noops" },
      { role: "tool", tool_call_id: "t2", content: "two" },
      { role: "assistant", content: "done" },
    ]);
    expect(recording.segments[0]?.meta[2]).toEqual({
      time: Date.UTC(2026, 0, 1, 0, 0, 3),
      model: "m1",
      usage: { input: 10, cacheRead: 40, cacheWrite: 0, output: 4 },
    });
  });

  it("knows which providers count cached tokens separately", () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 40, cache_creation_input_tokens: 3 };
    const recording = parse(
      ask([{ role: "user", content: "go" }], { content: "x", usage }, { provider: "anthropic" }),
    );
    expect(recording.segments[0]?.meta[1]?.usage).toEqual({
      input: 5,
      cacheRead: 40,
      cacheWrite: 3,
      output: 0,
    });
  });

  it("keeps the request with an empty answer, and the call that was never made", () => {
    const recording = parse(
      ask([{ role: "user", content: "go" }], { content: "", tool_calls: [] }),
      ask([{ role: "user", content: "go on" }], { content: "", tool_calls: [call("t1")] }),
      ask([{ role: "user", content: "the patch is empty" }], null),
      5,
    );
    expect(findFaults(recording)).toEqual([]);
    expect(read(recording.segments[0])[1]).toEqual({ role: "assistant", content: "[no text recorded]" });
    expect(codesOf(recording)).toEqual(["malformed-message", "call-without-result"]);
  });
});
