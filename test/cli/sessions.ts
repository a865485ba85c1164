/** Sessions made for these tests: a file is read three times, so that there is something to cut. */
const listing = (version: number): string =>
  Array.from(
    { length: 60 },
    (_, i) => `${i + 1}: export const value${i} = compute(${i * version}, "part ${i}");`,
  ).join("\n");

const reads = [1, 2, 3].map((version) => ({ id: `call_${version}`, text: listing(version) }));
const path = "src/values.ts";

const chat = [
  { role: "user", content: "Look at the values, please." },
  ...reads.flatMap(({ id, text }) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "read", arguments: JSON.stringify({ path }) } }],
    },
    { role: "tool", tool_call_id: id, content: text },
  ]),
  { role: "assistant", content: "They are fine: naïve, but “fine” 🌳." },
];

const anthropic = [
  { role: "user", content: "Look at the values, please." },
  ...reads.flatMap(({ id, text }) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
  ]),
  { role: "assistant", content: [{ type: "text", text: "They are fine." }] },
];

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

const claudeCode = lines(
  anthropic.map((message, i) => ({
    type: message.role,
    uuid: `u${i}`,
    parentUuid: i === 0 ? null : `u${i - 1}`,
    sessionId: "s1",
    timestamp: at(i),
    message: message.role === "user" ? message : { ...message, id: `m${i}`, model: "claude-sonnet-4-5" },
  })),
);

const codex = lines([
  { type: "session_meta", timestamp: at(0), payload: { id: "s1" } },
  { type: "turn_context", timestamp: at(0), payload: { model: "gpt-5" } },
  {
    type: "response_item",
    timestamp: at(1),
    payload: {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "Look at the values." }],
    },
  },
  ...reads.flatMap(({ id, text }, i) => [
    {
      type: "response_item",
      timestamp: at(2 + i),
      payload: {
        type: "function_call",
        call_id: id,
        name: "shell",
        arguments: JSON.stringify({ command: ["cat", path] }),
      },
    },
    {
      type: "response_item",
      timestamp: at(3 + i),
      payload: { type: "function_call_output", call_id: id, output: text },
    },
  ]),
  {
    type: "response_item",
    timestamp: at(9),
    payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "Fine." }] },
  },
]);

interface WithId {
  readonly id: string;
  readonly [field: string]: unknown;
}

export const opencodeSession: WithId = { id: "ses_1", projectID: "p1", title: "values" };
export const opencodeMessages: readonly { readonly info: WithId; readonly parts: readonly WithId[] }[] = [
  {
    info: { id: "msg_1", role: "user", sessionID: "ses_1", time: { created: 1 } },
    parts: [{ id: "prt_1", type: "text", text: "Look at the values." }],
  },
  ...reads.map(({ id, text }, i) => ({
    info: {
      id: `msg_${i + 2}`,
      role: "assistant",
      sessionID: "ses_1",
      modelID: "claude-sonnet-4-5",
      time: { created: 2 + i, completed: 3 + i },
      finish: "tool-calls",
    },
    parts: [
      {
        id: `prt_${i + 2}`,
        type: "tool",
        tool: "read",
        callID: id,
        state: { status: "completed", input: { filePath: path }, output: text },
      },
    ],
  })),
];

const pi = lines([
  { type: "session", version: 3, id: "s1", cwd: "/w" },
  ...[
    { role: "user", content: [{ type: "text", text: "Look at the values." }] },
    ...reads.flatMap(({ id, text }) => [
      {
        role: "assistant",
        content: [{ type: "toolCall", id, name: "read", arguments: { path } }],
        model: "claude-sonnet-4-5",
        stopReason: "toolUse",
      },
      { role: "toolResult", toolCallId: id, isError: false, content: [{ type: "text", text }] },
    ]),
    {
      role: "assistant",
      content: [{ type: "text", text: "Fine." }],
      model: "claude-sonnet-4-5",
      stopReason: "stop",
    },
  ].map((message, i) => ({
    type: "message",
    id: `e${i}`,
    parentId: i === 0 ? null : `e${i - 1}`,
    timestamp: at(i),
    message,
  })),
]);

/** By name of the file: one of each format that people keep sessions in. */
export const SESSIONS: Readonly<Record<string, string>> = {
  "claude-code.jsonl": claudeCode,
  "codex.jsonl": codex,
  "opencode.json": JSON.stringify({ info: opencodeSession, messages: opencodeMessages }, null, 2),
  "pi.jsonl": pi,
  "openai.json": `${JSON.stringify(chat, null, 2)}\n`,
  "openai-request.json": JSON.stringify({ model: "gpt-5", messages: chat }),
  "anthropic.json": `\uFEFF${JSON.stringify(anthropic)}`,
  "messages.jsonl": lines(chat).replaceAll("\n", "\r\n"),
};
