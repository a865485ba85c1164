import { modelMessageSchema } from "ai";
import { describe, expect, it } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { aiSdk } from "../../../src/formats/ai-sdk/ai-sdk.ts";
import { countPart } from "../../../src/transcript/transcript.ts";
import { dropPlan } from "../../plans.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { providerOptions: { acme: { keep: true } } };
const text = (value: string, more: object = {}) => ({ type: "text", text: value, ...more });
const call = (id: string, input: unknown = { path: "a.ts" }, more: object = {}) => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "read",
  input,
  ...more,
});
const result = (id: string, output: unknown = { type: "text", value: "done" }, more: object = {}) => ({
  type: "tool-result",
  toolCallId: id,
  toolName: "read",
  output,
  ...more,
});
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const tool = (...content: unknown[]) => ({ role: "tool", content });
const item = (itemId: string, more: object = {}) => ({ providerOptions: { openai: { itemId, ...more } } });

const LONG = "a line that is long enough to be worth a cut";
const json = {
  status: "completed",
  count: 3,
  rows: [{ title: LONG, type: "page" }, { title: `${LONG}, and more` }],
};

const tools = [
  { role: "system", content: "You help.", ...extra },
  user(
    text("Look:", extra),
    { type: "image", image: "iVBORw0KGgo=", mediaType: "image/png" },
    { type: "image", image: "https://x.test/a.png" },
    {
      type: "file",
      data: "data:application/pdf;base64,AAAA",
      mediaType: "application/pdf",
      filename: "a.pdf",
    },
  ),
  assistant(
    text("On it.", extra),
    call("c1", { path: "a.ts", edits: [{ "old/~": "one" }] }, extra),
    call("c2", {}),
  ),
  tool(
    result("c2", { type: "error-text", value: "no such file" }, extra),
    result("c1", {
      type: "content",
      value: [text("first", extra), { type: "media", data: "AAAA", mediaType: "image/png" }, text("second")],
    }),
  ),
  { role: "assistant", content: "Done." },
  { role: "user", content: "More." },
  assistant(call("c3"), call("c4"), call("c5"), call("c6", "raw")),
  tool(result("c3", { type: "json", value: json }), result("c4", { type: "error-json", value: null })),
  tool(result("c5", { type: "json", value: LONG }), result("c6", { type: "text", value: "" })),
];

const reasoning = [
  { role: "user", content: "Go." },
  assistant(
    { type: "reasoning", text: "Signed.", providerOptions: { anthropic: { signature: "s" } } },
    text("So:"),
    { type: "reasoning", text: "In the open." },
    call("c1", { path: "a.ts" }, { providerOptions: { google: { thoughtSignature: "t" } } }),
  ),
  tool(result("c1")),
  assistant(
    call("s1", { query: "news" }, { providerExecuted: true }),
    result("s1", { type: "json", value: { results: [LONG] } }),
    text("Found."),
  ),
];

