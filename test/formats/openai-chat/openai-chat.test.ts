import { describe, expect, it } from "vitest";
import { openAiChat } from "../../../src/formats/openai-chat/openai-chat.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };

const call = (id: string, args: string, more: object = {}): object => ({
  id,
  type: "function",
  function: { name: "read", arguments: args, ...extra },
  ...more,
});

const plain = [
  { role: "system", content: "You help.", ...extra },
  { role: "user", content: "Hello." },
  { role: "assistant", content: "Hi.", refusal: null, function_call: null },
];

const calls = [
  call("c1", '{ "path": "a.ts",\n "id": 12345678901234567890, "edits": [{"old/~": "one", "new": "two"}] }'),
  call("c2", '{"cut off": "he', { index: 1 }),
  { id: "c3", type: "custom", custom: { name: "shell", input: "ls -la", ...extra } },
  call("c4", "", {}),
];

const tools = [
  { role: "developer", content: [{ type: "text", text: "Be brief.", ...extra }] },
  {
    role: "user",
    name: "ann",
    content: [
      { type: "text", text: "Look:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "file", file: { file_id: "file-1", filename: "a.pdf" } },
      { type: "x_future", payload: [1] },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: calls,
    ...extra,
  },
  { role: "tool", tool_call_id: "c2", content: "no such file", ...extra },
  {
    role: "tool",
    tool_call_id: "c1",
    content: [
      { type: "text", text: "first", ...extra },
      { type: "image_url", image_url: { url: "https://x.test/a.png" } },
      { type: "text", text: "second" },
    ],
  },
  { role: "tool", tool_call_id: "c3", content: [{ type: "text", text: "only" }] },
  { role: "tool", tool_call_id: "c4", content: "" },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Done." },
      { type: "refusal", refusal: "Not that." },
    ],
  },
];

const reasoning = [
  { role: "user", content: "Go." },
  {
    role: "assistant",
    content: "On it.",
    reasoning_content: "Hm.",
    tool_calls: [call("c1", '{"path":"a"}')],
  },
  { role: "tool", tool_call_id: "c1", content: "A" },
  {
    role: "assistant",
    content: "",
    reasoning: "Signed.",
    reasoning_details: [
      { type: "reasoning.text", text: "Signed.", signature: "abc" },
      { type: "reasoning.encrypted", data: "xyz" },
    ],
    tool_calls: [call("c2", '{"path":"b"}', { extra_content: { google: { thought_signature: "s" } } })],
  },
  { role: "tool", tool_call_id: "c2", content: "B" },
  {
    role: "assistant",
    content: "The end.",
    reasoning_details: [
      { type: "reasoning.summary", summary: "Short.", ...extra },
      { type: "reasoning.text", text: "Long." },
    ],
  },
];

const answered = (id: string): object[] => [
  { role: "assistant", content: null, tool_calls: [call(id, "{}")] },
  { role: "tool", tool_call_id: id, content: "ok" },
];

describeFormat(openAiChat, {
  good: { plain, tools, reasoning },
  broken: {
    "no message": { messages: ["hello"], code: "malformed-message" },
    "a call without result": { messages: answered("c1").slice(0, 1), code: "call-without-result" },
    "a result that comes too late": {
      messages: [answered("c1")[0], { role: "user", content: "?" }],
      code: "call-without-result",
    },
    "a result without call": { messages: answered("c1").slice(1), code: "result-without-call" },
    "a result of another call": {
      messages: [...answered("c1"), { role: "tool", tool_call_id: "c9", content: "" }],
      code: "result-without-call",
    },
    "two results": {
      messages: [...answered("c1"), { role: "tool", tool_call_id: "c1", content: "again" }],
      code: "repeated-call-id",
    },
    "a result before its call": {
      messages: [{ role: "tool", tool_call_id: "c1", content: "" }, ...answered("c1")],
      code: "result-before-call",
    },
    "an id used twice in one message": {
      messages: [
        { role: "assistant", content: null, tool_calls: [call("c1", "{}"), call("c1", "{}")] },
        ...answered("c1").slice(1),
      ],
      code: "repeated-call-id",
    },
    "an id used again": { messages: [...answered("c1"), ...answered("c1")], code: "repeated-call-id" },
    "an assistant without content": { messages: [{ role: "assistant", content: "" }], code: "empty-message" },
    "a user without content": { messages: [{ role: "user", content: [] }], code: "empty-message" },
    "a result without content": {
      messages: [answered("c1")[0], { role: "tool", tool_call_id: "c1" }],
      code: "empty-message",
    },
    "an empty block": {
      messages: [{ role: "user", content: [{ type: "text", text: "" }] }],
      code: "empty-block",
    },
    "reasoning missing where it is required": {
      messages: [...answered("c1"), { role: "assistant", content: "x", reasoning_content: "y" }],
      rule: "field",
      code: "reasoning-missing",
    },
  },
});

