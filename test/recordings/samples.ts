import type { RecordingSource } from "../../src/recordings/recording.ts";
import { toLines } from "./parse.ts";

/** A file that is read twice, so that its first read is stale. */
export const content: string = Array.from(
  { length: 40 },
  (_, line) => `const grüße_${line} = "a \\"word\\" of ${line}";`,
).join("\n");
const task = "please find out what is in the file, and tell me all of it";
const thought = "I will look at the file once more to be sure of it.";
const answer = "It says the same as before.";
const input = { path: "src/a.ts" };
const calls = ["call_1", "call_2"];

const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const python = (second: number) => stamp(second).replace("Z", "123");

const chat = [
  { role: "system", content: "You are an agent that reads files and tells what is in them." },
  { role: "user", content: task },
  ...calls.flatMap((id) => [
    { role: "assistant", content: thought, tool_calls: [chatCall(id)] },
    { role: "tool", tool_call_id: id, content },
  ]),
  { role: "assistant", content: answer },
];

const anthropic = [
  { role: "user", content: [{ type: "text", text: task }] },
  ...calls.flatMap((id) => [
    {
      role: "assistant",
      content: [
        { type: "text", text: thought },
        { type: "tool_use", id, name: "read", input },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  ]),
  { role: "assistant", content: [{ type: "text", text: answer }] },
];

function chatCall(id: string) {
  return { id, type: "function", function: { name: "read", arguments: JSON.stringify(input) } };
}

/** The same small session, as each agent would have recorded it. */
export const samples: Record<RecordingSource, readonly string[]> = {
  "claude-code": [
    toLines(
      anthropic.map(({ role, content: blocks }, index) => ({
        type: role,
        uuid: `u${index}`,
        parentUuid: index === 0 ? null : `u${index - 1}`,
        sessionId: "s1",
        timestamp: stamp(index),
        message: { role, content: blocks, ...(role === "assistant" && { id: `m${index}`, model: "m1" }) },
        ...(index % 2 === 0 && index > 0 && { toolUseResult: { file: { content } } }),
      })),
    ),
  ],
  codex: [
    toLines([
      { type: "session_meta", payload: { id: "s1" } },
      codexItem({ type: "message", role: "user", content: [{ type: "input_text", text: task }] }),
      ...calls.flatMap((call_id) => [
        codexItem({ type: "function_call", call_id, name: "read", arguments: JSON.stringify(input) }),
        codexItem({ type: "function_call_output", call_id, output: content }),
      ]),
      codexItem({ type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] }),
    ]),
  ],
  opencode: [
    JSON.stringify(
      {
        info: { id: "ses_1", projectID: "p" },
        messages: [
          openCodeMessage("user", 0, [{ type: "text", text: task }]),
          ...calls.map((callID, index) =>
            openCodeMessage("assistant", index + 1, [
              {
                type: "tool",
                tool: "read",
                callID,
                state: { status: "completed", input, output: content, metadata: { preview: content } },
              },
            ]),
          ),
          openCodeMessage("assistant", 3, [{ type: "text", text: answer }]),
        ],
      },
      null,
      2,
    ),
  ],
  pi: [
    toLines([
      { type: "session", id: "s1", cwd: "/w" },
      ...[
        { role: "user", content: task },
        ...calls.flatMap((id) => [
          { role: "assistant", content: [{ type: "toolCall", id, name: "read", arguments: input }] },
          { role: "toolResult", toolCallId: id, content: [{ type: "text", text: content }] },
        ]),
        { role: "assistant", content: [{ type: "text", text: answer }] },
      ].map((message, index) => ({
        type: "message",
        id: `e${index}`,
        parentId: index === 0 ? null : `e${index - 1}`,
        message,
      })),
    ]),
  ],
  "copilot-cli": [
    toLines([
      { type: "session.start", data: { sessionId: "s1" } },
      { type: "user.message", data: { content: task } },
      ...calls.flatMap((toolCallId) => [
        {
          type: "assistant.message",
          data: { content: thought, toolRequests: [{ toolCallId, name: "read", arguments: input }] },
        },
        { type: "hook.start", data: { input: { toolResult: { textResultForLlm: content } } } },
        {
          type: "tool.execution_complete",
          data: { toolCallId, success: true, result: { content, detailedContent: content } },
        },
      ]),
      { type: "assistant.message", data: { content: answer } },
    ]),
  ],
  "mini-swe-agent": [
    JSON.stringify(
      {
        info: { mini_version: "2" },
        messages: [...chat, { role: "exit", content: "done" }],
        trajectory_format: "mini-swe-agent-1.1",
      },
      null,
      2,
    ),
  ],
  "swe-agent": [
    JSON.stringify(
      {
        environment: "main",
        trajectory: calls.map(() => ({ action: "read src/a.ts", observation: content, thought })),
        history: chat.map((message) =>
          "tool_call_id" in message ? { ...message, tool_call_ids: [message.tool_call_id] } : message,
        ),
      },
      null,
      4,
    ),
  ],
  openhands: [
    JSON.stringify({
      messages: chat.slice(0, -1).map((message) => ({
        ...message,
        content: [{ type: "text", text: message.content }],
      })),
      response: { model: "m1", choices: [{ message: chat.at(-1) }] },
      timestamp: 1_767_225_600.5,
    }),
    JSON.stringify([
      { id: 0, timestamp: python(0), source: "user", action: "message", args: { content: task } },
      ...calls.flatMap((_, index) => [
        {
          id: 2 * index + 1,
          timestamp: python(index),
          source: "agent",
          action: "read",
          args: { ...input, thought },
        },
        {
          id: 2 * index + 2,
          timestamp: python(index),
          source: "environment",
          observation: "read",
          cause: 2 * index + 1,
          content,
        },
      ]),
      { id: 9, timestamp: python(9), source: "agent", action: "message", args: { content: answer } },
    ]),
  ],
  "trae-agent": [
    JSON.stringify(
      {
        task,
        llm_interactions: [
          traeInteraction([{ role: "user", content: task }], [calls[0]]),
          traeInteraction([traeResult(calls[0])], [calls[1]]),
          traeInteraction([traeResult(calls[1])], []),
        ],
        agent_steps: [],
      },
      null,
      2,
    ),
  ],
  moatless: [
    JSON.stringify({
      nodes: [
        { node_id: 0, parent_id: null, message: task, completions: {} },
        ...calls.map((id, index) => ({
          node_id: index + 1,
          parent_id: index,
          observation: { message: content },
          completions: {
            build_action: { response: { content: [{ type: "tool_use", id, name: "read", input }] } },
          },
        })),
      ],
    }),
  ],
  "tau-bench": [JSON.stringify([{ task_id: 0, reward: 1.0, info: {}, traj: chat, trial: 0 }])],
  "tau2-bench": [
    JSON.stringify({
      tasks: [],
      simulations: [
        {
          messages: chat.slice(1).map((message, index) => ({
            role: message.role,
            content: message.content,
            timestamp: python(index),
            ...("tool_calls" in message && {
              tool_calls: message.tool_calls?.map(({ id }) => ({ id, name: "read", arguments: input })),
            }),
            ...("tool_call_id" in message && { id: message.tool_call_id, requestor: "assistant" }),
          })),
        },
      ],
    }),
  ],
  "gemini-cli": [
    JSON.stringify({
      sessionId: "s1",
      messages: [
        { type: "user", timestamp: stamp(0), content: [{ text: task }] },
        ...calls.map((id, index) => ({
          type: "gemini",
          timestamp: stamp(index + 1),
          content: thought,
          toolCalls: [
            {
              id,
              name: "read_file",
              args: input,
              result: [{ functionResponse: { id, name: "read_file", response: { output: content } } }],
            },
          ],
        })),
        { type: "gemini", timestamp: stamp(9), content: answer },
      ],
    }),
    JSON.stringify(
      [
        { role: "user", parts: [{ text: task }] },
        ...calls.flatMap((id) => [
          { role: "model", parts: [{ functionCall: { name: "read_file", args: input } }] },
          {
            role: "user",
            parts: [{ functionResponse: { id, name: "read_file", response: { output: content } } }],
          },
        ]),
        { role: "model", parts: [{ text: answer }] },
      ],
      null,
      2,
    ),
  ],
  "cline-roo": [
    JSON.stringify(
      anthropic.map((message, index) => ({ ...message, ts: 1_767_225_600_000 + index })),
      null,
      "\t",
    ),
  ],
  messages: [
    JSON.stringify(chat),
    JSON.stringify(anthropic, null, 2),
    JSON.stringify({ model: "m1", messages: chat }),
    toLines(chat),
    `${toLines(anthropic)}\n`,
    toLines([{ messages: chat }, { messages: chat }]),
  ],
};

function codexItem(payload: object) {
  return { type: "response_item", timestamp: stamp(0), payload };
}

function openCodeMessage(role: string, index: number, parts: readonly object[]) {
  return {
    info: { id: `msg_${index}`, role, sessionID: "ses_1", time: { created: Date.UTC(2026, 0, 1) + index } },
    parts: parts.map((part, at) => ({ id: `prt_${index}_${at}`, ...part })),
  };
}

function traeInteraction(input_messages: readonly object[], ids: readonly (string | undefined)[]) {
  const tool_calls = ids.map((call_id) => ({ call_id, name: "read", arguments: input }));
  return {
    timestamp: python(1),
    provider: "openai",
    model: "m1",
    input_messages,
    response: { content: ids.length > 0 ? thought : answer, tool_calls },
  };
}

function traeResult(call_id: string | undefined) {
  return {
    role: "user",
    content: null,
    tool_result: { call_id, success: true, result: content, error: null },
  };
}
