import { describe, expect, it } from "vitest";
import { parseSweAgent } from "../../src/recordings/swe-agent.ts";
import { findFaults, read } from "./legality.ts";
import { mustRead } from "./parse.ts";

const parse = (history: readonly unknown[], more?: object) =>
  mustRead(parseSweAgent(JSON.stringify({ trajectory: [], history, environment: "main", ...more }), "f"));

describe("parseSweAgent", () => {
  it("reads the history, with calls and their results by tool_call_ids", () => {
    const call = { id: "t1", type: "function", function: { name: "open", arguments: '{"path":"a.py"}' } };
    const recording = parse(
      [
        { role: "system", content: "be brief", agent: "main", message_type: "system_prompt" },
        { role: "user", content: [{ type: "text", text: "go" }], agent: "main" },
        {
          role: "assistant",
          content: "opening",
          thought: "opening",
          action: "open a.py",
          tool_calls: [call],
        },
        {
          role: "tool",
          content: [{ type: "text", text: "print()", cache_control: { type: "ephemeral" } }],
          tool_call_ids: ["t1"],
        },
      ],
      { replay_config: { agent: { model: { name: "m1" } } } },
    );
    expect(recording).toMatchObject({
      source: "swe-agent",
      format: "openai-chat",
      session: "main",
      models: ["m1"],
    });
    expect(recording.segments[0]).toEqual({
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: "go" }] },
        { role: "assistant", content: "opening", tool_calls: [call] },
        { role: "tool", tool_call_id: "t1", content: [{ type: "text", text: "print()" }] },
      ],
      meta: [{}, {}, { model: "m1" }, {}],
      carried: 0,
    });
  });

  it("keeps demonstrations and commands in text, as the model read them", () => {
    const recording = parse(
      [
        { role: "user", content: "a demonstration", is_demo: true },
        { role: "assistant", content: "```\nls\n```", thought: "", action: "ls", is_demo: true },
        { role: "user", content: "a.py" },
      ],
      { replay_config: "{}" },
    );
    expect(read(recording.segments[0])).toEqual([
      { role: "user", content: "a demonstration" },
      { role: "assistant", content: "```\nls\n```" },
      { role: "user", content: "a.py" },
    ]);
    expect(findFaults(recording)).toEqual([]);
  });
});
