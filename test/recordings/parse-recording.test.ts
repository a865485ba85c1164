import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { toLines } from "./parse.ts";

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
  ])("knows $source by its content", ({ source, text }) => {
    expect(parseRecording(text)).toMatchObject({ ok: true, value: { source } });
  });

  it.each([
    { name: "prose", text: "dear diary" },
    { name: "an array", text: '[{"role":"user","content":"go"}]' },
    {
      name: "another agent's JSON",
      text: '{"info":{"model_stats":{}},"messages":[{"role":"user","content":"go"}]}',
    },
    {
      name: "other JSON lines",
      text: toLines([
        { type: "session.start", data: {} },
        { sessionId: "s", messages: [] },
      ]),
    },
  ])("says what it looked for when given $name", ({ text }) => {
    const result = parseRecording(text, "f");
    expect(result).toMatchObject({ ok: false, issue: { code: "not-a-recording", where: "f" } });
    for (const agent of ["Claude Code", "Codex", "OpenCode", "pi"])
      expect(!result.ok && result.issue.message).toContain(agent);
  });

  it.each(["", "\n \r\n"])("calls %j empty", (text) => {
    expect(parseRecording(text)).toMatchObject({ ok: false, issue: { code: "empty-input" } });
  });

  test("no JSON whatever makes it throw", () => {
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
    const starts = [claudeLine, codexLine, piLine];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.array(value), (start, values) => {
        expect(parseRecording(toLines([start, ...values.map((each) => JSON.stringify(each))])).ok).toBe(true);
        expect(parseRecording(JSON.stringify({ ...openCode, messages: values })).ok).toBe(true);
      }),
    );
  });
});
