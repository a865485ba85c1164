import { describe, expect, it } from "vitest";
import { openCode } from "../../../src/formats/opencode/opencode.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };
let ids = 0;
const part = (type: string, more: object = {}): object => ({
  type,
  id: `prt_${++ids}`,
  sessionID: "ses_1",
  messageID: "msg_1",
  ...more,
});
const tool = (callID: string, state: object, more: object = {}): object =>
  part("tool", { tool: "bash", callID, state, ...more });
const completed = (output: string, more: object = {}): object => ({
  status: "completed",
  input: { command: `echo ${output}`, description: "says it", timeout: 5 },
  output,
  title: "echo",
  metadata: { output, exit: 0 },
  time: { start: 30, end: 40 },
  ...more,
});
const user = (parts: readonly unknown[], info: object = {}): object => ({
  info: {
    role: "user",
    id: "msg_u",
    time: { created: 10 },
    model: { providerID: "p", modelID: "m" },
    ...info,
  },
  parts,
});
const tokens = { total: 16, input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 6 } };
const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
const assistant = (parts: readonly unknown[], info: object = {}): object => ({
  info: {
    role: "assistant",
    id: "msg_a",
    modelID: "m",
    providerID: "p",
    tokens,
    time: { created: 20, completed: 50 },
    ...info,
  },
  parts,
});
const start = (): object => part("step-start", { snapshot: "s" });
const finish = (): object => part("step-finish", { reason: "stop", tokens, cost: 0 });

