import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseCodex } from "../../src/recordings/codex.ts";
import { findFaults, read } from "./legality.ts";
import { codesOf, mustRead, toLines } from "./parse.ts";

const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
const record = (type: string, payload: object, second = 0) => ({
  type,
  payload,
  timestamp: new Date(at(second)).toISOString(),
});
const item = (payload: object, second?: number) => record("response_item", payload, second);

const said = (role: string, ...texts: string[]) => ({
  type: "message",
  role,
  content: texts.map((text) => ({ type: role === "assistant" ? "output_text" : "input_text", text })),
});
const call = (id: string) => ({
  type: "function_call",
  call_id: id,
  name: "shell",
  arguments: '{"cmd":"ls"}',
});
const output = (id: string, text: unknown = `output of ${id}`) => ({
  type: "function_call_output",
  call_id: id,
  output: text,
});
const hidden = { type: "reasoning", summary: [], encrypted_content: "x" };
let total = 0;
const tokenCount = (totalTokens: number, input: number, cached: number, out: number) =>
  record("event_msg", {
    type: "token_count",
    info: {
      total_token_usage: { total_tokens: totalTokens },
      last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: out },
    },
  });
const count = (input: number, cached: number, out: number) => {
  total += input + out;
  return tokenCount(total, input, cached, out);
};
const model = record("turn_context", { model: "m1" });

const toolCall = (id: string, name = "shell", args = '{"cmd":"ls"}') => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const tool = (id: string, content: unknown = `output of ${id}`) => ({
  role: "tool",
  tool_call_id: id,
  content,
});

const parse = (...records: unknown[]) => mustRead(parseCodex(toLines(records), "f"));
const messages = (...records: unknown[]) => read(parse(...records).segments[0]);

