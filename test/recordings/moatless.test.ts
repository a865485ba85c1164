import { describe, expect, it } from "vitest";
import { parseMoatless } from "../../src/recordings/moatless.ts";
import { findFaults } from "./legality.ts";
import { mustRead } from "./parse.ts";

const use = (id: string) => ({ type: "tool_use", id, name: "ViewCode", input: { files: ["a.py"] } });
const node = (node_id: number, parent_id: number, id: string, message: string | null, usage?: object) => ({
  node_id,
  parent_id,
  observation: { message },
  completions: { build_action: { model: "m1", response: { content: [use(id)], usage } } },
});
const root = { node_id: 0, parent_id: null, message: "go", completions: {} };

describe("parseMoatless", () => {
  it("follows the path to the last node", () => {
    const usage = {
      input_tokens: 1,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 3,
      output_tokens: 4,
    };
    const nodes = [
      root,
      node(1, 0, "t1", "another try"),
      node(2, 0, "t2", "let a", usage),
      node(3, 2, "t3", ""),
    ];
    const recording = mustRead(
      parseMoatless(
        JSON.stringify({ metadata: { instance_id: "i1" }, nodes: [...nodes.slice(0, 3), 5, nodes[3]] }),
      ),
    );
    expect(recording).toMatchObject({
      source: "moatless",
      format: "anthropic-messages",
      session: "i1",
      skipped: 1,
    });
    expect(recording.segments[0]).toEqual({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: [use("t2")] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "let a" }] },
        { role: "assistant", content: [use("t3")] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t3", content: "" }] },
      ],
      meta: [
        {},
        { model: "m1", usage: { input: 1, cacheRead: 20, cacheWrite: 3, output: 4 } },
        {},
        { model: "m1" },
        {},
      ],
      carried: 0,
    });
    expect(findFaults(recording)).toEqual([]);
  });
});
