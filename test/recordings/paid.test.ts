import { describe, expect, test } from "vitest";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { mustRead, toLines } from "./parse.ts";

const parse = (...records: readonly unknown[]) => mustRead(parseRecording(toLines(records)));
const parseDocument = (document: unknown) => mustRead(parseRecording(JSON.stringify(document)));
const usagesOf = ({ segments }: ReturnType<typeof parse>) =>
  segments.flatMap(({ meta }) => meta.flatMap(({ usage }) => usage ?? []));

describe("Claude Code", () => {
  const line = (
    uuid: string,
    parentUuid: string | null,
    type: string,
    message: object,
    more: object = {},
  ) => ({
    type,
    uuid,
    parentUuid,
    message,
    ...more,
  });
  const ask = (uuid: string, parent: string | null) =>
    line(uuid, parent, "user", { role: "user", content: "go" });
  const say = (uuid: string, parent: string, id: string, output: number, more: object = {}) => {
    const content = [{ type: "text", text: `part ${uuid}` }];
    const usage = { input_tokens: 1, cache_creation_input_tokens: 7, output_tokens: output };
    return line(uuid, parent, "assistant", { id, model: "m", role: "assistant", content, usage }, more);
  };

  test("a message of several lines is paid once: by its last line", () => {
    const recording = parse(ask("1", null), say("2", "1", "a", 1), say("3", "2", "a", 90));
    expect(usagesOf(recording)).toEqual([{ input: 1, cacheRead: 0, cacheWrite: 7, output: 90 }]);
    expect(recording.asides).toEqual([]);
  });

  test("subagents and abandoned branches are paid for too; the host's own messages are not", () => {
    const recording = parse(
      ask("1", null),
      say("2", "1", "a", 10),
      ask("3", "2"),
      say("4", "3", "left", 20),
      ask("5", "2"),
      say("6", "5", "b", 30),
      say("s1", "1", "side", 1, { isSidechain: true }),
      say("s2", "s1", "side", 40, { isSidechain: true }),
      line("7", "6", "assistant", {
        id: "no",
        model: "<synthetic>",
        content: [],
        usage: { input_tokens: 9 },
      }),
    );
    expect(usagesOf(recording).map(({ output }) => output)).toEqual([10, 30]);
    expect(recording.asides.map(({ kind, model, usage }) => [kind, model, usage?.output])).toEqual([
      ["branch", "m", 20],
      ["subagent", "m", 40],
    ]);
  });

  test("an answer that was interrupted before it said anything is paid for, and is not an abandoned branch", () => {
    const blank = line("2", "1", "assistant", {
      ...{ id: "cut", model: "m", role: "assistant", content: [{ type: "text", text: "\n\n" }] },
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    const recording = parse(ask("1", null), blank, ask("3", "2"), say("4", "3", "a", 10));
    expect(usagesOf(recording).map(({ output }) => output)).toEqual([10]);
    expect(recording.asides.map(({ kind, usage }) => [kind, usage?.output])).toEqual([["failed", 2]]);
  });

  test("writes for an hour are counted separately, and an automatic compaction shows the window", () => {
    const written = { ephemeral_1h_input_tokens: 5, ephemeral_5m_input_tokens: 2 };
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: 7,
      cache_creation: written,
      output_tokens: 3,
    };
    const content = [{ type: "text", text: "ok" }];
    const compact = (trigger: string, preTokens: number) => ({
      ...line(trigger, null, "system", {}),
      subtype: "compact_boundary",
      compactMetadata: { trigger, preTokens },
    });
    const recording = parse(
      ask("1", null),
      line("2", "1", "assistant", { id: "a", model: "m", content, usage }),
      compact("auto", 150_000),
      compact("manual", 190_000),
    );
    expect(usagesOf(recording)).toEqual([{ input: 1, cacheRead: 0, cacheWrite: 7, longWrite: 5, output: 3 }]);
    expect(recording).toMatchObject({ window: 150_000, isCompactionPeak: true });
  });
});

test("Codex: a count without an answer is paid for, a repeated one is not; it names its window", () => {
  const item = (payload: object) => ({ type: "response_item", payload });
  const count = (total: number, input: number) => ({
    type: "event_msg",
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { total_tokens: total },
        last_token_usage: { input_tokens: input, cached_input_tokens: 4, output_tokens: 2 },
        model_context_window: 258_400,
      },
    },
  });
  const message = (role: string, text: string) =>
    item({ type: "message", role, content: [{ type: "input_text", text }] });
  const recording = parse(
    { type: "turn_context", payload: { model: "gpt-5.5" } },
    message("user", "go"),
    message("assistant", "ok"),
    count(12, 10),
    count(12, 10),
    item({ type: "web_search_call" }),
    count(40, 26),
  );
  expect(usagesOf(recording)).toEqual([{ input: 6, cacheRead: 4, cacheWrite: 0, output: 2 }]);
  expect(recording.asides).toEqual([
    { kind: "hidden", model: "gpt-5.5", usage: { input: 22, cacheRead: 4, cacheWrite: 0, output: 2 } },
  ]);
  expect(recording.window).toBe(258_400);
  expect(recording).not.toHaveProperty("isCompactionPeak");
});

