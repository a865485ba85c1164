import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerPrune } from "../../src/answers/answer-prune.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { createPruner } from "../../src/pruner.ts";
import { textOf } from "../conversation.ts";

/** How a client writes a call and its result into a request. */
interface Shape {
  readonly format: FormatName;
  readonly prune: string;
  prompt(text: string): unknown;
  call(id: string, name: string, input: object): unknown;
  result(id: string, name: string, text: string): unknown;
}

const anthropic = {
  format: "anthropic-messages",
  prompt: (text) => ({ role: "user", content: text }),
  call: (id, name, input) => ({ role: "assistant", content: [{ type: "tool_use", id, name, input }] }),
  result: (id, _, text) => ({
    role: "user",
    content: [{ tool_use_id: id, type: "tool_result", content: [{ type: "text", text }] }],
  }),
} satisfies Partial<Shape>;
const chat = {
  format: "openai-chat",
  prompt: (text) => ({ role: "user", content: text }),
  call: (id, name, input) => ({
    role: "assistant",
    content: "Step 2.",
    tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }],
  }),
  result: (id, _, text) => ({ role: "tool", tool_call_id: id, content: text }),
} satisfies Partial<Shape>;
const responses = {
  format: "openai-responses",
  prompt: (text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
  call: (id, name, input) => ({
    type: "function_call",
    id: `fc_${id}`,
    name,
    arguments: JSON.stringify(input),
    call_id: id,
    status: "completed",
  }),
  result: (id, _, text) => ({ type: "function_call_output", call_id: id, output: text }),
} satisfies Partial<Shape>;
const codex: Omit<Shape, "result"> = {
  ...responses,
  prune: "mcp__coppice__context_prune",
  call: (id, name, input) =>
    name.startsWith("mcp__")
      ? { ...responses.call(id, "context_prune", input), namespace: "mcp__coppice" }
      : responses.call(id, name, input),
};
const gemini = {
  format: "gemini",
  prompt: (text) => ({ role: "user", parts: [{ text }] }),
  call: (id, name, args) => ({ role: "model", parts: [{ functionCall: { id, args, name } }] }),
  result: (id, name, text) => ({
    role: "user",
    parts: [{ functionResponse: { id, name, response: { output: text } } }],
  }),
} satisfies Partial<Shape>;

/** As the real programs sent them, in November 2026. */
const CLIENTS: Readonly<Record<string, Shape>> = {
  "Claude Code 2.1.325": { ...anthropic, prune: "mcp__coppice__context_prune" },
  "Codex 0.166.0": {
    ...codex,
    result: (id, name, text) =>
      name.startsWith("mcp__")
        ? {
            ...responses.result(id, name, text),
            output: [
              { type: "input_text", text: "Wall time: 0.0028 seconds\nOutput:" },
              { type: "input_text", text },
            ],
          }
        : responses.result(id, name, text),
  },
  "Gemini CLI 0.61.0": {
    ...gemini,
    prune: "mcp_coppice_context_prune",
    result: (id, name, text) =>
      gemini.result(
        id,
        name,
        name.startsWith("mcp_") ? `<untrusted_context>\n${text}\n</untrusted_context>` : text,
      ),
  },
  "Qwen Code 0.24.4": {
    ...chat,
    prune: "mcp__coppice__context_prune",
    result: (id, _, text) => ({ role: "tool", tool_call_id: id, content: [{ type: "text", text }] }),
  },
  "Copilot 1.0.102 (anthropic)": {
    ...anthropic,
    prune: "coppice-context_prune",
    result: (id, _, text) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: text }],
    }),
  },
  "Copilot 1.0.102 (chat)": { ...chat, prune: "coppice-context_prune" },
  "Copilot 1.0.102 (responses)": { ...responses, prune: "coppice-context_prune" },
  "OpenCode 1.18.33 (chat)": { ...chat, prune: "coppice_context_prune" },
  "OpenCode 1.18.33 (gemini)": { ...gemini, prune: "coppice_context_prune" },
};

/** Not seen of these versions: results as MCP gives them, written as JSON. */
const JSON_CLIENTS: Readonly<Record<string, Shape>> = {
  "the content, in an output": {
    ...codex,
    result: (id, _, text) =>
      responses.result(
        id,
        "",
        `Wall time: 1.0 seconds\nOutput:\n${JSON.stringify({ content: [{ type: "text", text }] })}`,
      ),
  },
  "a block, as text": {
    ...chat,
    prune: "mcp__coppice__context_prune",
    result: (id, _, text) => chat.result(id, "", JSON.stringify({ type: "text", text }, null, 1)),
  },
};

/** The request after a `context_prune`, with its answer as `wrap` leaves it; and the ref that was to be cut. */
function replay(shape: Shape, wrap = (text: string) => text, targets?: readonly string[]) {
  const pruner = createPruner({ agentTools: true, config: { schedule: { mode: "eager" } } });
  const read = textOf(600, 3);
  const messages = [
    shape.prompt("Look."),
    shape.call("t1", "read_file", { path: "a.ts" }),
    shape.result("t1", "read_file", read),
  ];
  const options = { format: shape.format, model: "claude-sonnet-4-5" };
  const first = JSON.stringify(pruner.prune(messages, options).messages);
  const ref = /<tool_hash>([0-9a-f]{6})/.exec(first)?.[1] ?? "";
  const input = { action: "discard", targets: (targets ?? [ref]).map((each) => [each]) };
  const view = pruner.agentView();
  if (!view) throw new Error("no view");
  const answer = answerPrune(input, view);
  const next = [
    ...messages,
    shape.call("t2", shape.prune, input),
    shape.result("t2", shape.prune, wrap(answer)),
  ];
  return { ref, answer, sent: JSON.stringify(pruner.prune(next, options).messages) };
}

describe.each(Object.entries({ ...CLIENTS, ...JSON_CLIENTS }))("an answer through %s", (_, shape) => {
  test("that accepts is carried out", () => {
    const { ref, answer, sent } = replay(shape);
    expect(ref).not.toBe("");
    expect(answer).toMatch(/^Cut: /m);
    expect(sent).toContain(`· ${ref}]`);
  });

  test("that refuses is not", () => {
    const { ref, answer, sent } = replay(shape, undefined, ["000000"]);
    expect(answer).toMatch(/nothing changed/);
    expect(sent).not.toContain(`· ${ref}]`);
  });

  test("is found despite any lines of a client around it, and never in those lines", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !/^\s*[{[]|Cut:/.test(text));
    const lines = fc.array(line, { maxLength: 4 });
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (before, after, isAccepted) => {
        const wrap = (text: string) => [...before, text, ...after].join("\n");
        const { ref, sent } = replay(shape, wrap, isAccepted ? undefined : ["000000"]);
        expect(sent.includes(`· ${ref}]`)).toBe(isAccepted);
      }),
      { numRuns: 25 },
    );
  });
});