describe("openai-chat", () => {
  const decode = (message: unknown) => openAiChat.decode(message).parts;
  const parts = (message: unknown) => decode(message).map(({ kind, slot }) => `${kind} ${slot}`);

  it.each([
    [plain[0], ["text content"]],
    [tools[1], ["text 0", "file 1", "file 2", "file 3", "opaque 4"]],
    [tools[2], ["call tool_calls/0", "call tool_calls/1", "call tool_calls/2", "call tool_calls/3"]],
    [tools[4], ["result content"]],
    [reasoning[1], ["reasoning reasoning_content", "text content", "call tool_calls/0"]],
    [reasoning[3], ["reasoning signed reasoning", "text content", "call tool_calls/0"]],
    [
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      ["opaque function_call"],
    ],
    [{ role: "function", name: "f", content: "42" }, ["opaque "]],
    [{ role: "tool", content: "no id" }, ["opaque "]],
    [{ role: "assistant", refusal: "No.", audio: { id: "a" } }, ["text refusal", "opaque audio"]],
    [
      { role: "assistant", tool_calls: [{ id: "c", type: "x_new" }, 5] },
      ["opaque tool_calls/0", "opaque tool_calls/1"],
    ],
    [
      { role: "assistant", thinking_blocks: [{ thinking: "t", signature: "s" }] },
      ["reasoning signed reasoning"],
    ],
    [{ role: "user", content: { odd: true } }, ["opaque content"]],
    ["no message", ["opaque "]],
  ])("decodes %j", (message, expected) => expect(parts(message)).toEqual(expected));

  it("reads inputs", () => {
    const [json, broken, custom, none] = decode(tools[2]);
    expect(json).toMatchObject({
      callId: "c1",
      tool: "read",
      input: { path: "a.ts", edits: [{ "old/~": "one", new: "two" }] },
      leaves: [
        { id: "input/path", text: "a.ts" },
        { id: "input/edits/0/old~1~0", text: "one" },
        { id: "input/edits/0/new", text: "two" },
      ],
      opensStep: true,
    });
    expect(broken).toMatchObject({ input: undefined, leaves: [{ id: "input", text: '{"cut off": "he' }] });
    expect(custom).toMatchObject({
      tool: "shell",
      input: "ls -la",
      leaves: [{ id: "input", text: "ls -la" }],
    });
    expect(none).toMatchObject({ input: undefined, leaves: [{ id: "input", text: "" }] });
  });

  it("reads inputs that are objects already", () => {
    const message = {
      role: "assistant",
      tool_calls: [{ id: "c", function: { name: "f", arguments: { a: "b" } } }],
    };
    expect(decode(message)[0]).toMatchObject({ input: { a: "b" }, leaves: [{ id: "input/a", text: "b" }] });
    expect(openAiChat.rewrite(message, changesOf([["tool_calls/0", "input/a", "c"]]))).toEqual({
      role: "assistant",
      tool_calls: [{ id: "c", function: { name: "f", arguments: { a: "c" } } }],
    });
  });

  it("keeps the other bytes of the arguments", () => {
    const after = openAiChat.rewrite(tools[2], changesOf([["tool_calls/0", "input/edits/0/old~1~0", 'a"b']]));
    expect(after).toMatchObject({
      tool_calls: [
        {
          function: {
            arguments:
              '{ "path": "a.ts",\n "id": 12345678901234567890, "edits": [{"old/~": "a\\"b", "new": "two"}] }',
          },
        },
        ...calls.slice(1),
      ],
    });
  });

  it("reports signed parts", () => {
    const signed = [...decode(reasoning[1]), ...decode(reasoning[3]), ...decode(reasoning[5])].flatMap(
      (part) =>
        part.kind === "reasoning" || part.kind === "call" ? [[part.slot, part.signed === true]] : [],
    );
    expect(signed).toEqual([
      ["reasoning_content", false],
      ["tool_calls/0", false],
      ["signed reasoning", true],
      ["tool_calls/0", true],
      ["reasoning_details", false],
    ]);
  });

  it("describes files", () => {
    expect(decode(tools[1]).flatMap((part) => (part.kind === "file" ? [part.media] : []))).toEqual([
      { mime: "image/png", bytes: 3 },
      { mime: "audio/wav", bytes: 3 },
      { mime: "application/octet-stream", name: "a.pdf" },
    ]);
    expect(decode(tools[4])[0]).toMatchObject({ media: [{ mime: "image/*" }] });
  });

  it.each([
    ["text beside a call goes", reasoning[1], [["content", "text", ""]], [], { content: null }],
    ["text alone is a dash", plain[1], [["content", "text", ""]], [], { content: "—" }],
    ["a result keeps content", tools[3], [["content", "output", ""]], [], { content: "—" }],
    [
      "one block of a result goes",
      tools[4],
      [
        ["content", "content/0", ""],
        ["content", "content/2", ""],
      ],
      [],
      { content: [{ type: "image_url", image_url: { url: "https://x.test/a.png" } }] },
    ],
    [
      "the only block of a result stays",
      tools[5],
      [["content", "content/0", ""]],
      [],
      { content: [{ text: "—" }] },
    ],
    [
      "reasoning keeps its field",
      reasoning[1],
      [["reasoning_content", "text", ""]],
      [],
      { reasoning_content: "—" },
    ],
    [
      "input that is no JSON becomes none",
      tools[2],
      [["tool_calls/1", "input", ""]],
      [],
      { role: "assistant" },
    ],
    ["a call goes, its text stays", reasoning[1], [], ["tool_calls/0"], { content: "On it." }],
    ["a file becomes text", tools[1], [["1", "data", "[image]"]], [], { name: "ann" }],
  ] as const)("%s", (_, message, texts, dropped, expected) => {
    expect(openAiChat.rewrite(message, changesOf(texts, dropped))).toMatchObject(expected);
  });

  it("leaves no empty list of calls, and no message with only reasoning", () => {
    expect(openAiChat.rewrite(reasoning[1], changesOf([], ["tool_calls/0"]))).not.toHaveProperty(
      "tool_calls",
    );
    expect(openAiChat.rewrite(reasoning[3], changesOf([], ["tool_calls/0"]))).toBeUndefined();
  });

  it("drops signed reasoning with the texts that repeat it", () => {
    const after = openAiChat.rewrite(reasoning[3], changesOf([], ["signed reasoning"]));
    expect(after).toEqual({ role: "assistant", content: "", tool_calls: reasoning[3]?.tool_calls });
  });

  it("gives valid arguments for emptied ones", () => {
    const after = openAiChat.rewrite(tools[2], changesOf([["tool_calls/1", "input", ""]]));
    expect(decode(after)[1]).toMatchObject({ input: {} });
  });

  it("replaces a file with text, and nothing else", () => {
    const after = openAiChat.rewrite(tools[1], changesOf([["1", "data", "[image]"]]));
    const content = tools[1]?.content as unknown[];
    expect(after).toEqual({ ...tools[1], content: content.with(1, { type: "text", text: "[image]" }) });
  });

  it("requires a reasoning field only if there was one", () => {
    expect(openAiChat.validate(answered("c1"), "field")).toEqual([]);
    expect(openAiChat.validate(reasoning, "field")).toEqual([]);
  });
});
