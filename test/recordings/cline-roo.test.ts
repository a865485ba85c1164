import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseClineRoo } from "../../src/recordings/cline-roo.ts";
import { findFaults } from "./legality.ts";
import { codesOf, mustRead } from "./parse.ts";

const parse = (...messages: unknown[]) => mustRead(parseClineRoo(JSON.stringify(messages), "f"));
const text = (words: string) => ({ type: "text", text: words });
const use = { type: "tool_use", id: "t1", name: "read_file", input: { path: "a.ts" } };
const result = { type: "tool_result", tool_use_id: "t1", content: "let a" };

describe("parseClineRoo", () => {
  it("reads a task: calls in XML are text, native ones are calls", () => {
    const recording = parse(
      { role: "user", content: [text("<task>go</task>"), text("<environment_details/>")], ts: 1 },
      { role: "assistant", content: "<read_file><path>a.ts</path></read_file>", ts: 2 },
      { role: "user", content: [text("[read_file] Result:"), text("let a")], ts: 3 },
      { role: "assistant", content: [text(" "), use], ts: 4 },
      { role: "user", content: [text("more"), result], ts: 5 },
    );
    expect(recording).toMatchObject({ source: "cline-roo", format: "anthropic-messages" });
    expect(recording.segments).toEqual([
      {
        messages: [
          { role: "user", content: [text("<task>go</task>"), text("<environment_details/>")] },
          { role: "assistant", content: [text("<read_file><path>a.ts</path></read_file>")] },
          { role: "user", content: [text("[read_file] Result:"), text("let a")] },
          { role: "assistant", content: [use] },
          { role: "user", content: [result, text("more")] },
        ],
        meta: [{ time: 1 }, { time: 2 }, { time: 3 }, { time: 4 }, { time: 5 }],
        carried: 0,
      },
    ]);
    expect(findFaults(recording)).toEqual([]);
  });

  it("leaves out messages that a summary replaces, while the summary exists", () => {
    const old = { role: "assistant", content: "long story", ts: 2, condenseParent: "c1" };
    const kept = { role: "assistant", content: "other story", ts: 2, condenseParent: "gone" };
    const summary = { role: "user", content: "so far", ts: 3, isSummary: true, condenseId: "c1" };
    const told = JSON.stringify(parse({ role: "user", content: "go", ts: 1 }, old, kept, summary).segments);
    expect(told).not.toContain("long story");
    expect(told).toContain("other story");
    expect(told).toContain("so far");
  });

  it("reports entries that are not messages", () => {
    expect(codesOf(parse({ role: "user", content: "go", ts: 1 }, null, { ts: 2 }))).toEqual([
      "malformed-message",
      "malformed-message",
    ]);
  });

  test("a provider accepts any task", () => {
    const id = fc.constantFrom("t1", "t2", "t3");
    const block = fc.oneof(
      fc.constantFrom("", " ", "words").map(text),
      id.map((each) => ({ ...use, id: each })),
      id.map((each) => ({ ...result, tool_use_id: each })),
    );
    const asked = fc.array(block).map((content) => content.filter(({ type }) => type !== "tool_use"));
    const said = fc.array(block).map((content) => content.filter(({ type }) => type !== "tool_result"));
    const message = fc.oneof(
      asked.map((content) => ({ role: "user", content, ts: 1 })),
      said.map((content) => ({ role: "assistant", content, ts: 1 })),
      fc.constantFrom("", "words").map((content) => ({ role: "user", content, ts: 1 })),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        expect(findFaults(parse(...messages))).toEqual([]);
      }),
    );
  });
});
