import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { toLines } from "./parse.ts";
import { samples } from "./samples.ts";

const claudeLine = {
  type: "user",
  uuid: "1",
  parentUuid: null,
  sessionId: "s",
  message: { role: "user", content: "go" },
};
const codexLine = { type: "event_msg", payload: { type: "task_started" } };
const piLine = { type: "message", id: "1", parentId: null, message: { role: "user", content: "go" } };
const openCode = { info: { id: "ses_1", projectID: "p" }, messages: [] };

describe("parseRecording", () => {
  it.each([
    { source: "claude-code", text: toLines([{ type: "mode", sessionId: "s" }, claudeLine]) },
    { source: "claude-code", text: toLines([{ type: "summary", summary: "x", leafUuid: "1" }]) },
    { source: "claude-code", text: `{broken\n${toLines([claudeLine])}` },
    { source: "codex", text: toLines([{ type: "session_meta", payload: { id: "s" } }, codexLine]) },
    { source: "codex", text: toLines([codexLine]) },
    { source: "pi", text: toLines([{ type: "session", id: "s", cwd: "/w" }]) },
    { source: "pi", text: toLines(["{broken", piLine]) },
    { source: "opencode", text: JSON.stringify(openCode) },
    { source: "opencode", text: `\uFEFF${JSON.stringify(openCode, null, 2)}` },
    ...Object.entries(samples).flatMap(([source, texts]) => texts.map((text) => ({ source, text }))),
  ])("knows $source by its content", ({ source, text }) => {
    expect(parseRecording(text)).toMatchObject({ ok: true, value: { source } });
  });

  it.each([
    { name: "prose", text: "dear diary" },
    { name: "an empty list", text: "[]" },
    { name: "a list of numbers", text: "[1, 2]" },
    {
      name: "another agent's JSON",
      text: '{"info":{"model_stats":{}},"steps":[{"role":"user","content":"go"}]}',
    },
    {
      name: "other JSON lines",
      text: toLines([
        { type: "start", data: {} },
        { sessionId: "s", messages: [] },
      ]),
    },
  ])("lists the known formats for $name", ({ text }) => {
    const result = parseRecording(text, "f");
    expect(result).toMatchObject({ ok: false, issue: { code: "not-a-recording", where: "f" } });
    for (const agent of [
      ...[
        "Claude Code",
        "Codex",
        "OpenCode",
        "pi",
        "Copilot CLI",
        "mini-swe-agent",
        "SWE-agent",
        "OpenHands",
      ],
      ...["trae-agent", "moatless", "tau-bench", "tau2-bench", "Gemini CLI", "Cline", "plain messages"],
    ])
      expect(!result.ok && result.issue.message).toContain(agent);
  });

  it.each(Object.entries(samples).flatMap(([source, texts]) => texts.map((text) => ({ source, text }))))(
    "reports that a document of $source is cut off",
    ({ text }) => {
      if (text.includes("}\n{")) return;
      const result = parseRecording(text.slice(0, -1), "f");
      expect(result).toMatchObject({ ok: false, issue: { code: "unreadable-input", where: "f" } });
      expect(!result.ok && result.issue.message).toContain("cut off or damaged");
    },
  );

  it.each(["", "\n \r\n"])("calls %j empty", (text) => {
    expect(parseRecording(text)).toMatchObject({ ok: false, issue: { code: "empty-input" } });
  });

  test("no JSON makes it throw", () => {
    const keys = [
      ...[
        "type",
        "uuid",
        "parentUuid",
        "message",
        "content",
        "role",
        "id",
        "parentId",
        "isCompactSummary",
        "subtype",
      ],
      ...[
        "payload",
        "info",
        "call_id",
        "replacement_history",
        "firstKeptEntryId",
        "compactMetadata",
        "attachment",
        "tool_calls",
        "tool_result",
        "functionCall",
        "functionResponse",
        "parts",
        "completions",
        "args",
        "data",
      ],
    ];
    const words = [
      ...[
        "user",
        "assistant",
        "message",
        "tool_use",
        "tool_result",
        "text",
        "compact_boundary",
        "attachment",
        "file",
      ],
      ...[
        "response_item",
        "compacted",
        "token_count",
        "function_call",
        "reasoning",
        "compaction",
        "toolResult",
        "toolCall",
      ],
    ];
    const { value } = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.constantFrom(...words), fc.constantFrom(null, true, 0, -1, 1e300, "")),
      value: fc.oneof({ maxDepth: 4 }, tie("leaf"), fc.array(tie("value"), { maxLength: 3 }), tie("object")),
      object: fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
    }));
    const starts = [claudeLine, codexLine, piLine, { type: "session.start", data: {} }];
    const documents = (values: readonly unknown[]) => [
      { info: {}, messages: values, trajectory_format: "mini-swe-agent-1" },
      { trajectory: [], history: values },
      { messages: values, response: { choices: values } },
      [{ source: "user", action: "message" }, ...values],
      { llm_interactions: values.flatMap((each) => [each, { input_messages: values, response: each }]) },
      { nodes: [{ node_id: 0 }, ...values] },
      { tasks: [], simulations: [{ messages: values }, ...values] },
      { messages: [{ type: "user", timestamp: "" }, { type: "gemini", toolCalls: values }, ...values] },
      [{ role: "model", parts: values }, { role: "user", parts: values }, ...values],
      [{ role: "user", content: values, ts: 1 }, ...values],
      [{ role: "user", content: "go" }],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.array(value), (start, values) => {
        expect(parseRecording(toLines([start, ...values.map((each) => JSON.stringify(each))])).ok).toBe(true);
        expect(parseRecording(JSON.stringify({ ...openCode, messages: values })).ok).toBe(true);
        for (const document of documents(values))
          expect(parseRecording(JSON.stringify(document)).ok).toBe(true);
      }),
    );
  });
});
