import { describe, expect, test } from "vitest";
import { collectShakeRegions, trimByPriority } from "../src/entries/messages.ts";
import { exportLedger, restoreMessages } from "../src/index.ts";
import { createPruner } from "../src/pruner.ts";
import { parseRecording, pruneRecordingText } from "../src/recordings/index.ts";
import { redactValue } from "../src/redaction/redact.ts";
import { type Pass, usePass } from "../src/strategies/strategy.ts";
import { samples } from "./recordings/samples.ts";

const DEPTH = 20_000;

/** Lists in objects in lists, new ones each time. */
function nest(depth: number): unknown {
  let value: unknown = "core";
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { inner: value } : [value];
  return { path: "a.ts", value };
}

/** `JSON.stringify` itself fails on such a deep value. */
function nestJson(depth: number): string {
  const open = Array.from({ length: depth }, (_, i) => ((depth - 1 - i) % 2 === 0 ? '{"inner":' : "["));
  const close = Array.from({ length: depth }, (_, i) => (i % 2 === 0 ? "}" : "]"));
  return `{"path":"a.ts","value":${open.join("")}"core"${close.join("")}}`;
}

const user = { role: "user", content: "go" };
const chatResult = { role: "tool", tool_call_id: "c1", content: "done" };
const chatCall = (args: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: args } }],
});

/** Each returns the same messages, as new objects each time. */
const SESSIONS: readonly (readonly [name: string, make: () => readonly unknown[]])[] = [
  ["openai-chat, a call", () => [user, chatCall(nestJson(DEPTH)), chatResult]],
  [
    "openai-chat, an unknown field",
    () => [user, { role: "wizard", content: nest(DEPTH) }, chatCall("{}"), chatResult],
  ],
  [
    "openai-responses, a call",
    () => [
      { type: "message", role: "user", content: "go" },
      { type: "function_call", call_id: "c1", name: "read", arguments: nestJson(DEPTH) },
      { type: "function_call_output", call_id: "c1", output: "done" },
      { type: "hologram", raw: nest(DEPTH) },
    ],
  ],
  [
    "anthropic-messages, a call, a result and a block",
    () => [
      user,
      {
        role: "assistant",
        content: [
          { type: "hologram", raw: nest(DEPTH) },
          { type: "tool_use", id: "c1", name: "read", input: nest(DEPTH) },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: [nest(DEPTH)] }] },
    ],
  ],
  [
    "ai-sdk, a call and a result",
    () => [
      user,
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c1", toolName: "read", input: nest(DEPTH) }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "read",
            output: { type: "json", value: nest(DEPTH) },
          },
        ],
      },
    ],
  ],
  [
    "gemini, a call, a response and a part",
    () => [
      { role: "user", parts: [{ text: "go" }] },
      {
        role: "model",
        parts: [{ hologram: nest(DEPTH) }, { functionCall: { name: "read", args: nest(DEPTH) } }],
      },
      { role: "user", parts: [{ functionResponse: { name: "read", response: nest(DEPTH) } }] },
    ],
  ],
  [
    "opencode, a call",
    () => [
      {
        info: { id: "m0", role: "user", time: { created: 1 } },
        parts: [{ type: "text", id: "p0", text: "go" }],
      },
      {
        info: { id: "m1", role: "assistant", time: { created: 2, completed: 3 } },
        parts: [
          { type: "step-start", id: "p1" },
          {
            type: "tool",
            id: "p2",
            tool: "read",
            callID: "c1",
            state: { status: "completed", input: nest(DEPTH), output: "done", time: { start: 2, end: 3 } },
          },
        ],
      },
    ],
  ],
  [
    "pi, a call",
    () => [
      user,
      { role: "assistant", content: [{ type: "toolCall", id: "c1", name: "read", arguments: nest(DEPTH) }] },
      { role: "toolResult", toolCallId: "c1", toolName: "read", content: [{ type: "text", text: "done" }] },
    ],
  ],
];

/** The number of times that the fold has advanced. */
function countSteps(): { readonly pass: Pass; count: number } {
  const counter = {
    count: 0,
    pass: usePass({
      name: "count",
      propose: () => {
        counter.count++;
        return [];
      },
    }),
  };
  return counter;
}

const FAILURES: readonly string[] = ["fold-failed", "strategy-failed", "unknown-format"];

