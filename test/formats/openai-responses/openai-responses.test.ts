import { describe, expect, it } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { decodeMessages } from "../../../src/formats/intake/decode.ts";
import { requestEnds } from "../../../src/formats/intake/request-ends.ts";
import {
  isHistoryOnServer,
  openAiResponses,
} from "../../../src/formats/openai-responses/openai-responses.ts";
import { dropPlan } from "../../plans.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };
const input = (text: string, more: object = {}) => ({ type: "input_text", text, ...more });
const user = (...content: unknown[]) => ({ type: "message", role: "user", content });
const reasoning = (id: string) => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text: `Thought ${id}.`, ...extra }],
  encrypted_content: "gAAAA",
});
const said = (text: string, more: object = {}) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [], ...extra }],
  ...more,
});
const call = (id: string, args = '{"path":"a.ts"}', more: object = {}) => ({
  type: "function_call",
  call_id: id,
  name: "read",
  arguments: args,
  ...more,
});
const output = (id: string, value: unknown = "done") => ({
  type: "function_call_output",
  call_id: id,
  output: value,
});

const plain = [
  { type: "message", role: "developer", content: "Be brief.", ...extra },
  user(
    input("Look:", extra),
    { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" },
    { type: "input_file", file_id: "file-1", filename: "a.pdf" },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
    { type: "x_future", payload: [1] },
  ),
  { role: "assistant", content: "Hi." },
  said("Done."),
  { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "Not that." }] },
];

const tools = [
  user(input("Go.")),
  reasoning("rs_1"),
  said("On it.", { id: "msg_1" }),
  call("c1", '{ "path": "a.ts",\n "id": 12345678901234567890, "edits": [{"old/~": "one"}] }', { id: "fc_1" }),
  call("c2", '{"cut off": "he', extra),
  { type: "custom_tool_call", call_id: "c3", name: "apply_patch", input: "*** Begin Patch", ...extra },
  output("c2", "no such file"),
  output("c1", [
    input("first", extra),
    { type: "input_image", image_url: "https://x.test/a.png" },
    input("second"),
  ]),
  { type: "custom_tool_call_output", call_id: "c3", output: "patched" },
  { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "In the open." }] },
  {
    type: "local_shell_call",
    id: "lsh_1",
    call_id: "c4",
    status: "completed",
    action: { type: "exec", command: ["ls", "-la"], env: { HOME: "/root" } },
  },
  {
    type: "shell_call",
    call_id: "c5",
    action: { commands: ["npm test", "npm run lint"], timeout_ms: 1 },
  },
  {
    type: "apply_patch_call",
    call_id: "c6",
    status: "completed",
    operation: { type: "update_file", path: "a.ts", diff: "-a\n+b" },
  },
  {
    type: "computer_call",
    id: "cu_1",
    call_id: "c7",
    action: { type: "type", text: "hello" },
    status: "completed",
  },
  { type: "local_shell_call_output", id: "c4", output: '{"output":"total 0"}' },
  {
    type: "shell_call_output",
    call_id: "c5",
    output: [
      { stdout: "ok", stderr: "", outcome: { type: "exit", exit_code: 0 } },
      { stdout: "", stderr: "bad", outcome: { type: "exit", exit_code: 2 } },
    ],
  },
  { type: "apply_patch_call_output", call_id: "c6", status: "failed", output: "does not apply" },
  {
    type: "computer_call_output",
    call_id: "c7",
    output: { type: "computer_screenshot", image_url: "https://x.test/s.png" },
  },
];

const server = [
  user(input("What is new?")),
  reasoning("rs_2"),
  { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "news" } },
  { type: "mcp_call", id: "mcp_1", name: "roll", server_label: "dice", arguments: "{}", output: "6" },
  { type: "tool_search_call", id: "ts_1", arguments: {}, execution: "server" },
  { type: "tool_search_output", id: "tso_1", tools: [], execution: "server" },
  said("This.", { id: "msg_2" }),
  { type: "item_reference", id: "rs_3" },
  { id: "fc_9" },
  output("c9"),
  { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
];

/** As the newest Codex sends it: its tools as an item, its own compaction, and JavaScript that calls tools. */
const codex = [
  { type: "additional_tools", role: "developer", tools: [{ type: "custom", name: "exec" }] },
  { type: "compaction", encrypted_content: "gAAAA", id: "cmp_1" },
  user(input("Go on.")),
  { type: "reasoning", summary: [], encrypted_content: "gAAAA" },
  {
    type: "custom_tool_call",
    call_id: "c1",
    name: "exec",
    input: "text(await tools.exec_command({cmd: 'ls'}))",
  },
  { type: "custom_tool_call_output", call_id: "c1", output: [input("a b"), input("c")] },
  { type: "compaction_trigger" },
];