describe("parseCodex", () => {
  it("reads a rollout with its id, models, times and usage", () => {
    const recording = parse(
      record("session_meta", { id: "s1" }),
      item(said("developer", "rules"), 1),
      item(said("user", "agents", "environment"), 2),
      model,
      item(said("user", "go"), 3),
      record("event_msg", { type: "user_message", message: "go" }),
      item({ type: "reasoning", summary: [{ type: "summary_text", text: "a plan" }] }, 4),
      record("event_msg", { type: "agent_message", message: "on it" }),
      item(said("assistant", "on it"), 5),
      item(call("c1"), 6),
      item(call("c2"), 7),
      item(output("c2"), 8),
      item(output("c1"), 9),
      count(100, 60, 7),
    );
    expect(recording).toMatchObject({
      source: "codex",
      format: "openai-chat",
      session: "s1",
      models: ["m1"],
    });
    expect(recording.segments[0]).toEqual({
      messages: [
        { role: "developer", content: "rules" },
        {
          role: "user",
          content: [
            { type: "text", text: "agents" },
            { type: "text", text: "environment" },
          ],
        },
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: "on it",
          reasoning_content: "a plan",
          tool_calls: [toolCall("c1"), toolCall("c2")],
        },
        tool("c1"),
        tool("c2"),
      ],
      meta: [
        { time: at(1) },
        { time: at(2) },
        { time: at(3) },
        { time: at(7), model: "m1", usage: { input: 40, cacheRead: 60, cacheWrite: 0, output: 7 } },
        { time: at(9) },
        { time: at(8) },
      ],
      carried: 0,
    });
  });

  describe("finds the end of a response", () => {
    const first = [item(hidden), item(call("c1")), item(call("c2"))];
    const outputs = [item(output("c1")), item(output("c2"))];
    const second = [item(said("assistant", "next")), item(call("c3"))];
    const last = [item(output("c3"))];
    const countOne = count(10, 0, 1);
    const countTwo = count(20, 0, 1);
    it.each([
      {
        name: "counted after the outputs",
        records: [...first, ...outputs, countOne, ...second, ...last, countTwo],
      },
      {
        name: "counted before the outputs",
        records: [...first, countOne, ...outputs, ...second, countTwo, ...last],
      },
      {
        name: "counted again at the next turn and in the middle of a response",
        records: [
          ...first,
          countOne,
          ...outputs,
          countOne,
          second[0],
          countOne,
          second[1],
          countTwo,
          countTwo,
          ...last,
        ],
      },
    ])("$name", ({ records }) => {
      const segment = parse(item(said("user", "go")), ...records).segments[0];
      expect(read(segment).map(({ role }) => role)).toEqual([
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "tool",
      ]);
      expect(segment?.meta.map(({ usage }) => usage?.input)).toEqual([
        undefined,
        10,
        undefined,
        undefined,
        20,
        undefined,
      ]);
    });

    it("by the outputs alone if there are no counts", () => {
      const told = messages(item(said("user", "go")), ...first, ...outputs, ...second, ...last);
      expect(told.map(({ tool_calls }) => tool_calls?.length)).toEqual([
        undefined,
        2,
        undefined,
        undefined,
        1,
        undefined,
      ]);
    });

    it("and uses a hidden response's count for nothing else", () => {
      const segment = parse(
        item(said("user", "go")),
        item(said("assistant", "yes")),
        item(said("user", "and?")),
        item(hidden),
        countTwo,
      ).segments[0];
      expect(segment?.meta.every(({ usage }) => usage === undefined)).toBe(true);
    });
  });

  it("reads every kind of call and output", () => {
    const image = { type: "input_image", image_url: "data:image/png;base64,AA" };
    expect(
      messages(
        item({ type: "message", role: "user", content: [{ type: "input_text", text: "see" }, image] }),
        item({ type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin" }),
        item({ type: "local_shell_call", call_id: "c2", action: { type: "exec", command: ["ls"] } }),
        item({ type: "tool_search_call", call_id: "c3", arguments: { query: "q" } }),
        item({ ...call("c4"), namespace: "mcp__github_", name: "_list" }),
        item({ type: "web_search_call", status: "completed" }),
        item(call("c5")),
        item(call("c6")),
        item({ type: "custom_tool_call_output", call_id: "c1", output: "  done\n" }),
        item({ type: "local_shell_call_output", call_id: "c2", output: "a.ts" }),
        item({ type: "tool_search_output", call_id: "c3", tools: [{ name: "t" }] }),
        item(output("c4", { content: "wrapped", success: true })),
        item(output("c5", [image])),
        item(output("c6", null)),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          toolCall("c1", "apply_patch", '{"input":"*** Begin"}'),
          toolCall("c2", "local_shell", '{"type":"exec","command":["ls"]}'),
          toolCall("c3", "tool_search", '{"query":"q"}'),
          toolCall("c4", "mcp__github__list"),
          toolCall("c5"),
          toolCall("c6"),
        ],
      },
      tool("c1", "  done\n"),
      tool("c2", "a.ts"),
      tool("c3", '[{"name":"t"}]'),
      tool("c4", "wrapped"),
      tool("c5", [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }]),
      tool("c6", ""),
    ]);
  });

  it("keeps the texts of one response separate, and puts user text in between after the results", () => {
    expect(
      messages(
        item(said("user", "go")),
        item(said("assistant", "one")),
        item(said("assistant", "two")),
        item(call("c1")),
        item(said("user", "wait")),
        item(output("c1")),
      ),
    ).toEqual([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
        tool_calls: [toolCall("c1")],
      },
      tool("c1"),
      { role: "user", content: "wait" },
    ]);
  });

  describe("after a compaction", () => {
    const before = [
      item(said("developer", "rules")),
      item(said("user", "go")),
      model,
      item(call("c1")),
      item(output("c1")),
      tokenCount(1, 5, 0, 5),
    ];
    const after = [item(said("assistant", "on")), count(9, 0, 1)];

    it("starts a segment with the replacement history", () => {
      const history = [
        said("user", "go"),
        said("assistant", "so far"),
        { type: "compaction", encrypted_content: "x" },
      ];
      const { segments } = parse(
        ...before,
        record("compacted", { message: "", replacement_history: history }, 8),
        tokenCount(1, 0, 0, 0),
        ...after,
      );
      expect(segments.map(({ carried }) => carried)).toEqual([0, 2]);
      expect(segments[1]?.messages).toEqual([
        { role: "user", content: "go" },
        { role: "assistant", content: "so far" },
        { role: "assistant", content: "on" },
      ]);
      expect(segments[1]?.meta[0]).toEqual({ time: at(8) });
      expect(segments[1]?.meta.map(({ usage }) => usage?.input)).toEqual([undefined, undefined, 9]);
    });

    it("starts with people's texts and the summary if there is no such history", () => {
      const { segments } = parse(...before, record("compacted", { message: "so far" }), ...after);
      expect(segments[1]?.carried).toBe(3);
      expect(segments[1]?.messages).toEqual([
        { role: "developer", content: "rules" },
        { role: "user", content: "go" },
        { role: "user", content: "so far" },
        { role: "assistant", content: "on" },
      ]);
    });
  });

  it("replaces a missing output and leaves out a stray one", () => {
    const recording = parse(
      item(said("user", "go")),
      item(call("c1")),
      item(call("c1")),
      item(output("c9")),
      "{broken",
    );
    expect(read(recording.segments[0]).at(-1)).toEqual(tool("c1", "[no result recorded]"));
    expect(codesOf(recording)).toEqual(["broken-line", "result-without-call", "call-without-result"]);
    expect(recording.skipped).toBe(1);
  });

  test("a provider accepts any rollout", () => {
    const id = fc.constantFrom("c1", "c2", "c3");
    const each = fc.oneof(
      id.map((name) => item(call(name))),
      id.map((name) => item(output(name))),
      fc.constantFrom("user", "developer", "assistant").map((role) => item(said(role, "words"))),
      fc.constant(item(said("assistant", ""))),
      fc.constant(item(hidden)),
      fc.nat({ max: 9 }).map((n) => count(n, 0, 1)),
      fc.array(id.map(call)).map((history) => record("compacted", { replacement_history: history })),
      fc.constant("{broken"),
    );
    const start = item(said("developer", "rules"));
    fc.assert(
      fc.property(fc.array(each), (records) => {
        expect(findFaults(parse(start, ...records))).toEqual([]);
      }),
    );
  });
});
