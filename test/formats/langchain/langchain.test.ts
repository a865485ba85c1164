import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { detectFormat } from "../../../src/formats/detect.ts";
import { langChain } from "../../../src/formats/langchain/langchain.ts";
import { countPart } from "../../../src/transcript/transcript.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };
const call = (id: string, args: Record<string, unknown> = { path: "a.ts" }) => ({
  type: "tool_call" as const,
  id,
  name: "read",
  args,
});
const result = (id: string, content: ToolMessage["content"] = "done") =>
  new ToolMessage({ tool_call_id: id, content });
const png = "iVBORw0KGgo=";

const plain = [
  new SystemMessage("You help."),
  new HumanMessage({
    content: [
      { type: "text", text: "Look:", ...extra },
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
      { type: "image", source_type: "base64", data: png, mime_type: "image/png" },
      { type: "file", data: png, mimeType: "application/pdf", metadata: { filename: "a.pdf" } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "x_future", payload: [1] },
    ],
  }),
  Object.assign(
    new AIMessage({
      content: "On it.",
      tool_calls: [call("c1", { path: "a.ts", edits: [{ "old/~": "one" }] }), call("c2", {})],
      response_metadata: { model_name: "claude-x", ...extra },
      id: "run-1",
    }),
    {
      usage_metadata: {
        input_tokens: 100,
        output_tokens: 7,
        total_tokens: 107,
        input_token_details: { cache_read: 60, cache_creation: 30 },
      },
    },
  ),
  result("c1", [
    { type: "text", text: "first" },
    { type: "image_url", image_url: `data:image/png;base64,${png}` },
    { type: "text", text: "second" },
  ]),
  new ToolMessage({ tool_call_id: "c2", content: "no such file", status: "error", artifact: { rows: [1] } }),
  new AIMessage({ content: "", tool_calls: [call("c3")], additional_kwargs: { reasoning_content: "Hm." } }),
  result("c3"),
  new ChatMessage({ role: "developer", content: "Be brief." }),
  new AIMessage("Done."),
];

const thinking = [
  new HumanMessage("Go."),
  new AIMessage({
    content: [
      { type: "thinking", thinking: "Signed.", signature: "s" },
      { type: "redacted_thinking", data: "d" },
      { type: "thinking", thinking: "In the open." },
      { type: "reasoning", reasoning: "By the standard." },
      { type: "text", text: "So:" },
    ],
  }),
];

/** Without symbols and prototypes: the properties that every format's suite can copy. */
const copies = (messages: readonly unknown[]): readonly unknown[] => structuredClone(messages) as unknown[];

describeFormat(langChain, {
  good: { plain: copies(plain), thinking: copies(thinking) },
  broken: {
    "no message": { messages: ["hello"], code: "malformed-message" },
    "no content": { messages: [{ type: "human", content: null }], code: "malformed-message" },
    "a call without result": {
      messages: [new AIMessage({ content: "", tool_calls: [call("c1")] })],
      code: "call-without-result",
    },
    "a result without call": { messages: [result("c1")], code: "result-without-call" },
    "two results": {
      messages: [new AIMessage({ content: "", tool_calls: [call("c1")] }), result("c1"), result("c1")],
      code: "repeated-call-id",
    },
    "an empty message": { messages: [new HumanMessage("")], code: "empty-message" },
    "an empty text": {
      messages: [new HumanMessage({ content: [{ type: "text", text: "" }] })],
      code: "empty-block",
    },
    "reasoning at the end": {
      messages: [new AIMessage({ content: [{ type: "thinking", thinking: "Hm." }] })],
      code: "reasoning-order",
    },
    "reasoning missing where it is required": {
      messages: [
        new AIMessage({ content: "x", additional_kwargs: { reasoning_content: "Hm." } }),
        new AIMessage({ content: "", tool_calls: [call("c1")] }),
        result("c1"),
      ],
      rule: "field",
      code: "reasoning-missing",
    },
  },
});

