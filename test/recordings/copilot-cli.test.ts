import { describe, expect, it } from "vitest";
import { parseCopilotCli } from "../../src/recordings/copilot-cli.ts";
import { findFaults, read } from "./legality.ts";
import { codesOf, mustRead, toLines } from "./parse.ts";

const event = (type: string, data: object, second = 0) => ({
  type,
  data,
  id: "x",
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
});
const parse = (...records: unknown[]) => mustRead(parseCopilotCli(toLines(records), "f"));
const ask = (toolCallId: string, args: unknown = { command: "ls" }) => ({
  toolCallId,
  name: "bash",
  arguments: args,
});
const call = (id: string, args: object = { command: "ls" }) => ({
  id,
  type: "function",
  function: { name: "bash", arguments: JSON.stringify(args) },
});

describe("parseCopilotCli", () => {
  it("reads the model's input and output", () => {
    const recording = parse(
      event("session.start", { sessionId: "s1" }),
      event("session.model_change", { newModel: "m1" }),
      event("system.message", { role: "system", content: "be brief" }),
      event("user.message", { content: "go", transformedContent: "<now/>go" }, 1),
      event(
        "assistant.message",
        { content: "looking", reasoningText: "hm", toolRequests: [ask("t1"), ask("t2", "*** patch")] },
        2,
      ),
      event("tool.execution_start", { toolCallId: "t1" }),
      event("hook.start", { input: { toolResult: { textResultForLlm: "a.ts" } } }),
      event("assistant.message", { content: "a subagent", parentToolCallId: "t1", toolRequests: [] }),
      event("tool.execution_complete", { toolCallId: "t2", success: false, error: { message: "no" } }, 3),
      event("tool.execution_complete", { toolCallId: "t1", success: true, result: { content: "a.ts" } }, 4),
      event("system.message", { content: "be brief" }),
      event("user.message", { content: "more" }, 5),
      event("assistant.message", { content: "", model: "m2", toolRequests: [ask("t3")] }, 6),
      event("abort", { reason: "user" }),
    );
    expect(recording).toMatchObject({ source: "copilot-cli", format: "openai-chat", session: "s1" });
    expect(recording.models).toEqual(["m1", "m2"]);
    expect(read(recording.segments[0])).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "<now/>go" },
      {
        role: "assistant",
        content: "looking",
        reasoning_content: "hm",
        tool_calls: [call("t1"), call("t2", { input: "*** patch" })],
      },
      { role: "tool", tool_call_id: "t1", content: "a.ts" },
      { role: "tool", tool_call_id: "t2", content: "no" },
      { role: "user", content: "more" },
      { role: "assistant", content: null, tool_calls: [call("t3")] },
      { role: "tool", tool_call_id: "t3", content: "[no result recorded]" },
    ]);
    expect(recording.segments[0]?.meta[2]).toEqual({ time: Date.UTC(2026, 0, 1, 0, 0, 2), model: "m1" });
    expect(findFaults(recording)).toEqual([]);
  });

  it("starts a segment with the summary of a compaction that succeeded", () => {
    const recording = parse(
      event("system.message", { content: "be brief" }),
      event("user.message", { content: "go" }),
      event("assistant.message", { content: "one" }),
      event("session.compaction_complete", { success: false }),
      event("session.compaction_complete", { success: true, summaryContent: "so far" }),
      event("assistant.message", { content: "two" }),
      "{broken",
    );
    expect(recording.segments.map(({ carried }) => carried)).toEqual([0, 2]);
    expect(recording.segments[1]?.messages).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "so far" },
      { role: "assistant", content: "two" },
    ]);
    expect(codesOf(recording)).toEqual(["broken-line"]);
  });
});
