import { describe, expect, it } from "vitest";
import { gemini } from "../../../src/formats/gemini/gemini.ts";
import { createPruner } from "../../../src/pruner.ts";
import { textOf } from "../../conversation.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };
const user = (...parts: readonly unknown[]): object => ({ role: "user", parts, ...extra });
const model = (...parts: readonly unknown[]): object => ({ role: "model", parts });
const call = (name: string, args: object, more: object = {}): object => ({
  functionCall: { name, args, ...more },
});
const response = (name: string, value: unknown, more: object = {}): object => ({
  functionResponse: { name, response: value, ...more },
});

const withIds = [
  user({ text: "Look:", ...extra }, { inlineData: { mimeType: "image/png", data: "AAAA" } }),
  model(
    { text: "Hm.", thought: true, ...extra },
    { text: "On it.", ...extra },
    { ...call("read_file", { path: "a.ts", lines: [1, 2] }, { id: "c1", ...extra }), ...extra },
    call("run", { command: "ls", env: { A: "b" } }, { id: "c2" }),
  ),
  user(
    response("read_file", { output: "text of a" }, { id: "c1", ...extra }),
    response("run", { error: "no such command" }, { id: "c2" }),
    { text: "Go on." },
  ),
  model(call("mcp", { q: "x" }, { id: "c3" })),
  user(
    response(
      "mcp",
      { content: [{ type: "text", text: "found" }], isError: false, n: 3 },
      { id: "c3", parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] },
    ),
  ),
  model({ text: "Done." }),
];

const withoutIds = [
  { parts: [{ text: "Go." }] },
  model(
    call("read_file", { path: "a.ts" }),
    call("read_file", { path: "b.ts" }),
    call("glob", { pattern: "*" }),
  ),
  user(response("read_file", { output: "text of a" })),
  { role: "function", parts: [response("read_file", { output: "text of b" }), response("glob", {})] },
  model(call("read_file", { path: "a.ts" })),
  user(response("read_file", { output: "newer text of a" })),
];

/** As older versions of Gemini CLI send it. */
const clientIds = [
  user({ text: "Go." }),
  model(call("glob", { pattern: "*" }), call("read_file", { path: "a.ts" }), call("glob", { pattern: "x" })),
  user(
    response("glob", { output: "a.ts" }, { id: "glob_1771890498468_0" }),
    response("read_file", { output: "text of a" }, { id: "read_file-1768537298469-99e7ccfcd25a28" }),
    response("glob", { output: "none" }, { id: "glob_1771890498468_2" }),
  ),
];