test("pi: its costs; answers that broke off or were abandoned are paid for", () => {
  const entry = (id: string, parentId: string | null, message: object) => ({
    type: "message",
    id,
    parentId,
    message,
  });
  const answer = (total: number, stopReason = "stop") => ({
    role: "assistant",
    content: [{ type: "text", text: "ok" }],
    model: "m",
    stopReason,
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total } },
  });
  const recording = parse(
    { type: "session", id: "s" },
    entry("1", null, { role: "user", content: "go" }),
    entry("2", "1", answer(0.5)),
    entry("3", "2", answer(0.25, "aborted")),
    entry("4", "2", answer(0.125)),
    entry("5", "3", answer(1)),
  );
  expect(recording.segments[0]?.meta.map(({ cost }) => cost)).toEqual([undefined, 0.5, 1]);
  expect(recording.asides.map(({ kind, cost }) => [kind, cost])).toEqual([
    ["failed", 0.25],
    ["branch", 0.125],
  ]);
});

test("OpenCode: its costs, and the request for a summary", () => {
  const message = (id: string, info: object, parts: readonly object[] = [{ type: "text", text: "x" }]) => ({
    info: { id, ...info },
    parts,
  });
  const tokens = { input: 10, output: 2, cache: { read: 3, write: 0 } };
  const answer = { role: "assistant", modelID: "m", tokens };
  const recording = parseDocument({
    info: { id: "s", projectID: "p" },
    messages: [
      message("1", { role: "user" }),
      message("2", { ...answer, cost: 0.5, parentID: "1" }),
      message("3", { role: "user" }, [{ type: "compaction" }]),
      message("4", { ...answer, cost: 0.25, parentID: "3", summary: true, finish: "stop" }),
      message("5", { role: "user" }),
      message("6", { ...answer, cost: 0, parentID: "5" }),
    ],
  });
  expect(recording.segments.map(({ meta }) => meta.flatMap(({ cost }) => cost ?? []))).toEqual([[0.5], [0]]);
  expect(recording.asides).toMatchObject([
    { kind: "compaction", cost: 0.25, usage: { input: 10, cacheRead: 3 } },
  ]);
});

test("Copilot CLI: only the model's output, which is all that it records", () => {
  const recording = parse(
    { type: "user.message", data: { content: "go" } },
    { type: "assistant.message", data: { content: "ok", outputTokens: 40 } },
  );
  expect(usagesOf(recording)).toEqual([{ input: 0, cacheRead: 0, cacheWrite: 0, output: 40 }]);
});

test("tau2-bench: the user whom a model plays", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 2 };
  const recording = parseDocument({
    info: { agent_info: { llm: "a" }, user_info: { llm: "u" } },
    tasks: [],
    simulations: [
      {
        messages: [
          { role: "user", content: "hello", usage, cost: 0.25 },
          { role: "assistant", content: "ok", usage, cost: 0.5 },
        ],
      },
    ],
  });
  expect(recording.segments[0]?.meta[1]).toMatchObject({ model: "a", cost: 0.5 });
  expect(recording.asides).toMatchObject([{ kind: "played-user", model: "u", cost: 0.25 }]);
});
