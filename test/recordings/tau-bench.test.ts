import { describe, expect, it } from "vitest";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { findFaults, read } from "./legality.ts";
import { mustRead } from "./parse.ts";

const call = { id: "t1", type: "function", function: { name: "find", arguments: '{"id":7}' } };
const run = [
  {
    task_id: 3,
    reward: 1.0,
    info: { task: { user_id: "u" }, source: "user" },
    traj: [
      { role: "system", content: "# Airline policy" },
      { role: "user", content: "change my flight" },
      { role: "assistant", content: null, tool_calls: [call], function_call: null },
      { role: "tool", tool_call_id: "t1", name: "find", content: "a flight" },
      { role: "assistant", content: "Done.", tool_calls: null },
    ],
    trial: 0,
  },
  { task_id: 4, reward: 0.0, info: { error: "rate limit" }, traj: [], trial: 0 },
  { task_id: 5, reward: 0.0, info: {}, traj: [{ role: "user", content: "hello" }, 7], trial: 0 },
  5,
];

describe("a run of tau-bench", () => {
  const recording = mustRead(parseRecording(JSON.stringify(run)));

  it("is recognised, and each trajectory is a separate conversation", () => {
    expect(recording).toMatchObject({ source: "tau-bench", format: "openai-chat", models: [], skipped: 2 });
    expect(recording.segments.map(({ messages }) => messages.length)).toEqual([5, 1]);
    expect(read(recording.segments[0])).toEqual([
      { role: "system", content: "# Airline policy" },
      { role: "user", content: "change my flight" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "t1", content: "a flight" },
      { role: "assistant", content: "Done." },
    ]);
    expect(findFaults(recording)).toEqual([]);
  });
  it("reports entries that are not messages", () => {
    expect(recording.issues.map(({ where }) => where)).toEqual(["2/traj/1", "3"]);
  });
});