const approvals = [
  { role: "user", content: "Delete it." },
  assistant(call("c1"), { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" }),
  tool({ type: "tool-approval-response", approvalId: "a1", approved: false, reason: "no" }),
  tool(result("c1", { type: "execution-denied", reason: "no" })),
];

/** What a language model gets (a middleware's `params.prompt`): content in lists, but for the system's. */
const promptV2 = [
  {
    role: "system",
    content: "You help.",
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  },
  user(text("Look:"), { type: "file", data: "iVBORw0KGgo=", mediaType: "image/png", filename: "a.png" }),
  assistant(text("On it."), call("c1")),
  tool(
    result("c1", {
      type: "content",
      value: [text("first"), { type: "media", data: "AAAA", mediaType: "image/png" }],
    }),
  ),
];
const promptV3 = [
  user(text("Look:"), { type: "file", data: "https://x.test/a.png", mediaType: "image/*", originalUrl: "u" }),
  assistant(
    { type: "reasoning", text: "", providerOptions: { openai: { reasoningEncryptedContent: "e" } } },
    call("c1"),
    call("c2"),
  ),
  tool(
    result("c1", {
      type: "content",
      value: [
        text("first"),
        { type: "file-data", data: "AAAA", mediaType: "application/pdf", filename: "a.pdf" },
        { type: "image-url", url: "https://x.test/a.png" },
        { type: "image-file-id", fileId: { openai: "file-1" } },
        { type: "custom", ...extra },
      ],
    }),
    result("c2", { type: "execution-denied", reason: "no" }),
    { type: "tool-approval-response", approvalId: "a1", approved: true },
  ),
];
const data = (value: object) => ({ type: "file", data: value, mediaType: "image/png", filename: "a.png" });
const promptV4 = [
  user(
    text("Look:"),
    data({ type: "data", data: "iVBORw0KGgo=" }),
    data({ type: "url", url: "https://x.test/a.png" }),
    data({ type: "reference", reference: { openai: "file-1" } }),
    { type: "file", data: { type: "text", text: "words" }, mediaType: "text/plain" },
  ),
  assistant(
    { type: "reasoning", text: "Signed.", providerOptions: { anthropic: { signature: "s" } } },
    { type: "reasoning-file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" },
    { type: "custom", kind: "acme.note", ...extra },
    call("c1"),
  ),
  tool(result("c1", { type: "content", value: [text("first"), data({ type: "data", data: "AAAA" })] })),
];

describeFormat(aiSdk, {
  good: { tools, reasoning, approvals, "prompt V2": promptV2, "prompt V3": promptV3, "prompt V4": promptV4 },
  broken: {
    "no message": { messages: ["hello"], code: "malformed-message" },
    "an unknown role": { messages: [{ role: "developer", content: "x" }], code: "malformed-message" },
    "no content": { messages: [{ role: "user" }], code: "malformed-message" },
    "a result of version 4": {
      messages: [assistant(call("c1")), tool({ ...result("c1"), output: undefined, result: "x" })],
      code: "malformed-message",
    },
    "a call without result": { messages: [assistant(call("c1"))], code: "call-without-result" },
    "a result that comes too late": {
      messages: [assistant(call("c1")), user(text("?"))],
      code: "call-without-result",
    },
    "a result without call": { messages: [tool(result("c1"))], code: "result-without-call" },
    "a result before its call": {
      messages: [tool(result("c1")), assistant(call("c1")), tool(result("c1"))],
      code: "result-before-call",
    },
    "two results": {
      messages: [assistant(call("c1")), tool(result("c1")), tool(result("c1"))],
      code: "repeated-call-id",
    },
    "an id used twice in one message": {
      messages: [assistant(call("c1"), call("c1")), tool(result("c1"))],
      code: "repeated-call-id",
    },
    "an id used again": {
      messages: [assistant(call("c1")), tool(result("c1")), assistant(call("c1")), tool(result("c1"))],
      code: "repeated-call-id",
    },
    "a message without content": { messages: [user()], code: "empty-message" },
    "an empty text": { messages: [user(text(""))], code: "empty-block" },
    "reasoning at the end": {
      messages: [assistant(text("x"), { type: "reasoning", text: "y" })],
      code: "reasoning-order",
    },
    "reasoning missing where it is required": {
      messages: [
        assistant(call("c1")),
        tool(result("c1")),
        assistant({ type: "reasoning", text: "hm" }, text("x")),
      ],
      rule: "field",
      code: "reasoning-missing",
    },
  },
});

it.each([...tools, ...reasoning])("a sample is valid for the AI SDK: %j", (message) => {
  expect(modelMessageSchema.safeParse(message).success).toBe(true);
});

describe("ai-sdk", () => {
  const decode = (message: unknown) => aiSdk.decode(message).parts;

  it.each<[string, unknown, number]>([
    ["base64", "A".repeat(220_000), 165_000],
    ["bytes", new Uint8Array(165_000), 165_000],
    ["V4: base64", { type: "data", data: "A".repeat(220_000) }, 165_000],
    ["V4: bytes", { type: "data", data: new Uint8Array(165_000) }, 165_000],
  ])("a large image counts as an image: %s", (_, data, bytes) => {
    const image = { type: "file", data, mediaType: "image/png" };
    const [asked] = decode(user(image));
    expect(asked).toMatchObject({ kind: "file", media: { mime: "image/png", bytes } });
    const [answered] = decode(tool(result("c1", { type: "content", value: [image] })));
    expect(answered).toMatchObject({ kind: "result", media: [{ mime: "image/png", bytes }] });
    for (const part of [asked, answered]) expect(part && countPart(part)).toBeLessThan(3_000);
  });

  it.each<[string, unknown, object]>([
    [
      "a url",
      { type: "url", url: new URL("https://x.test/a.png") },
      { leaves: [{ text: "https://x.test/a.png" }] },
    ],
    ["a text", { type: "text", text: "words" }, { leaves: [{ text: "words" }], media: { bytes: 5 } }],
    ["what the provider has stored", { type: "reference", reference: {} }, { leaves: [] }],
  ])("V4: %s", (_, data, expected) => {
    const file = { type: "file", data, mediaType: "text/plain" };
    expect(decode(user(file))[0]).toMatchObject({ kind: "file", ...expected });
  });

  it("data in data is not known", () => {
    const endless: Record<string, unknown> = { type: "data" };
    endless.data = endless;
    expect(decode(user({ type: "file", data: endless, mediaType: "a/b" }))[0]).toMatchObject({
      kind: "opaque",
    });
  });

  it.each([
    [tools[1], ["text 0", "file 1", "file 2", "file 3"]],
    [tools[3], ["result 0", "result 1"]],
    [reasoning[1], ["reasoning 0", "text 1", "reasoning 2", "call 3"]],
    [reasoning[3], ["call 0", "opaque 1", "text 2"]],
    [approvals[1], ["call 0", "opaque 1"]],
    [{ role: "user", content: { odd: true } }, ["opaque "]],
  ])("decodes %j", (message, expected) =>
    expect(decode(message).map(({ kind, slot }) => `${kind} ${slot}`)).toEqual(expected),
  );

  it("describes files, also those that are bytes or a URL object", () => {
    const files = user(
      { type: "image", image: new Uint8Array(5) },
      { type: "file", data: new ArrayBuffer(7), mediaType: "application/pdf", filename: "a.pdf" },
      { type: "image", image: new URL("https://x.test/a.png") },
      { type: "file", data: { type: "future" }, mediaType: "a/b" },
    );
    expect(
      decode(files).map((part) => (part.kind === "file" ? [part.media, part.leaves] : part.kind)),
    ).toEqual([
      [{ mime: "image/*", bytes: 5 }, []],
      [{ mime: "application/pdf", name: "a.pdf", bytes: 7 }, []],
      [{ mime: "image/*" }, [{ id: "data", text: "https://x.test/a.png" }]],
      "opaque",
    ]);
    expect(decode(tools[1]).flatMap((part) => (part.kind === "file" ? [part.media] : []))).toEqual([
      { mime: "image/png", bytes: 8 },
      { mime: "image/*" },
      { mime: "application/pdf", name: "a.pdf", bytes: 3 },
    ]);
  });

  it("reads outputs: in JSON, strings that name nothing may change, and all of it counts", () => {
    const [part] = decode(tools[7]);
    expect(part).toMatchObject({
      status: "ok",
      value: json,
      leaves: [{ id: "output/rows/0/title" }, { id: "output/rows/1/title" }],
    });
    const numbers = decode(
      tool(result("c", { type: "json", value: Array.from({ length: 500 }, (_, i) => i) })),
    );
    expect(numbers.map(countPart)[0]).toBeGreaterThan(500);
    const statuses = tools.flatMap(decode).flatMap((each) => (each.kind === "result" ? [each.status] : []));
    expect(statuses).toEqual(["error", "ok", "ok", "error", "ok", "ok"]);
    expect(decode(approvals[3])[0]).toMatchObject({ status: "error", leaves: [] });
  });

  it("a cache mark of any provider stays", () => {
    for (const mark of [
      { anthropic: { cacheControl: { type: "ephemeral" } } },
      { bedrock: { cachePoint: { type: "default" } } },
    ]) {
      const marked = user(text("a", { providerOptions: mark }), text("b"));
      expect(aiSdk.rewrite(marked, changesOf([["0", "text", ""]]))).toEqual(
        user(text("—", { providerOptions: mark }), text("b")),
      );
      const image = user({ type: "image", image: "AAAA", providerOptions: mark });
      expect(aiSdk.rewrite(image, changesOf([["0", "data", "[image]"]]))).toEqual(
        user(text("[image]", { providerOptions: mark })),
      );
    }
  });
});

describe("parts that OpenAI has stored under an id", () => {
  const thought = { type: "reasoning", text: "hm", ...item("rs_1", { reasoningEncryptedContent: "x" }) };
  const message = assistant(
    thought,
    text("On it.", item("msg_1", { phase: "commentary" })),
    call("c1", { path: "a.ts" }, { providerMetadata: { openai: { itemId: "fc_1" } } }),
  );
  const kept: readonly object[] = [
    { ...thought, providerOptions: { openai: { reasoningEncryptedContent: "x" } } },
    text("On it.", { providerOptions: { openai: { phase: "commentary" } } }),
    call("c1", { path: "a.ts" }, { providerMetadata: { openai: {} } }),
  ];

  it.each([
    ["an edited text", changesOf([["1", "text", "So."]]), kept.with(1, { ...kept[1], text: "So." })],
    [
      "an edited input",
      changesOf([["2", "input/path", "b"]]),
      kept.with(2, { ...kept[2], input: { path: "b" } }),
    ],
    ["reasoning that leaves", changesOf([], ["0"]), kept.slice(1)],
    ["a group that leaves", changesOf([], ["0", "2"]), [kept[1]]],
  ])("%s: all of the message is sent in full", (_, changes, content) => {
    expect(aiSdk.rewrite(message, changes)).toEqual(assistant(...content));
  });

  it("reasoning is removed when nothing follows it any more", () => {
    expect(aiSdk.rewrite(assistant(thought, call("c1")), changesOf([], ["1"]))).toBeUndefined();
  });

  it("stay when only the results changed", () => {
    const results = tool(result("c1", undefined, item("fco_1")));
    expect(aiSdk.rewrite(results, changesOf([["0", "output", "[cut]"]]))).toEqual(
      tool(result("c1", { type: "text", value: "[cut]" }, item("fco_1"))),
    );
  });

  it("reasoning known by an id is not rewritten", () => {
    expect(aiSdk.decode(message).parts[0]).toMatchObject({ kind: "reasoning", signed: true });
    expect(aiSdk.rewrite(message, changesOf([["0", "text", "ha"]]))).toBe(message);
  });
});

it("a call that waits for permission, or was refused, is not dropped without its request", () => {
  const bench = new MessageBench([...approvals, { role: "user", content: "Next." }], { format: "ai-sdk" });
  const cut = bench.cut(dropPlan(1));
  expect(cut).toMatchObject({ ok: false, issue: { message: expect.stringContaining("unknown") } });
});