describe("langchain", () => {
  const outline = (message: unknown): readonly string[] =>
    langChain.decode(message).parts.map((part) => `${part.kind} ${part.slot}`);

  it.each<[string, unknown, string, readonly string[]]>([
    ["a person", plain[1], "user", ["text 0", "file 1", "file 2", "file 3", "file 4", "opaque 5"]],
    ["a response", plain[2], "assistant", ["text content", "call tool_calls/0", "call tool_calls/1"]],
    ["a response of calls", plain[5], "assistant", ["reasoning reasoning_content", "call tool_calls/0"]],
    ["a result", plain[4], "tool", ["result content"]],
    ["another role", plain[7], "developer", ["text content"]],
    ["a chunk", new AIMessageChunk({ content: "Hi." }), "assistant", ["text content"]],
    ["what is removed", new RemoveMessage({ id: "x" }), "custom", ["marker "]],
    ["an empty response", new AIMessage(""), "assistant", ["text content"]],
  ])("%s", (_, message, role, expected) => {
    expect(langChain.decode(message).role).toBe(role);
    expect(outline(message)).toEqual(expected);
    expect(detectFormat([message])).toBe("langchain");
  });

  it("knows usage and model, with cached input apart", () => {
    expect(langChain.decode(plain[2])).toMatchObject({
      id: "run-1",
      model: "claude-x",
      usage: { input: 10, cacheRead: 60, cacheWrite: 30, output: 7 },
    });
    expect(langChain.decode(plain[4]).parts[0]).toMatchObject({ status: "error", callId: "c2" });
  });

  it("a large image counts as an image, in any spelling", () => {
    const data = "A".repeat(220_000);
    const blocks = [
      { type: "image", data, mimeType: "image/png" },
      { type: "image", data: new Uint8Array(165_000), mimeType: "image/png" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
    ];
    for (const part of langChain.decode(new HumanMessage({ content: blocks })).parts) {
      expect(part).toMatchObject({ kind: "file", media: { mime: "image/png", bytes: 165_000 } });
      expect(countPart(part)).toBeLessThan(3_000);
    }
  });

  describe("a changed message", () => {
    const cut = changesOf([["tool_calls/0", "input/path", "cut"]]);
    const block = { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } };
    const message = new AIMessage({
      content: [{ type: "text", text: "So:" }, block, { ...call("c2"), type: "tool_call" }],
      tool_calls: [call("c1"), call("c2")],
      additional_kwargs: {
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path": "a.ts"}' } },
          { id: "c2", type: "function", function: { name: "read", arguments: "{}" } },
        ],
      },
      response_metadata: { output: [{ type: "function_call" }], model_name: "m" },
      id: "msg_1",
    });

    it("has the same class, and the original stays unchanged", () => {
      const before = JSON.stringify(message);
      const after = langChain.rewrite(message, cut) as AIMessage;
      expect(Object.getPrototypeOf(after)).toBe(AIMessage.prototype);
      expect(AIMessage.isInstance(after)).toBe(true);
      expect(after.getType()).toBe("ai");
      expect([after.id, after.tool_calls?.[1]]).toEqual(["msg_1", message.tool_calls?.[1]]);
      expect(JSON.stringify(message)).toBe(before);
    });

    it("changes all copies of the same text", () => {
      const after = langChain.rewrite(message, cut) as AIMessage;
      expect(after.tool_calls?.[0]?.args).toEqual({ path: "cut" });
      expect(after.content[1]).toEqual({ ...block, input: { path: "cut" } });
      expect(after.additional_kwargs.tool_calls?.[0]?.function.arguments).toBe('{"path": "cut"}');
      expect(JSON.stringify(after)).not.toContain('a.ts\\"');
      const again = langChain.rewrite(
        message,
        changesOf([["tool_calls/1", "input/path", "cut"]]),
      ) as AIMessage;
      expect(again.content[2]).toMatchObject({ args: { path: "cut" } });
    });

    it.each([
      ["a call", cut],
      ["a text", changesOf([["0", "text", "cut"]])],
      ["what is dropped", changesOf([], ["tool_calls/1"])],
    ])("has no raw output, which would be sent instead: %s", (_, changes) => {
      const { response_metadata } = langChain.rewrite(message, changes) as AIMessage;
      expect(response_metadata).toEqual({ model_name: "m" });
    });

    it("has its new input in the raw output too, next to the other items", () => {
      const reasoning = { type: "reasoning", id: "rs_1", encrypted_content: "x" };
      const raw = (id: string, text: string) => ({ type: "function_call", call_id: id, arguments: text });
      const output = [reasoning, raw("c1", '{"path": "a.ts"}'), reasoning, raw("c2", '{"path": "a.ts"}')];
      const given = new AIMessage({
        content: "",
        tool_calls: [call("c1"), call("c2")],
        response_metadata: { output },
      });
      const after = langChain.rewrite(given, cut) as AIMessage;
      expect(after.response_metadata).toEqual({
        output: [reasoning, raw("c1", '{"path": "cut"}'), reasoning, output[3]],
      });
      expect(given.response_metadata.output).toBe(output);
    });

    it("loses a call everywhere", () => {
      const after = langChain.rewrite(message, changesOf([], ["tool_calls/0"])) as AIMessage;
      expect(JSON.stringify(after)).not.toContain('"c1"');
      expect(after.tool_calls).toHaveLength(1);
      const none = langChain.rewrite(message, changesOf([], ["tool_calls/0", "tool_calls/1"])) as AIMessage;
      expect(none.additional_kwargs).toEqual({});
      expect(none.content).toEqual([{ type: "text", text: "So:" }]);
    });

    it("of a result keeps data that the model does not see", () => {
      const given = new ToolMessage({
        tool_call_id: "c1",
        content: "long",
        artifact: { rows: [1] },
        name: "read",
      });
      const after = langChain.rewrite(given, changesOf([["content", "output", "cut"]])) as ToolMessage;
      expect(ToolMessage.isInstance(after)).toBe(true);
      expect(after).toMatchObject({
        content: "cut",
        artifact: { rows: [1] },
        name: "read",
        tool_call_id: "c1",
      });
    });

    it("without its text is a response with only calls", () => {
      const given = new AIMessage({ content: [{ type: "text", text: "So:" }], tool_calls: [call("c1")] });
      expect(langChain.rewrite(given, changesOf([["0", "text", ""]]))).toMatchObject({ content: "" });
    });

    it("a signed call stays unchanged", () => {
      const signed = new AIMessage({
        content: "",
        tool_calls: [call("c1")],
        additional_kwargs: { __gemini_function_call_thought_signatures__: { c1: "s" } },
      });
      expect(langChain.decode(signed).parts[0]).toMatchObject({ kind: "call", signed: true });
      expect(langChain.rewrite(signed, cut)).toBe(signed);
    });

    it("reasoning of OpenAI's Responses is a unit with the next items", () => {
      const given = new AIMessage({
        content: [{ type: "text", text: "So:" }],
        id: "msg_1",
        additional_kwargs: {
          reasoning: { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
        },
      });
      expect(langChain.decode(given).parts).toMatchObject([
        { kind: "reasoning", signed: true, unit: true, leaves: [{ text: "Hm." }] },
        { kind: "text", unit: true },
      ]);
    });
  });

  it("a note is a message of the same class", () => {
    const { messages } = langChain.placeNote(plain, "note");
    expect(HumanMessage.isInstance(messages.at(-1))).toBe(true);
    expect(JSON.parse(JSON.stringify(messages.at(-1))).kwargs.content).toBe("note");
    expect(detectFormat(langChain.placeNote([], "note").messages)).toBe("langchain");
  });
});