describeFormat(openAiResponses, {
  good: { plain, tools, server, codex },
  broken: {
    "no item": { messages: ["hello"], code: "malformed-message" },
    "neither type nor role": { messages: [{ content: "?" }], code: "malformed-message" },
    "a call without output": { messages: [call("c1")], code: "call-without-result" },
    "an output without call": { messages: [output("c1")], code: "result-without-call" },
    "an output before its call": {
      messages: [output("c1"), call("c1"), output("c1")],
      code: "result-before-call",
    },
    "two outputs": { messages: [call("c1"), output("c1"), output("c1")], code: "repeated-call-id" },
    "two open calls of one id": {
      messages: [call("c1"), call("c1"), output("c1")],
      code: "repeated-call-id",
    },
    "an id used again": {
      messages: [call("c1"), output("c1"), call("c1"), output("c1")],
      code: "repeated-call-id",
    },
    "reasoning at the end": { messages: [user(input("Go.")), reasoning("rs_1")], code: "reasoning-order" },
    "reasoning whose call has left": {
      messages: [reasoning("rs_1"), user(input("Go."))],
      code: "reasoning-order",
    },
    "a message without content": { messages: [user()], code: "empty-message" },
    "an output without content": { messages: [call("c1"), output("c1", [])], code: "empty-message" },
    "an empty block": { messages: [user(input(""))], code: "empty-block" },
  },
});

describe("openai-responses", () => {
  const decode = (item: unknown) => openAiResponses.decode(item).parts;

  it.each<[unknown, object]>([
    [codex[0], { role: "developer", parts: [{ kind: "opaque" }] }],
    [codex[1], { role: "assistant", isCompaction: true, parts: [{ kind: "opaque", unit: true }] }],
    [codex[3], { role: "assistant", isItem: true, parts: [{ kind: "reasoning", signed: true }] }],
    [codex[4], { isItem: true, parts: [{ kind: "call", tool: "exec", leaves: [{ id: "input" }] }] }],
    [codex[5], { role: "tool", parts: [{ kind: "result", callId: "c1", leaves: [{}, {}] }] }],
    [codex[6], { role: "custom", parts: [{ kind: "opaque" }] }],
  ])("of the newest Codex: %j", (item, expected) =>
    expect(openAiResponses.decode(item)).toMatchObject(expected),
  );

  it("a compaction is not a response: the item after it is the first request", () => {
    expect(openAiResponses.decode(codex[1]).parts[0]).not.toHaveProperty("opensStep");
    expect(requestEnds(decodeMessages(openAiResponses, codex))).toEqual([3, 7]);
  });

  it.each([
    [plain[1], ["text 0", "file 1", "file 2", "file 3", "opaque 4"]],
    [plain[2], ["text content"]],
    [tools[1], ["reasoning item"]],
    [tools[3], ["call item"]],
    [tools[6], ["result item"]],
    [server[2], ["call item"]],
    [server[7], ["opaque "]],
    [{ type: "function_call", name: "no id" }, ["opaque "]],
    ["no item", ["opaque "]],
  ])("decodes %j", (item, expected) =>
    expect(decode(item).map(({ kind, slot }) => `${kind} ${slot}`)).toEqual(expected),
  );

  it.each([
    [3, { tool: "read", callId: "c1", input: { path: "a.ts", edits: [{ "old/~": "one" }] } }],
    [5, { tool: "apply_patch", callId: "c3", input: "*** Begin Patch" }],
    [10, { tool: "local_shell", leaves: [{ text: "ls" }, { text: "-la" }] }],
    [11, { tool: "shell", leaves: [{ text: "npm test" }, { text: "npm run lint" }] }],
    [12, { tool: "apply_patch", leaves: [{ text: "-a\n+b" }] }],
    [13, { tool: "computer", leaves: [] }],
  ])("reads the call at %i, and in the API's own tools only free text may change", (index, expected) => {
    expect(decode(tools[index])[0]).toMatchObject(expected);
  });

  it("puts the namespace before a tool's name", () => {
    for (const namespace of ["mcp__git__", "mcp__git_", "mcp__git"])
      expect(decode(call("c", "{}", { namespace }))[0]).toMatchObject({ tool: "mcp__git__read" });
    expect(decode(call("c", "{}", { namespace: "functions" }))[0]).toMatchObject({ tool: "read" });
  });

  it.each([
    [14, { callId: "c4", status: "ok" }],
    [15, { exitCode: 2, leaves: [{ text: "ok" }, { text: "" }, { text: "" }, { text: "bad" }] }],
    [16, { status: "error" }],
    [17, { media: [{ mime: "image/*" }], leaves: [] }],
  ])("reads the output at %i", (index, expected) => expect(decode(tools[index])[0]).toMatchObject(expected));

  it("knows reasoning that is encrypted or known by id from reasoning in the open", () => {
    expect(decode(reasoning("rs"))[0]).toMatchObject({ signed: true, unit: true });
    expect(decode({ type: "reasoning", id: "rs", summary: [] })[0]).toMatchObject({ signed: true });
    expect(decode(tools[9])[0]).toMatchObject({ signed: false, unit: true });
  });

  it("keeps the id of an edited item: reasoning needs the item with that id", () => {
    const after = openAiResponses.rewrite(tools[3], changesOf([["item", "input/path", "b.ts"]]));
    expect(after).toMatchObject({
      id: "fc_1",
      arguments: '{ "path": "b.ts",\n "id": 12345678901234567890, "edits": [{"old/~": "one"}] }',
    });
  });

  it("replaces a file with input text, keeping its cache mark", () => {
    const mark = { prompt_cache_breakpoint: { mode: "explicit" } };
    const message = user({ type: "input_image", image_url: "https://x.test/a.png", ...mark });
    expect(openAiResponses.rewrite(message, changesOf([["0", "data", "[image]"]]))).toEqual(
      user(input("[image]", mark)),
    );
    const marked = user(input("a", mark), input("b"));
    expect(openAiResponses.rewrite(marked, changesOf([["0", "text", ""]]))).toEqual(
      user(input("—", mark), input("b")),
    );
  });
});

