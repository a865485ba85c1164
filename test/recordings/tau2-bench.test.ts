import { describe, expect, it } from "vitest";
import { parseTau2Bench } from "../../src/recordings/tau2-bench.ts";
import { findFaults, read } from "./legality.ts";
import { mustRead } from "./parse.ts";

describe("parseTau2Bench", () => {
  it("makes a segment of each simulation: the agent's side only", () => {
    const timestamp = "2026-01-01T00:00:02.5";
    const usage = { prompt_tokens: 30, completion_tokens: 2 };
    const ofUser = { id: "u1", name: "toggle", arguments: {}, requestor: "user" };
    const recording = mustRead(
      parseTau2Bench(
        JSON.stringify({
          info: { agent_info: { llm: "m1" } },
          tasks: [],
          simulations: [
            {
              messages: [
                { role: "assistant", content: "Hi!", tool_calls: null, usage: null },
                { role: "user", content: null, tool_calls: [ofUser], usage },
                { role: "tool", id: "u1", content: "toggled", requestor: "user" },
                { role: "user", content: "change my flight", usage, timestamp },
                {
                  role: "assistant",
                  content: null,
                  tool_calls: [{ id: "t1", name: "find", arguments: { id: 7 }, requestor: "assistant" }],
                  usage,
                  timestamp,
                },
                { role: "tool", id: "t1", content: "a flight", requestor: "assistant" },
              ],
            },
            { messages: [{ role: "user", content: "hello" }] },
            5,
          ],
        }),
      ),
    );
    expect(recording).toMatchObject({
      source: "tau2-bench",
      format: "openai-chat",
      models: ["m1"],
      skipped: 1,
    });
    expect(recording.segments).toHaveLength(2);
    expect(read(recording.segments[0])).toEqual([
      { role: "assistant", content: "Hi!" },
      { role: "user", content: "change my flight" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t1", type: "function", function: { name: "find", arguments: '{"id":7}' } }],
      },
      { role: "tool", tool_call_id: "t1", content: "a flight" },
    ]);
    const time = Date.UTC(2026, 0, 1, 0, 0, 2, 500);
    expect(recording.segments[0]?.meta).toEqual([
      {},
      { time },
      { time, model: "m1", usage: { input: 30, cacheRead: 0, cacheWrite: 0, output: 2 } },
      {},
    ]);
    expect(findFaults(recording)).toEqual([]);
  });
});
