import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseClaudeCode } from "../../src/recordings/claude-code.ts";
import { findFaults, read } from "./legality.ts";
import { codesOf, mustRead, toLines } from "./parse.ts";

const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);

interface LineOptions {
  readonly parent?: string | null;
  readonly second?: number;
  readonly more?: object;
}

function line(uuid: string, type: string, message: object, { parent = null, second = 0, more }: LineOptions) {
  return { type, uuid, parentUuid: parent, sessionId: "s1", timestamp: stamp(second), message, ...more };
}
const user = (uuid: string, content: unknown, options: LineOptions = {}) =>
  line(uuid, "user", { role: "user", content }, options);
const assistant = (
  uuid: string,
  id: string,
  content: object[],
  options: LineOptions & { usage?: object } = {},
) => line(uuid, "assistant", { id, role: "assistant", model: "m1", content, usage: options.usage }, options);
const text = (words: string) => ({ type: "text", text: words });
const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "ls" } });
const result = (id: string, content = `output of ${id}`) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});

const parse = (...records: unknown[]) => mustRead(parseClaudeCode(toLines(records), "f"));
const messages = (...records: unknown[]) => read(parse(...records).segments[0]);

describe("parseClaudeCode", () => {
  it("reads a session with its id, models, times and usage", () => {
    const recording = parse(
      user("1", "go", { second: 1 }),
      assistant("2", "a", [text("on it")], {
        parent: "1",
        second: 2,
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
      assistant("3", "a", [use("t1")], {
        parent: "2",
        second: 3,
        usage: {
          input_tokens: 4,
          cache_read_input_tokens: 30,
          cache_creation_input_tokens: 20,
          output_tokens: 9,
        },
      }),
      user("4", [result("t1")], { parent: "3", second: 4 }),
    );
    expect(recording).toMatchObject({ source: "claude-code", format: "anthropic-messages", session: "s1" });
    expect(recording.models).toEqual(["m1"]);
    expect(recording.segments[0]).toEqual({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: [text("on it"), use("t1")] },
        { role: "user", content: [result("t1")] },
      ],
      meta: [
        { time: at(1) },
        { time: at(3), model: "m1", usage: { input: 4, cacheRead: 30, cacheWrite: 20, output: 9 } },
        { time: at(4) },
      ],
      carried: 0,
    });
  });

  it("puts the results of parallel calls into one message, in the order of the calls, at the front", () => {
    const recording = parse(
      user("1", "go"),
      assistant("2", "a", [use("t1")], { parent: "1" }),
      user("3", [result("t1")], { parent: "2", second: 1 }),
      assistant("4", "a", [use("t2")], { parent: "3" }),
      user("5", "wait", { parent: "4", second: 9 }),
      assistant("6", "a", [use("t3")], { parent: "5" }),
      user("7", [text("late"), result("t3")], { parent: "6", second: 5 }),
      user("8", [result("t2")], { parent: "4", second: 3 }),
    );
    expect(read(recording.segments[0])).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: [use("t1"), use("t2"), use("t3")] },
      { role: "user", content: [result("t1"), result("t2"), result("t3"), text("wait"), text("late")] },
    ]);
    expect(recording.segments[0]?.meta[2]).toEqual({ time: at(9) });
  });

  it("leaves out entries that were never sent", () => {
    const inSubagent = { more: { isSidechain: true } };
    expect(
      messages(
        { type: "summary", summary: "an older session", leafUuid: "x" },
        { type: "file-history-snapshot", messageId: "1" },
        user("1", "go"),
        { type: "progress", uuid: "2", parentUuid: "1", data: {} },
        { type: "system", subtype: "turn_duration", uuid: "3", parentUuid: "2" },
        assistant("4", "c", [text("API Error")], { parent: "3", more: { isApiErrorMessage: true } }),
        user("5", "only shown", { parent: "4", more: { isVisibleInTranscriptOnly: true } }),
        user("6", [text("  ")], { parent: "5" }),
        assistant("7", "a", [text(""), text("done")], { parent: "6" }),
        user("s1", "a task of its own", inSubagent),
        assistant("s2", "b", [text("did it")], { ...inSubagent, parent: "s1" }),
      ),
    ).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: [text("done")] },
    ]);
  });

  it("keeps the host's additions for the model: skills, attached files, queued prompts", () => {
    const attachment = (uuid: string, content: object) => ({
      ...user(uuid, ""),
      type: "attachment",
      attachment: content,
    });
    expect(
      messages(
        user("1", "go"),
        user("2", [text("how to use the skill")], { parent: "1", more: { isMeta: true } }),
        attachment("3", {
          type: "file",
          filename: "a.ts",
          content: { type: "text", file: { content: "let a" } },
        }),
        attachment("4", { type: "edited_text_file", filename: "b.ts", snippet: "1 let b" }),
        attachment("5", { type: "nested_memory", path: "C.md", content: { content: "be kind" } }),
        attachment("6", { type: "hook_additional_context", content: ["one", "two"] }),
        attachment("7", { type: "queued_command", prompt: "and then this" }),
        attachment("8", { type: "queued_command", prompt: [text("with blocks")] }),
        attachment("9", { type: "task_reminder", content: [] }),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          "go",
          "how to use the skill",
          "a.ts\nlet a",
          "b.ts\n1 let b",
          "C.md\nbe kind",
          "one\ntwo",
          "and then this",
          "with blocks",
        ].map(text),
      },
    ]);
  });

  it("reads a line once, although it was written twice", () => {
    const twice = JSON.stringify(assistant("2", "a", [text("once")], { parent: "1" }));
    expect(messages(user("1", "go"), twice, twice + twice)[1]).toEqual({
      role: "assistant",
      content: [text("once")],
    });
  });

  it("does not mistake related lines for a branch", () => {
    const told = messages(
      user("1", "go"),
      assistant("2", "a", [use("t1")], { parent: "1", usage: { input_tokens: 1, output_tokens: 1 } }),
      assistant("3", "a", [use("t2")], { parent: "1" }),
      user("4", [result("t1")], { parent: "2" }),
      user("5", [result("t2")], { parent: "3" }),
      user("6", [text("the skill")], { parent: "5", more: { isMeta: true } }),
      assistant("7", "b", [text("done")], { parent: "5" }),
    );
    expect(told.slice(1)).toEqual([
      { role: "assistant", content: [use("t1"), use("t2")] },
      { role: "user", content: [result("t1"), result("t2"), text("the skill")] },
      { role: "assistant", content: [text("done")] },
    ]);
  });

  it("uses the last usage with any figures", () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const recording = parse(
      user("1", "go"),
      assistant("2", "a", [text("one")], { parent: "1", usage }),
      assistant("3", "a", [text("two")], { parent: "2", usage: { ...usage, output_tokens: 8 } }),
      assistant("4", "a", [text("three")], { parent: "3", usage: { input_tokens: 0, output_tokens: 0 } }),
    );
    expect(recording.segments[0]?.meta[1]?.usage?.output).toBe(8);
  });

  describe("where the user went back", () => {
    const start = [
      user("1", "go"),
      assistant("2", "a", [use("t1")], { parent: "1" }),
      user("3", [result("t1")], { parent: "2" }),
    ];
    const first = [
      assistant("4", "b", [text("first way")], { parent: "3" }),
      { type: "system", subtype: "turn_duration", uuid: "s", parentUuid: "4" },
      user("5", "wrong way", { parent: "s" }),
      assistant("6", "c", [use("t2")], { parent: "5" }),
      user("7", [result("t2")], { parent: "6" }),
    ];
    const contents = (...records: unknown[]) => JSON.stringify(messages(...records));

    it("follows the newest branch from a prompt", () => {
      const told = contents(
        ...start,
        ...first,
        user("8", "right way", { parent: "4" }),
        assistant("9", "d", [text("yes")], { parent: "8" }),
      );
      expect(told).toContain("first way");
      expect(told).toContain("right way");
      expect(told).not.toContain("wrong way");
      expect(told).not.toContain("t2");
    });

    it("follows the newest answer if a request was made again", () => {
      const told = contents(...start, ...first, assistant("8", "d", [text("second try")], { parent: "3" }));
      expect(told).toContain("second try");
      expect(told).not.toContain("way");
    });

    it("follows a branch that was continued later", () => {
      const told = contents(
        ...start,
        ...first,
        user("8", "other", { parent: "4" }),
        user("9", "back again", { parent: "7" }),
      );
      expect(told).toContain("wrong way");
      expect(told).not.toContain("other");
    });

    it("starts over from the first prompt", () => {
      const told = contents(...start, user("8", "anew"), assistant("9", "d", [text("yes")], { parent: "8" }));
      expect(told).toBe(
        JSON.stringify([
          { role: "user", content: "anew" },
          { role: "assistant", content: [text("yes")] },
        ]),
      );
    });

    it("reads a log without links in the order of its lines", () => {
      const loose = [
        user("1", "one"),
        assistant("2", "a", [text("two")]),
        user("3", "three"),
        assistant("4", "b", [text("four")]),
      ];
      expect(messages(...loose)).toHaveLength(4);
    });
  });

  describe("after a compaction", () => {
    const before = [
      user("1", "go"),
      assistant("2", "a", [use("t1")], { parent: "1", usage: { input_tokens: 5, output_tokens: 1 } }),
      user("3", [result("t1")], { parent: "2" }),
    ];
    const boundary = (kept: readonly string[]) => ({
      type: "system",
      subtype: "compact_boundary",
      uuid: "c",
      parentUuid: null,
      compactMetadata: { preservedMessages: { uuids: kept } },
    });
    const summary = user("s", "so far", {
      parent: "c",
      second: 7,
      more: { isCompactSummary: true, isVisibleInTranscriptOnly: true },
    });
    const after = assistant("4", "b", [text("on")], { parent: "s" });

    it("starts a segment with the summary", () => {
      const { segments } = parse(...before, boundary([]), summary, after);
      expect(segments.map(({ carried }) => carried)).toEqual([0, 1]);
      expect(segments[1]?.messages).toEqual([
        { role: "user", content: "so far" },
        { role: "assistant", content: [text("on")] },
      ]);
      expect(segments[1]?.meta[0]).toEqual({ time: at(7) });
    });

    it("puts the kept tail after it, whose responses were paid for before", () => {
      const { segments } = parse(...before, boundary(["2", "3", "missing"]), summary, after);
      expect(segments[0]?.meta[1]?.usage).toBeDefined();
      expect(segments[1]?.messages).toEqual([
        { role: "user", content: "so far" },
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [result("t1")] },
        { role: "assistant", content: [text("on")] },
      ]);
      expect(segments[1]?.carried).toBe(3);
      expect(segments[1]?.meta[1]?.usage).toBeUndefined();
    });

    it("accepts a summary that claims to have kept itself", () => {
      expect(parse(...before, boundary(["c", "s"]), summary, after).segments[1]?.messages).toHaveLength(2);
    });

    it("has one segment if the file begins with the compaction", () => {
      const { segments } = parse(boundary(["gone"]), summary, after);
      expect(segments.map(({ carried }) => carried)).toEqual([1]);
    });
  });

  describe("after the context was cleared", () => {
    const planning = [
      user("1", "plan it"),
      assistant("2", "a", [use("t1")], { parent: "1", usage: { input_tokens: 5, output_tokens: 1 } }),
      user("3", [result("t1")], { parent: "2" }),
    ];
    const hook = { hookEvent: "SessionStart", hookName: "SessionStart:clear" };
    const inData = {
      type: "progress",
      uuid: "h",
      parentUuid: null,
      data: { type: "hook_progress", ...hook },
    };
    const attached = { type: "hook_success", ...hook, content: "" };
    const inAttachment = { type: "attachment", uuid: "h", parentUuid: null, attachment: attached };
    const more = { planContent: "the plan" };
    const answer = assistant("6", "b", [text("on it")], { parent: "5", usage: { input_tokens: 7 } });
    const done = [
      { role: "user", content: "do it" },
      { role: "assistant", content: [text("on it")] },
    ];

    it.each([
      ["a hook's progress", [inData, user("5", "do it", { parent: "h" })]],
      ["a hook's attachment", [inAttachment, user("5", "do it", { parent: "h" })]],
      ["the plan itself", [user("5", "do it", { more })]],
    ])("another conversation begins: %s", (_, opening) => {
      const { segments, asides } = parse(...planning, ...opening, answer);
      expect(segments.map(({ carried, separate }) => [carried, separate])).toEqual([
        [0, undefined],
        [0, true],
      ]);
      expect(segments[0]?.messages).toHaveLength(3);
      expect(segments[0]?.meta[1]?.usage?.input).toBe(5);
      expect(segments[1]?.messages).toEqual(done);
      expect(asides).toEqual([]);
    });

    it.each([
      ["a hook", [inData, user("7", "as planned", { parent: "h" })], "h"],
      ["the plan", [user("7", "as planned", { more })], null],
    ])("the user may go back to its start, and no further: %s", (_, opening, parent) => {
      const { segments } = parse(
        ...[...planning, ...opening],
        assistant("8", "c", [text("so?")], { parent: "7" }),
        user("5", "do it", { parent }),
        answer,
      );
      expect(segments.map(({ messages }) => messages.length)).toEqual([3, 2]);
      expect(segments[1]?.messages).toEqual(done);
    });

    it("leaves out the end of a conversation whose answers are in another file", () => {
      const { segments } = parse(
        user("1", "[Request interrupted by user]"),
        inData,
        user("5", "do it", { parent: "h" }),
        answer,
      );
      expect(segments).toMatchObject([{ messages: done }]);
      expect(segments[0]?.separate).toBeUndefined();
    });
  });

  it("replaces missing results, and reports them", () => {
    const recording = parse(
      assistant("1", "a", [{ type: "thinking", thinking: "hm", signature: "s" }]),
      assistant("2", "b", [use("t1"), use("t2")], { parent: "1" }),
      user("3", [result("t2"), result("t9"), result("t2", "again")], { parent: "2" }),
      "{broken",
    );
    expect(read(recording.segments[0])).toEqual([
      { role: "user", content: "[no input recorded]" },
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm", signature: "s" }, text("[no text recorded]")],
      },
      { role: "assistant", content: [use("t1"), use("t2")] },
      { role: "user", content: [{ ...result("t1", "[no result recorded]"), is_error: true }, result("t2")] },
    ]);
    expect(codesOf(recording)).toEqual([
      "broken-line",
      "result-without-call",
      "result-without-call",
      "call-without-result",
    ]);
    expect(recording.issues.map(({ where }) => where)).toEqual(["f:4", "t9", "t2", "t1"]);
    expect(recording.skipped).toBe(1);
  });

  test("a provider accepts any session", () => {
    const id = fc.constantFrom("t1", "t2", "t3", "t4");
    const response = fc.constantFrom("a", "b", "c");
    const block = fc.oneof(
      id.map(use),
      fc.constantFrom("", " ", "words").map(text),
      fc.constant({ type: "thinking", thinking: "hm", signature: "s" }),
    );
    const content = fc.array(
      fc.oneof(
        id.map((each) => result(each)),
        fc.constantFrom("", "more").map(text),
      ),
    );
    const step = fc.oneof(
      fc.tuple(response, fc.array(block)).map(([message, blocks]) => assistant("", message, blocks)),
      content.map((blocks) => user("", blocks)),
      fc.constantFrom("", "a prompt").map((prompt) => user("", prompt)),
      fc.constant({ type: "system", subtype: "compact_boundary", parentUuid: null }),
      fc.constant("{broken"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.nat({ max: 3 }))), (steps) => {
        const records = steps.map(([record, back], index) => {
          const parentUuid = index > back ? `u${index - 1 - back}` : null;
          return typeof record === "string" ? record : { ...record, uuid: `u${index}`, parentUuid };
        });
        expect(findFaults(parse(...records))).toEqual([]);
      }),
    );
  });
});
