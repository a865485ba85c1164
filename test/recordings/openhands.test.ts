import { describe, expect, it } from "vitest";
import { parseOpenHands } from "../../src/recordings/openhands.ts";
import { findFaults, read } from "./legality.ts";
import { codesOf, mustRead } from "./parse.ts";

const parse = (document: unknown) => mustRead(parseOpenHands(JSON.stringify(document), "f"));
const call = (id: string) => ({
  id,
  type: "function",
  function: { name: "execute_bash", arguments: '{"command":"ls"}' },
});

describe("parseOpenHands", () => {
  it("reads a logged completion, its response last", () => {
    const recording = parse({
      messages: [
        {
          role: "system",
          content: [{ type: "text", text: "be brief", cache_control: { type: "ephemeral" } }],
        },
        { role: "user", content: [{ type: "text", text: "go" }] },
        { role: "assistant", tool_calls: [call("t1")] },
        { role: "tool", tool_call_id: "t1", name: "execute_bash", content: [{ type: "text", text: "a.py" }] },
      ],
      response: {
        model: "m1",
        choices: [{ message: { role: "assistant", content: "more", tool_calls: [call("t2")] } }],
        usage: {
          prompt_tokens: 100,
          completion_tokens: 3,
          prompt_tokens_details: { cached_tokens: 60 },
          cache_creation_input_tokens: 30,
        },
      },
      timestamp: 1.25,
    });
    expect(recording).toMatchObject({ source: "openhands", format: "openai-chat", models: ["m1"] });
    expect(recording.segments[0]?.messages).toEqual([
      { role: "system", content: [{ type: "text", text: "be brief" }] },
      { role: "user", content: [{ type: "text", text: "go" }] },
      { role: "assistant", content: null, tool_calls: [call("t1")] },
      { role: "tool", tool_call_id: "t1", content: [{ type: "text", text: "a.py" }] },
      { role: "assistant", content: "more", tool_calls: [call("t2")] },
      { role: "tool", tool_call_id: "t2", content: "[no result recorded]" },
    ]);
    expect(recording.segments[0]?.meta[4]).toEqual({
      time: 1250,
      model: "m1",
      usage: { input: 10, cacheRead: 60, cacheWrite: 30, output: 3 },
    });
    expect(codesOf(recording)).toEqual(["call-without-result"]);
  });

  describe("reads events", () => {
    const action = (id: number, what: string, args: object, more?: object) => ({
      id,
      timestamp: "2026-01-01T00:00:01.5",
      source: "agent",
      action: what,
      args,
      ...more,
    });
    const observation = (cause: number, content: string, more?: object) => ({
      id: cause + 100,
      source: "environment",
      observation: "run",
      cause,
      content,
      ...more,
    });

    it("without tool calls: an action is a call, and its observation the result", () => {
      const recording = parse([
        { id: 0, source: "agent", action: "system", args: { content: "be brief" } },
        { id: 1, source: "user", action: "message", args: { content: "go" } },
        { id: 2, source: "environment", observation: "agent_state_changed", content: "", extras: {} },
        action(3, "run", { command: "ls", thought: "looking", blocking: false }),
        observation(3, "a.py"),
        action(4, "change_agent_state", {}),
        action(5, "message", { content: "done" }),
      ]);
      expect(read(recording.segments[0])).toEqual([
        { role: "system", content: "be brief" },
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: "looking",
          tool_calls: [
            { id: "event-3", type: "function", function: { name: "run", arguments: '{"command":"ls"}' } },
          ],
        },
        { role: "tool", tool_call_id: "event-3", content: "a.py" },
        { role: "assistant", content: "done" },
      ]);
      expect(recording.segments[0]?.meta[2]).toEqual({ time: Date.UTC(2026, 0, 1, 0, 0, 1, 500) });
    });

    it("with tool calls: actions of one response are one step", () => {
      const response = {
        id: "r1",
        model: "m1",
        choices: [{ message: { tool_calls: [call("t1"), call("t2")] } }],
        usage: { prompt_tokens: 5, completion_tokens: 1 },
      };
      const metadata = (tool_call_id: string) => ({
        tool_call_metadata: { tool_call_id, function_name: "execute_bash", model_response: response },
      });
      const recording = parse({
        history: [
          action(1, "run", { command: "ls" }, metadata("t1")),
          action(2, "run", { command: "ls" }, metadata("t2")),
          observation(1, "one", metadata("t1")),
          observation(2, "two"),
          "noise",
        ],
      });
      expect(read(recording.segments[0])).toEqual([
        { role: "assistant", content: null, tool_calls: [call("t1"), call("t2")] },
        { role: "tool", tool_call_id: "t1", content: "one" },
        { role: "tool", tool_call_id: "t2", content: "two" },
      ]);
      expect(recording.segments[0]?.meta[0]?.usage).toEqual({
        input: 5,
        cacheRead: 0,
        cacheWrite: 0,
        output: 1,
      });
      expect(findFaults(recording)).toEqual([]);
      expect(recording.skipped).toBe(1);
    });
  });
});
