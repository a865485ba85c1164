import { describe, expect, it } from "vitest";
import { detectFormat } from "../../../src/formats/detect.ts";
import { decodeMessages } from "../../../src/formats/intake/decode.ts";
import { requestEnds } from "../../../src/formats/intake/request-ends.ts";
import { openAiAgents } from "../../../src/formats/openai-agents/openai-agents.ts";
import { createPruner } from "../../../src/pruner.ts";
import { countPart } from "../../../src/transcript/transcript.ts";
import { textOf } from "../../conversation.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { providerData: { keep: true } };
const input = (text: string, more: object = {}) => ({ type: "input_text", text, ...more });
const user = (...content: unknown[]) => ({ type: "message", role: "user", content });
const said = (text: string, more: object = {}) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, ...extra }],
  ...more,
});
const call = (callId: string, args = '{"path":"a.ts"}', more: object = {}) => ({
  type: "function_call",
  callId,
  name: "read",
  status: "completed",
  arguments: args,
  ...more,
});
const result = (callId: string, output: unknown = "done", more: object = {}) => ({
  type: "function_call_result",
  callId,
  name: "read",
  status: "completed",
  output,
  ...more,
});

const functions = [
  { role: "system", content: "You help." },
  user(
    input("Look:", extra),
    { type: "input_image", image: "data:image/png;base64,AAAA", detail: "low" },
    { type: "input_file", file: { id: "file-1" }, filename: "a.pdf" },
    { type: "audio", audio: "AAAA", format: "wav" },
  ),
  {
    type: "reasoning",
    id: "rs_1",
    content: [input("Signed.")],
    providerData: { encrypted_content: "gAAAA" },
  },
  said("On it.", { id: "msg_1" }),
  call("c1", '{ "path": "a.ts",\n "id": 12345678901234567890, "edits": [{"old/~": "one"}] }', {
    id: "fc_1",
    ...extra,
  }),
  call("c2", '{"cut off": "he'),
  call("c3", "{}", { namespace: "files." }),
  result("c2", "no such file", extra),
  result("c1", [
    input("first", extra),
    { type: "input_image", image: "https://x.test/a.png" },
    input("second"),
  ]),
  result("c3", { type: "text", text: "only", ...extra }),
  {
    type: "reasoning",
    content: [input("In the open.")],
    rawContent: [{ type: "reasoning_text", text: "Raw." }],
  },
  said("Done."),
];

const tools = [
  { role: "user", content: "Go." },
  { type: "shell_call", callId: "c1", action: { commands: ["npm test", "npm run lint"], timeoutMs: 1 } },
  {
    type: "apply_patch_call",
    callId: "c2",
    status: "completed",
    operation: { type: "update_file", path: "a.ts", diff: "-a\n+b" },
  },
  { type: "computer_call", callId: "c3", status: "completed", action: { type: "type", text: "hello" } },
  {
    type: "shell_call_output",
    callId: "c1",
    output: [
      { stdout: "ok", stderr: "", outcome: { type: "exit", exitCode: 0 } },
      { stdout: "", stderr: "bad", outcome: { type: "exit", exitCode: 2 } },
    ],
  },
  { type: "apply_patch_call_output", callId: "c2", status: "failed", output: "does not apply" },
  {
    type: "computer_call_result",
    callId: "c3",
    output: { type: "computer_screenshot", data: "data:image/png;base64,AAAA" },
  },
  { type: "hosted_tool_call", id: "ws_1", name: "web_search_call", status: "completed", ...extra },
  { type: "tool_search_call", id: "ts_1", execution: "server", arguments: {} },
  { type: "tool_search_output", id: "tso_1", execution: "server", tools: [] },
  { type: "unknown", ...extra },
  said("Here."),
];

const compacted = [
  user(input("We did this.")),
  { type: "compaction", encrypted_content: "gAAAA", id: "cmp_1" },
  user(input("Go on.")),
  call("c1"),
  result("c1"),
];

describeFormat(openAiAgents, {
  good: { functions, tools, compacted },
  broken: {
    "no item": { messages: ["hello"], code: "malformed-message" },
    "neither type nor role": { messages: [{ content: "?" }], code: "malformed-message" },
    "a call without result": { messages: [call("c1")], code: "call-without-result" },
    "a result without call": { messages: [result("c1")], code: "result-without-call" },
    "a result before its call": {
      messages: [result("c1"), call("c1"), result("c1")],
      code: "result-before-call",
    },
    "two results": { messages: [call("c1"), result("c1"), result("c1")], code: "repeated-call-id" },
    "reasoning alone": {
      messages: [{ type: "reasoning", content: [] }, user(input("?"))],
      code: "reasoning-order",
    },
    "a message without content": { messages: [user()], code: "empty-message" },
    "an empty text": { messages: [user(input(""))], code: "empty-block" },
  },
});