function failuresOf(issues: readonly { readonly code: string }[]): readonly string[] {
  return issues.flatMap(({ code }) => (FAILURES.includes(code) ? [code] : []));
}

describe("the session continues with a value of any depth", () => {
  test.each(SESSIONS)("%s", (_, make) => {
    const messages = make();
    for (const mode of ["rent-or-buy", "eager"] as const) {
      const { messages: out, report } = createPruner({
        config: { schedule: { mode }, window: 100_000_000 },
      }).prune(messages);
      expect(failuresOf(report.issues)).toEqual([]);
      expect(out.length).toBe(messages.length);
      expect(out.every((message, i) => message === messages[i])).toBe(true);
    }
  });

  test.each(SESSIONS)("and is recognised when it is sent again: %s", (_, make) => {
    const watched = countSteps();
    const pruner = createPruner({ passes: [watched.pass] });
    pruner.prune(make());
    const before = watched.count;
    pruner.prune(make());
    expect(before).toBeGreaterThan(0);
    expect(watched.count).toBe(before);
  });

  test("the functions that take messages accept it too", () => {
    const messages = [user, chatCall(nestJson(DEPTH)), chatResult];
    expect(collectShakeRegions(messages)).toEqual([]);
    expect(trimByPriority(messages, { targetTokens: 10_000_000 }).messages.length).toBe(3);
  });

  test("so does a recording", () => {
    const json = `[${JSON.stringify(user)},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":${nestJson(DEPTH)}}}]},${JSON.stringify(chatResult)}]`;
    expect(parseRecording(json).ok).toBe(true);
    expect(pruneRecordingText(json).ok).toBe(true);
  });
});

describe("however deep the arguments in a recording are, it is read and pruned", () => {
  const plain = '{"path":"src/a.ts"}';
  const escaped = JSON.stringify(plain).slice(1, -1);
  const deep = nestJson(DEPTH);
  const all = Object.entries(samples).flatMap(([source, texts]) =>
    texts.map((text, i) => [`${source} ${i}`, text] as const),
  );

  test.each(all)("%s", (_, text) => {
    const changed = text
      .replaceAll(plain, () => deep)
      .replaceAll(escaped, () => JSON.stringify(deep).slice(1, -1));
    expect(parseRecording(changed).ok).toBe(true);
    expect(pruneRecordingText(changed).ok).toBe(true);
  });

  test("codex, a call of its own tool and a tool's output", () => {
    const item = (payload: string) =>
      `{"timestamp":"2026-01-01T00:00:00.000Z","type":"response_item","payload":${payload}}`;
    const text = [
      '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s1"}}',
      item('{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}'),
      item(`{"type":"custom_tool_call","call_id":"c1","name":"a","input":${deep}}`),
      item(`{"type":"function_call_output","call_id":"c1","output":${deep}}`),
      item(`{"type":"local_shell_call","call_id":"c2","action":${deep}}`),
      item(`{"type":"tool_search_output","call_id":"c2","tools":[${deep}]}`),
    ].join("\n");
    const recording = parseRecording(text);
    expect(recording.ok && recording.value.source).toBe("codex");
    expect(pruneRecordingText(text).ok).toBe(true);
  });
});

test("however deep a value is, its secrets are removed", () => {
  let shown: unknown = redactValue(nest(DEPTH));
  expect(shown).toMatchObject({ path: "a.ts" });
  const inside = { secret: "AKIAIOSFODNN7EXAMPLE" };
  let value: unknown = inside;
  for (let i = 0; i < DEPTH; i++) value = [value];
  shown = redactValue(value);
  for (let i = 0; i < DEPTH; i++) shown = (shown as readonly unknown[])[0];
  expect(shown).toEqual({ secret: "[redacted]" });
});

describe("however much input there is, the session goes on", () => {
  const MANY = 150_000;
  const time = 1_790_000_000_000;

  test("messages in one request", () => {
    const messages = Array.from({ length: MANY }, () => user);
    const meta = messages.map((_, i) => ({ time: time + i }));
    const pruned = createPruner().prune(messages, { meta });
    expect(failuresOf(pruned.report.issues)).toEqual([]);
    expect(pruned.messages.length).toBe(MANY);
    const restored = restoreMessages(pruned.messages, exportLedger(messages, pruned, pruned.report.edits));
    expect(restored.length).toBe(MANY);
  });
});