describe("a response of several items", () => {
  it("opens one step, and its request ends before its first item", () => {
    const decoded = decodeMessages(openAiResponses, tools);
    const opening = decoded.flatMap(({ parts }, i) => (parts[0]?.opensStep ? [i] : []));
    expect(opening).toEqual([1, 9]);
    expect(requestEnds(decoded)).toEqual([1, 9, tools.length]);
  });

  it("is one step too if the provider's own tools answer in between", () => {
    const opening = decodeMessages(openAiResponses, server).flatMap(({ parts }, i) =>
      parts[0]?.opensStep ? [i] : [],
    );
    expect(opening).toEqual([1]);
  });
});

describe("the unit of reasoning and the next items", () => {
  const drop = (items: readonly unknown[], part: number) => {
    const bench = new MessageBench([...items, user(input("Next."))], { format: "openai-responses" });
    const cut = bench.cut(dropPlan(part));
    return cut.ok ? bench.rewrite().messages : cut.issue.message;
  };
  const start = user(input("Go."));
  const unit = [
    reasoning("rs_1"),
    said("On it.", { id: "msg_1" }),
    call("c1"),
    output("c1", "long ".repeat(50)),
  ];

  it("is dropped as a whole: a message with an id needs its reasoning", () => {
    expect(drop([start, ...unit], 3)).toEqual([start, user(input("Next."))]);
  });
  it("leaves a message without an id behind", () => {
    const loose = said("On it.");
    expect(drop([start, ...unit.with(1, loose)], 3)).toEqual([start, loose, user(input("Next."))]);
  });
  it("leaves messages where there was no reasoning", () => {
    expect(drop([start, ...unit.slice(1)], 2)).toEqual([start, unit[1], user(input("Next."))]);
  });
  it("keeps reasoning while its calls stay", () => {
    expect(drop([start, ...unit], 1)).toContain("the provider requires it together with the part after it");
  });
  it("drops a text only together with its reasoning", () => {
    const answer = [reasoning("rs_1"), said("No id here.")];
    expect(drop([start, ...answer], 2)).toEqual([start, user(input("Next."))]);
  });
  it("stays if something unknown, or only referred to, belongs to it", () => {
    for (const unknown of [{ type: "item_reference", id: "rs_1" }, { type: "hologram" }])
      expect(drop([start, unknown, call("c1"), output("c1", "long ".repeat(50))], 2)).toContain("unknown");
  });
});

it("recognises requests whose history is on the server", () => {
  expect(isHistoryOnServer({ input: [], previous_response_id: "resp_1" })).toBe(true);
  expect(isHistoryOnServer({ input: [], conversation: { id: "conv_1" } })).toBe(true);
  expect(isHistoryOnServer({ input: [], previous_response_id: null, store: true })).toBe(false);
  expect(isHistoryOnServer("?")).toBe(false);
});
