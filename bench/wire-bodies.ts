/** Request bodies of a made-up session, for each wire: what the figures of `wires.ts` are measured on. */
import { formatByName } from "../src/entries/host.ts";
import type { WireName } from "../src/wires/index.ts";
import { makeSession } from "./long-session.ts";

export const PATHS: Readonly<Record<WireName, string>> = {
  "anthropic-messages": "/v1/messages?beta=true",
  "anthropic-count-tokens": "/v1/messages/count_tokens",
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  gemini: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
};

interface Step {
  readonly text: string;
  readonly id: string;
  readonly input: unknown;
  readonly output: string;
}

const SYSTEM = "You are an agent that works on a repository.\n".repeat(200);
const TOOLS = Array.from({ length: 24 }, (_, i) => ({
  name: i === 0 ? "read" : `tool_${i}`,
  description: `Reads a file of the workspace, as numbered lines. Variant ${i}.\n`.repeat(12),
  input_schema: { type: "object", properties: { filePath: { type: "string" } }, required: ["filePath"] },
}));

export function makeBody(wire: WireName, steps: number, resultTokens: number): string {
  return JSON.stringify(BODIES[wire](listSteps(steps, resultTokens)));
}

/** From the session that the other figures are measured on, so that they can be compared. */
function listSteps(steps: number, resultTokens: number): readonly Step[] {
  const format = formatByName("opencode");
  return makeSession(steps, resultTokens)
    .slice(1)
    .map((message) => {
      const { parts } = format.decode(message);
      const call = parts.find((part) => part.kind === "call");
      const result = parts.find((part) => part.kind === "result");
      const text = parts.find((part) => part.kind === "text");
      if (!call || !result) throw new Error("a step has no call");
      const output = result.leaves[0]?.text ?? "";
      return { text: text?.leaves[0]?.text ?? "", id: call.callId, input: call.input, output };
    });
}

const GO = "Refactor the discount module and keep the tests green.";

const BODIES: Readonly<Record<WireName, (steps: readonly Step[]) => unknown>> = {
  "anthropic-messages": anthropic,
  "anthropic-count-tokens": anthropic,
  "openai-chat": (steps) => ({
    model: "gpt-5",
    stream: true,
    messages: [
      { role: "system", content: SYSTEM },
      { role: "user", content: GO },
      ...steps.flatMap(({ text, id, input, output }) => [
        {
          role: "assistant",
          content: text,
          tool_calls: [
            { id, type: "function", function: { name: "read", arguments: JSON.stringify(input) } },
          ],
        },
        { role: "tool", tool_call_id: id, content: output },
      ]),
    ],
    tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
  }),
  "openai-responses": (steps) => ({
    model: "gpt-5-codex",
    instructions: SYSTEM,
    store: false,
    stream: true,
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: GO }] },
      ...steps.flatMap(({ text, id, input, output }) => [
        { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
        { type: "function_call", call_id: id, name: "read", arguments: JSON.stringify(input) },
        { type: "function_call_output", call_id: id, output },
      ]),
    ],
    tools: TOOLS.map((tool) => ({ type: "function", ...tool })),
  }),
  gemini: (steps) => ({
    systemInstruction: { parts: [{ text: SYSTEM }] },
    contents: [
      { role: "user", parts: [{ text: GO }] },
      ...steps.flatMap(({ text, input, output }) => [
        { role: "model", parts: [{ text }, { functionCall: { name: "read_file", args: input } }] },
        { role: "user", parts: [{ functionResponse: { name: "read_file", response: { output } } }] },
      ]),
    ],
    tools: [{ functionDeclarations: TOOLS }],
  }),
};

function anthropic(steps: readonly Step[]): unknown {
  return {
    model: "claude-sonnet-4-5",
    max_tokens: 32_000,
    system: [{ type: "text", text: SYSTEM, cache_control: { type: "ephemeral" } }],
    messages: [
      { role: "user", content: [{ type: "text", text: GO }] },
      ...steps.flatMap(({ text, id, input, output }) => [
        {
          role: "assistant",
          content: [
            { type: "text", text },
            { type: "tool_use", id, name: "read", input },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
      ]),
    ],
    tools: TOOLS,
    stream: true,
  };
}