const signed = [
  user({ text: "Go." }),
  model(
    { text: "Secret.", thought: true, thoughtSignature: "s" },
    { ...call("run", { command: "ls" }, { id: "c1" }), thoughtSignature: "s" },
    call("run", { command: "pwd" }, { id: "c2" }),
  ),
  user(response("run", { output: "a b" }, { id: "c1" }), response("run", { output: "/" }, { id: "c2" })),
  model({ text: "Finished.", thoughtSignature: "s" }),
  user({ text: "Draw." }, { fileData: { fileUri: "gs://a/b.png", mimeType: "image/png", displayName: "b" } }),
  model(
    { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s" },
    { text: "", thoughtSignature: "s" },
  ),
];

const snake = [
  user({ text: "Go." }, { file_data: { file_uri: "gs://a", mime_type: "image/png", display_name: "a" } }),
  model({ function_call: { name: "run", args: { command: "ls" } }, thought_signature: "s" }),
  user({ function_response: { name: "run", response: { output: "a b" } } }),
  model(
    { executable_code: { language: "PYTHON", code: "1+1" } },
    { code_execution_result: { outcome: "OK", output: "2" } },
  ),
];

const server = [
  user({ text: "Go." }),
  model(
    { executableCode: { language: "PYTHON", code: "1+1", id: "e1" } },
    { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2", id: "e1" } },
    { toolCall: { toolType: "GOOGLE_SEARCH", id: "t1", args: { q: "x" } } },
    { toolResponse: { toolType: "GOOGLE_SEARCH", id: "t1", response: { hits: ["a"] } } },
    { hologram: { depth: 3 } },
    { text: "Two." },
  ),
];

describeFormat(gemini, {
  good: {
    "with ids": withIds,
    "without ids": withoutIds,
    "ids of the client": clientIds,
    signed,
    snake,
    server,
  },
  broken: {
    "no content": { messages: [{ role: "user", content: "Hi." }], code: "malformed-message" },
    "another's role": {
      messages: [{ role: "assistant", parts: [{ text: "Hi." }] }],
      code: "malformed-message",
    },
    "no parts": { messages: [{ role: "user", parts: [] }], code: "empty-message" },
    "an empty text": { messages: [user({ text: "" })], code: "empty-block" },
    "the model first": { messages: [model({ text: "Hi." })], code: "role-order" },
    "a call behind an answer": {
      messages: [
        user({ text: "Go." }),
        model({ text: "Hi." }),
        model({ functionCall: { name: "read", args: {} } }),
        user({ functionResponse: { name: "read", response: { output: "x" } } }),
      ],
      code: "role-order",
    },
    "a call without response": {
      messages: [user({ text: "Go." }), model(call("run", {}))],
      code: "call-without-result",
    },
    "fewer responses than calls": {
      messages: [user({ text: "Go." }), model(call("run", {}), call("run", {})), user(response("run", {}))],
      code: "call-without-result",
    },
    "a response without call": {
      messages: [user({ text: "Go." }), user(response("run", {}))],
      code: "result-without-call",
    },
    "text between call and response": {
      messages: [
        user({ text: "Go." }),
        model(call("run", {}, { id: "a" })),
        user({ text: "Well?" }),
        model({ text: "x" }),
      ],
      code: "call-without-result",
    },
    "a call of this turn without its signature": {
      messages: [
        user({ text: "Go." }),
        model({ ...call("run", {}, { id: "a" }), thoughtSignature: "s" }),
        user(response("run", {}, { id: "a" })),
        model(call("run", {}, { id: "b" })),
        user(response("run", {}, { id: "b" })),
      ],
      rule: "signed",
      code: "reasoning-missing",
    },
  },
});

describe("gemini", () => {
  const outline = (message: unknown): readonly string[] =>
    gemini
      .decode(message)
      .parts.map(
        (part) =>
          `${part.kind} ${part.slot}${"callId" in part ? ` ${part.callId}` : ""}${"signed" in part && part.signed ? " signed" : ""}`,
      );

  it.each<[string, unknown, readonly string[]]>([
    ["ids where there are any", withIds[1], ["reasoning 0", "text 1", "call 2 c1", "call 3 c2"]],
    ["names if there are no ids", withoutIds[1], ["call 0 read_file", "call 1 read_file", "call 2 glob"]],
    [
      "names where a client made ids of them",
      clientIds[2],
      ["result 0 glob", "result 1 read_file", "result 2 glob"],
    ],
    ["signatures of thoughts and calls", signed[1], ["reasoning 0 signed", "call 1 c1 signed", "call 2 c2"]],
    ["a signed text", signed[3], ["text 0 signed"]],
    ["a signed image is left alone", signed[5], ["opaque 0", "text 1 signed"]],
    ["the other spelling", snake[1], ["call 0 run signed"]],
    [
      "tools of the provider",
      server[1],
      ["call 0 e1", "opaque 1", "call 2 t1", "opaque 3", "opaque 4", "text 5"],
    ],
  ])("%s", (_, message, expected) => expect(outline(message)).toEqual(expected));

  it("recognises failures, and fields of a response other than its text", () => {
    expect(gemini.decode(withIds[2]).parts).toMatchObject([
      { status: "ok", leaves: [{ id: "output", text: "text of a" }] },
      { status: "error", leaves: [{ id: "output", text: "no such command" }] },
      { kind: "text" },
    ]);
    const [mcp] = gemini.decode(withIds[4]).parts;
    expect(mcp).toMatchObject({ value: { n: 3 }, media: [{ mime: "image/png", bytes: 3 }] });
    expect(mcp?.leaves.map(({ id }) => id)).toEqual(["output/content/0/type", "output/content/0/text"]);
  });

  describe("a repeated response in its message, as after gemini --resume", () => {
    const a = response("read_file", { output: "text of a" }, { id: "a" });
    const b = response("run", { output: "text of b" }, { id: "b" });
    const calls = model(call("read_file", { path: "a" }, { id: "a" }), call("run", { c: "b" }, { id: "b" }));
    const doubled = user(a, structuredClone(a), b, structuredClone(b));
    const cut = response("read_file", { output: "cut" }, { id: "a" });

    it("is one result", () => expect(outline(doubled)).toEqual(["result 0 a", "result 2 b"]));
    it("changes as one", () =>
      expect(gemini.rewrite(doubled, changesOf([["0", "output", "cut"]]))).toEqual(user(cut, cut, b, b)));
    it("is dropped as one", () => expect(gemini.rewrite(doubled, changesOf([], ["0"]))).toEqual(user(b, b)));
    it("is reported as repeated, and still paired", () => {
      const issues = gemini.validate([user({ text: "Go." }), calls, doubled], "none");
      expect(issues.map(({ code, severity }) => [code, severity])).toEqual([["repeated-call-id", "warning"]]);
    });
    it("two different answers are two results", () =>
      expect(outline(user(a, cut))).toEqual(["result 0 a", "result 1 a"]));
  });

  it("an older read is cut if a newer one shows the file, by names and order alone", () => {
    const read = (text: string) => [
      model(call("read_file", { absolute_path: "/w/a.ts" })),
      user(response("read_file", { output: text })),
    ];
    const messages = [
      user({ text: "Go." }),
      ...read(textOf(2_000)),
      ...read(textOf(2_000, 2)),
      model({ text: "Well." }),
      user({ text: "Again." }),
    ];
    const pruner = createPruner({ config: { schedule: { mode: "eager" } } });
    const { messages: sent } = pruner.prune(messages);
    expect(JSON.stringify(sent[2]).length).toBeLessThan(1_000);
    expect(sent[4]).toBe(messages[4]);
  });
});