describe("openai-agents", () => {
  const decode = (item: unknown) => openAiAgents.decode(item).parts;

  it.each<[unknown, object]>([
    [
      functions[1],
      { role: "user", parts: [{ kind: "text" }, { kind: "file" }, { kind: "file" }, { kind: "file" }] },
    ],
    [functions[2], { isItem: true, parts: [{ kind: "reasoning", signed: true, unit: true }] }],
    [functions[3], { isItem: true, parts: [{ kind: "text", unit: true }] }],
    [functions[4], { parts: [{ kind: "call", callId: "c1", tool: "read", input: { path: "a.ts" } }] }],
    [functions[6], { parts: [{ kind: "call", tool: "files.read" }] }],
    [
      functions[8],
      { role: "tool", parts: [{ kind: "result", leaves: [{}, {}], media: [{ mime: "image/*" }] }] },
    ],
    [functions[9], { parts: [{ kind: "result", leaves: [{ id: "content/0", text: "only" }] }] }],
    [functions[10], { parts: [{ kind: "reasoning", signed: false, leaves: [{}, {}] }] }],
    [
      tools[1],
      { parts: [{ tool: "shell", leaves: [{ id: "input/commands/0" }, { id: "input/commands/1" }] }] },
    ],
    [tools[2], { parts: [{ tool: "apply_patch", leaves: [{ id: "input/diff" }] }] }],
    [tools[3], { parts: [{ tool: "computer", leaves: [] }] }],
    [tools[4], { role: "tool", parts: [{ kind: "result", exitCode: 2 }] }],
    [tools[5], { parts: [{ status: "error" }] }],
    [tools[7], { parts: [{ kind: "call", server: true, leaves: [] }] }],
    [tools[10], { isItem: true, parts: [{ kind: "opaque", unit: true }] }],
    [compacted[1], { isCompaction: true, parts: [{ kind: "opaque", unit: true }] }],
  ])("%j", (item, expected) => expect(openAiAgents.decode(item)).toMatchObject(expected));

  it("items of one response are one step", () => {
    expect(requestEnds(decodeMessages(openAiAgents, functions))).toEqual([2, 10, 12]);
  });

  it("a large image counts as an image", () => {
    const data = "A".repeat(220_000);
    for (const image of [data, { data, mediaType: "image/png" }, `data:image/png;base64,${data}`]) {
      const [part] = decode(result("c1", { type: "image", image }));
      expect(part).toMatchObject({ media: [{ bytes: 165_000 }] });
      expect(part && countPart(part)).toBeLessThan(3_000);
    }
  });

  it("a result of one block keeps its shape", () => {
    expect(openAiAgents.rewrite(functions[9], changesOf([["item", "content/0", "cut"]]))).toMatchObject({
      output: { type: "text", text: "cut", ...extra },
    });
  });

  it.each<[string, readonly unknown[], string]>([
    ["its calls", [user(input("Go.")), call("c1")], "openai-agents"],
    ["its images", [user({ type: "input_image", image: "x" })], "openai-agents"],
    ["its reasoning", [user(input("Go.")), { type: "reasoning", content: [] }], "openai-agents"],
    ["one call among messages", [user(input("a")), said("b"), user(input("c")), call("c1")], "openai-agents"],
    ["messages alone can be of either", [user(input("Go.")), said("Done.")], "openai-responses"],
    [
      "calls of Responses",
      [user(input("Go.")), { type: "function_call", call_id: "c1" }],
      "openai-responses",
    ],
  ])("is known by %s", (_, items, expected) => expect(detectFormat(items)).toBe(expected));

  it("is pruned without naming the format", () => {
    const items = [
      { role: "user", content: "Go." },
      call("c1", '{"file_path":"/w/a.ts"}', { name: "read_file" }),
      result("c1", textOf(2_000), { name: "read_file" }),
      call("c2", '{"file_path":"/w/a.ts"}', { name: "read_file" }),
      result("c2", textOf(2_000, 2), { name: "read_file" }),
      said("Well."),
      { role: "user", content: "Again." },
    ];
    const { messages, report } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(items);
    expect(report.edits.length).toBeGreaterThan(0);
    expect(JSON.stringify(messages[2]).length).toBeLessThan(1_000);
  });
});