const picture = { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" };
const steps = [
  user([
    part("text", { text: "Look:", ...extra }),
    part("text", { text: "only for the screen", ignored: true }),
    part("text", { text: "Called the Read tool", synthetic: true }),
    part("file", {
      mime: "image/png",
      filename: "a.png",
      url: "data:image/png;base64,AAAA",
      source: {},
      ...extra,
    }),
    part("file", { mime: "text/plain", filename: "a.txt", url: "file:///a.txt" }),
    part("agent", { name: "explore" }),
    part("text", { text: "<system-reminder>\nplan", synthetic: true }),
  ]),
  assistant([
    start(),
    part("reasoning", { text: "Hm.", time: { start: 1, end: 2 } }),
    part("reasoning", { text: "Signed.", metadata: { anthropic: { signature: "abc" } } }),
    part("text", { text: "On it.", ...extra }),
    tool("c1", completed("hi"), extra),
    tool("c2", {
      status: "error",
      input: { filePath: "missing.txt" },
      error: "not found",
      metadata: { output: "never sent" },
      time: { start: 30, end: 45 },
      ...extra,
    }),
    tool("c3", {
      status: "error",
      input: { command: "sleep" },
      error: "Tool execution aborted",
      metadata: { interrupted: true, output: "so far", ...extra },
      time: { start: 30, end: 31 },
    }),
    tool("c4", completed("old", { time: { start: 30, end: 31, compacted: 99 } })),
    tool("c5", { status: "running", input: { command: "wait" }, time: { start: 30 } }),
    tool("c6", completed("pic", { attachments: [picture] })),
    tool("c7", completed("sig"), { metadata: { google: { thoughtSignature: "s" } } }),
    finish(),
    part("patch", { hash: "h", files: ["a"] }),
    part("x_future", { payload: [1] }),
  ]),
  user([part("text", { text: "Thanks." })]),
  assistant([start(), part("text", { text: "Done." }), finish()]),
];

const compacted = [
  user([part("compaction", { auto: true, tail_start_id: "msg_9" })]),
  assistant([start(), part("text", { text: "We did this." }), finish()], { summary: true }),
  assistant([start(), tool("c8", completed("tail")), finish()], { time: { created: 1, completed: 2 } }),
  user([part("subtask", { prompt: "p" })]),
  assistant([tool("c9", completed("shell"))], { tokens: noTokens }),
  assistant([], { error: { name: "APIError", data: {} } }),
  assistant([start(), tool("c10", completed("half")), part("text", { text: "x" })], {
    error: { name: "MessageAbortedError", data: {} },
  }),
];

/** Most sessions contain only parts that a look can read. */
const everyday = [
  user([part("text", { text: "Go." })]),
  assistant([
    start(),
    part("reasoning", { text: "Hm." }),
    part("reasoning", { text: "Signed.", metadata: { anthropic: { signature: "abc" } } }),
    part("text", { text: "On it." }),
    tool("c1", completed("hi")),
    tool("c2", { status: "error", input: {}, error: "not found", time: { start: 30, end: 45 } }),
    tool("c3", completed("old", { time: { start: 30, end: 31, compacted: 99 } })),
    finish(),
  ]),
  assistant([part("text", { text: "By the host." }), tool("c4", completed("shell"))], { tokens: noTokens }),
];

const one = (state: object): readonly unknown[] => [assistant([tool("c1", state)])];

describeFormat(openCode, {
  good: { steps, compacted, everyday, pictures: one(completed("pic", { attachments: [picture] })) },
  broken: {
    "no message": { messages: [{ role: "user", content: "Hi." }], code: "malformed-message" },
    "an unknown role": { messages: [user([], { role: "tool" })], code: "role-order" },
    "a tool part without id": {
      messages: [assistant([part("tool", { tool: "bash", state: completed("x") })])],
      code: "malformed-message",
    },
    "a tool part without state": {
      messages: [assistant([part("tool", { tool: "bash", callID: "c1" })])],
      code: "malformed-message",
    },
    "an unknown status": { messages: one({ status: "lost", input: {} }), code: "malformed-message" },
    "two parts of one id": {
      messages: [user([part("text", { text: "a", id: "prt_x" }), part("text", { text: "b", id: "prt_x" })])],
      code: "malformed-message",
    },
    "a completed call without output": {
      messages: one({ status: "completed", input: {} }),
      code: "call-without-result",
    },
    "a failed call without error": {
      messages: one({ status: "error", input: {} }),
      code: "call-without-result",
    },
    "an id used twice in one message": {
      messages: [assistant([tool("c1", completed("a")), tool("c1", completed("b"))])],
      code: "repeated-call-id",
    },
    "an id used again": {
      messages: [...one(completed("a")), ...one(completed("b"))],
      code: "repeated-call-id",
    },
    "nothing but empty text": {
      messages: [assistant([start(), part("text", { text: "" })])],
      code: "empty-message",
    },
    "reasoning missing where it is required": {
      messages: [
        assistant([part("reasoning", { text: "Hm." }), tool("c1", completed("a"))]),
        assistant([tool("c2", completed("b"))]),
      ],
      rule: "field",
      code: "reasoning-missing",
    },
  },
});

describe("opencode", () => {
  const decode = (message: unknown) => openCode.decode(message).parts;
  const outline = (message: unknown): readonly string[] =>
    decode(message).map(
      (p) => `${p.kind}${p.kind === "marker" ? `:${p.name}` : ""} ${p.slot}${p.opensStep ? " opens" : ""}`,
    );

  it("decodes a user message", () => {
    expect(openCode.decode(steps[0])).toMatchObject({ role: "user", id: "msg_u", time: 10, model: "m" });
    expect(outline(steps[0])).toEqual([
      "text 0",
      "marker:text 1",
      "text 2",
      "file 3",
      "marker:file 4",
      "marker:agent 5",
      "text 6",
    ]);
    const [said, , read, file, , , reminder] = decode(steps[0]);
    expect(said).not.toHaveProperty("synthetic");
    expect(read).toMatchObject({ synthetic: true });
    expect(read).not.toHaveProperty("transient");
    expect(file).toMatchObject({ media: { mime: "image/png", name: "a.png", bytes: 3 } });
    expect(reminder).toMatchObject({ synthetic: true, transient: true });
  });

  it("puts a step's results after its calls", () => {
    expect(outline(steps[1])).toEqual([
      "marker:step-start 0 opens",
      "reasoning 1",
      "reasoning 2",
      "text 3",
      ...[4, 5, 6, 7, 8, 9, 10].map((index) => `call ${index}#call`),
      "marker:step-finish 11",
      "marker:patch 12",
      "opaque 13",
      ...[4, 5, 6, 7, 8, 9, 10].map((index) => `result ${index}#result`),
    ]);
  });

  it("reads time, usage and model of a response", () => {
    expect(openCode.decode(steps[1])).toMatchObject({
      time: 45,
      usage: { input: 1, cacheRead: 4, cacheWrite: 6, output: 5 },
      model: "m",
    });
    expect(openCode.decode(steps[3])).toMatchObject({ time: 50 });
    expect(openCode.decode(assistant([], { time: { created: 20 } }))).toMatchObject({ time: 20 });
    expect(openCode.decode(assistant([], { tokens: noTokens }))).not.toHaveProperty("usage");
  });

  it("returns the sent text as leaf", () => {
    const results = decode(steps[1]).flatMap((p) =>
      p.kind === "result" ? [[p.status, p.leaves[0]?.text]] : [],
    );
    expect(results).toEqual([
      ["ok", "hi"],
      ["error", "not found"],
      ["error", "so far"],
      ["cleared", undefined],
      ["pending", undefined],
      ["ok", "pic"],
      ["ok", "sig"],
    ]);
    expect(decode(steps[1]).find(({ slot }) => slot === "4#result")).toMatchObject({ exitCode: 0 });
    expect(decode(steps[1]).find(({ slot }) => slot === "9#result")).toMatchObject({
      media: [{ mime: "image/png", bytes: 3 }],
    });
  });

  it.each([
    [{ anthropic: { signature: "s" } }, true],
    [{ anthropic: { redactedData: "s" } }, true],
    [{ openai: { itemId: "rs_1", reasoningEncryptedContent: null } }, true],
    [{ openai: { reasoningEncryptedContent: "s" } }, true],
    [{ google: { thoughtSignature: "s" } }, true],
    [{ copilot: { reasoningOpaque: "s" } }, true],
    [{ openai: { signature: null } }, false],
    [{ note: "s" }, false],
    [undefined, false],
  ])("reasoning with %j is signed: %s", (metadata, signed) => {
    expect(decode(assistant([part("reasoning", { text: "Hm.", metadata })]))[0]).toMatchObject({ signed });
  });

  it("knows the provider's own tools", () => {
    const message = assistant([tool("c1", completed("x"), { metadata: { providerExecuted: true } })]);
    expect(decode(message)).toMatchObject([
      { kind: "call", server: true, leaves: [] },
      { kind: "opaque", raw: "x" },
    ]);
    expect(
      openCode.rewrite(
        message,
        changesOf([
          ["0#call", "input/command", "y"],
          ["0#result", "output", "y"],
        ]),
      ),
    ).toBe(message);
  });

  it("opens an epoch at a compaction; its summary is the host's and no step", () => {
    expect(openCode.decode(compacted[0])).toMatchObject({ isCompaction: true });
    expect(outline(compacted[0])).toEqual(["marker:compaction 0"]);
    expect(outline(compacted[1])).toEqual(["marker:step-start 0", "text 1", "marker:step-finish 2"]);
    expect(decode(compacted[1])[1]).toMatchObject({ synthetic: true });
    expect(openCode.decode(compacted[1])).not.toHaveProperty("usage");
  });

  it("treats only model responses as steps", () => {
    expect(outline(compacted[4])).toEqual(["call 0#call", "result 0#result"]);
    expect(outline(assistant([tool("c1", completed("x"))]))[0]).toBe("call 0#call opens");
    const retried = [start(), part("text", { text: "a" }), start(), part("text", { text: "b" }), finish()];
    expect(outline(assistant(retried)).filter((line) => line.endsWith("opens"))).toHaveLength(1);
    const two = [
      start(),
      tool("c1", completed("a")),
      finish(),
      start(),
      tool("c2", completed("b")),
      finish(),
    ];
    expect(outline(assistant(two))).toEqual([
      "marker:step-start 0 opens",
      "call 1#call",
      "marker:step-finish 2",
      "result 1#result",
      "marker:step-start 3 opens",
      "call 4#call",
      "marker:step-finish 5",
      "result 4#result",
    ]);
  });

  it("leaves out the parts of a failed response, unless it was stopped after it said something", () => {
    const parts = [start(), part("reasoning", { text: "Hm." }), tool("c1", completed("x"))];
    const failed = assistant(parts, { error: { name: "APIError" } });
    expect(outline(failed)).toEqual(["marker:step-start 0", "marker:reasoning 1", "marker:tool 2"]);
    const stopped = { error: { name: "MessageAbortedError" } };
    expect(outline(assistant(parts, stopped))).toContain("result 2#result");
    expect(outline(assistant(parts.slice(0, 2), stopped))).not.toContain("reasoning 1");
  });

  it("writes a result to the field that is really sent", () => {
    const after = openCode.rewrite(
      steps[1],
      changesOf([
        ["4#result", "output", "A"],
        ["5#result", "output", "B"],
        ["6#result", "output", "C"],
        ["7#result", "output", "never"],
        ["8#result", "output", "never"],
      ]),
    );
    const texts = decode(after).flatMap((p) => (p.kind === "result" ? [p.leaves[0]?.text] : []));
    expect(texts).toEqual(["A", "B", "C", undefined, undefined, "pic", "sig"]);
    expect(after).toMatchObject({
      parts: {
        4: { state: { output: "A" } },
        5: { state: { error: "B" } },
        6: { state: { metadata: { output: "C" } } },
      },
    });
  });

  const rewriteParts = (parts: readonly unknown[], ...changes: Parameters<typeof changesOf>): unknown => {
    const after = openCode.rewrite(assistant(parts), changesOf(...changes));
    return after === undefined ? undefined : outline(after);
  };
  const said = part("text", { text: "On it." });
  const thought = part("reasoning", { text: "Hm." });
  const ran = tool("c1", completed("x"));

  it.each([
    [
      "a text beside a call goes",
      [start(), said, ran],
      [["1", "text", ""]],
      [],
      ["marker:step-start 0 opens", "call 1#call", "result 1#result"],
    ],
    [
      "a text alone stays",
      [start(), thought, said],
      [["2", "text", ""]],
      [],
      ["marker:step-start 0 opens", "reasoning 1", "text 2"],
    ],
    ["a call goes with its result", [said, ran], [], ["1#call", "1#result"], ["text 0 opens"]],
    [
      "reasoning and markers alone are nothing",
      [start(), thought, ran, finish()],
      [],
      ["2#call", "2#result"],
      undefined,
    ],
    [
      "what nobody knows stays, also alone",
      [start(), thought, part("hologram", { data: 1 }), ran, finish()],
      [],
      ["3#call", "3#result"],
      ["marker:step-start 0 opens", "opaque 1", "marker:step-finish 2"],
    ],
    [
      "reasoning before a dropped call goes too",
      [said, thought, ran],
      [],
      ["2#call", "2#result"],
      ["text 0 opens"],
    ],
    [
      "reasoning before what stays does stay",
      [thought, said, ran],
      [],
      ["2#call", "2#result"],
      ["reasoning 0 opens", "text 1"],
    ],
  ] as const)("%s", (_, parts, texts, dropped, expected) => {
    expect(rewriteParts(parts, texts, dropped)).toEqual(expected);
  });

  it("replaces a file with text", () => {
    const after = openCode.rewrite(steps[0], changesOf([["3", "data", "[image]"]]));
    expect(after).toMatchObject({
      parts: { 3: { type: "text", text: "[image]", sessionID: "ses_1", ...extra } },
    });
    expect(after).not.toHaveProperty("parts.3.url");
  });

  describe("ids under which the provider has stored the parts", () => {
    const metadata = { openai: { itemId: "x_1", other: 1 } };
    const message = assistant([
      part("reasoning", {
        text: "Hm.",
        metadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "e" } },
      }),
      part("text", { text: "On it.", metadata }),
      tool("c1", completed("x"), { metadata }),
    ]);
    const idsAfter = (...changes: Parameters<typeof changesOf>): number =>
      JSON.stringify(openCode.rewrite(message, changesOf(...changes))).split("itemId").length - 1;

    it("stay when only a result changes", () => expect(idsAfter([["2#result", "output", "y"]])).toBe(3));
    it("are removed when a text changes", () => expect(idsAfter([["1", "text", "y"]])).toBe(0));
    it("are removed when an input changes", () =>
      expect(idsAfter([["2#call", "input/command", "y"]])).toBe(0));
    it("are removed when reasoning is dropped", () => expect(idsAfter([], ["0"])).toBe(0));
    it("remove nothing else", () => {
      expect(openCode.rewrite(message, changesOf([["1", "text", "y"]]))).toMatchObject({
        parts: [
          { metadata: { openai: { reasoningEncryptedContent: "e" } } },
          { metadata: { openai: { other: 1 } } },
          {},
        ],
      });
    });
  });
});
