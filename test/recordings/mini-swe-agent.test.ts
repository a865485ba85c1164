import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseMiniSweAgent } from "../../src/recordings/mini-swe-agent.ts";
import { findFaults } from "./legality.ts";
import { codesOf, mustRead } from "./parse.ts";

const call = { id: "t1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } };
const parse = (messages: readonly unknown[], more?: object) =>
  mustRead(
    parseMiniSweAgent(
      JSON.stringify({ info: {}, messages, trajectory_format: "mini-swe-agent-1.1", ...more }),
      "f",
    ),
  );

describe("parseMiniSweAgent", () => {
  it("reads a trajectory with its times, models and usage, and leaves out entries that were never sent", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 64 },
      prompt_cache_hit_tokens: 64,
    };
    const recording = parse(
      [
        { role: "system", content: "be brief" },
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: "looking",
          reasoning_content: "hm",
          tool_calls: [{ index: 0, ...call }],
          function_call: null,
          extra: { actions: [], response: { model: "m1", usage }, timestamp: 1.5 },
        },
        { role: "tool", tool_call_id: "t1", content: "a.ts", extra: { raw_output: "a.ts", timestamp: 2 } },
        { role: "exit", content: "the patch", extra: {} },
      ],
      { instance_id: "i1" },
    );
    expect(recording).toMatchObject({
      source: "mini-swe-agent",
      format: "openai-chat",
      session: "i1",
      models: ["m1"],
    });
    expect(recording.segments).toEqual([
      {
        messages: [
          { role: "system", content: "be brief" },
          { role: "user", content: "go" },
          { role: "assistant", content: "looking", reasoning_content: "hm", tool_calls: [call] },
          { role: "tool", tool_call_id: "t1", content: "a.ts" },
        ],
        meta: [
          {},
          {},
          { time: 1500, model: "m1", usage: { input: 36, cacheRead: 64, cacheWrite: 0, output: 7 } },
          { time: 2000 },
        ],
        carried: 0,
      },
    ]);
  });

  it("replaces the result of the call that ended it, and uses the model in the settings", () => {
    const info = { config: { model: { model_name: "m2" } } };
    const recording = parse([{ role: "assistant", content: "", tool_calls: [call] }, 7], { info });
    expect(findFaults(recording)).toEqual([]);
    expect(codesOf(recording)).toEqual(["malformed-message", "call-without-result"]);
    expect(recording).toMatchObject({ skipped: 1, models: ["m2"] });
  });

  test("a provider accepts any trajectory", () => {
    const id = fc.constantFrom("t1", "t2", "t3");
    const content = fc.constantFrom(
      "",
      "words",
      null,
      [],
      [{ type: "text", text: "" }],
      [{ type: "text", text: "w" }],
    );
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom("system", "user", "exit", "assistant"), content }),
      fc.record({
        role: fc.constant("assistant"),
        content,
        tool_calls: fc.array(
          id.map((each) => ({ ...call, id: each })),
          { maxLength: 3 },
        ),
      }),
      fc.record({ role: fc.constant("tool"), content, tool_call_id: id }),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        expect(findFaults(parse(messages))).toEqual([]);
      }),
    );
  });
});
