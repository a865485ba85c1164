import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../../src/formats/anthropic-messages/anthropic-messages.ts";
import { Trace } from "../../../src/formats/trace.ts";
import { createPruner } from "../../../src/pruner.ts";
import { sameMessage } from "../../../src/transcript/same-part.ts";
import { textOf } from "../../conversation.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };
const cache_control = { type: "ephemeral" };
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

const use = (id: string, input: unknown = {}): object => ({ type: "tool_use", id, name: "read", input });
const result = (id: string, content: unknown = "ok"): object => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});

const tools = [
  { role: "system", content: "You help." },
  {
    role: "user",
    content: [
      { type: "text", text: "Look:", ...extra },
      { ...image, cache_control },
      { type: "document", title: "a.txt", source: { type: "text", media_type: "text/plain", data: "words" } },
      { type: "document", source: { type: "content", content: [{ type: "text", text: "inner" }] } },
      { type: "x_future", payload: [1] },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "abc" },
      { type: "redacted_thinking", data: "xyz" },
      { type: "text", text: "On it." },
      {
        type: "tool_use",
        id: "c1",
        name: "edit",
        input: { path: "a.ts", edits: [{ old: "one", line: 4, nothing: null }] },
        caller: { type: "direct" },
      },
      use("c2"),
      use("c3"),
    ],
    ...extra,
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "c1",
        content: [{ type: "text", text: "first", ...extra }, image, { type: "text", text: "second" }],
        cache_control,
      },
      { type: "tool_result", tool_use_id: "c2", content: "no such file", is_error: true, ...extra },
      { type: "tool_result", tool_use_id: "c3" },
      { type: "text", text: "Go on." },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "s1",
        content: [{ type: "web_search_result", url: "u" }],
      },
      { type: "text", text: "Done." },
    ],
  },
];

const plainTools = [
  { role: "user", content: "Go." },
  { role: "assistant", content: [use("c1", { path: "a" })] },
  { role: "user", content: [result("c1")] },
  { role: "assistant", content: "The end." },
];

const answered = [
  { role: "user", content: "Go." },
  { role: "assistant", content: [use("c1")] },
];
const thought = { type: "thinking", thinking: "Hm.", signature: "abc" };

/** Blocks that only some clients and models send. */
const rare = [
  { role: "user", content: "Find it." },
  { role: "system", content: [{ type: "text", text: "Be brief from here on." }] },
  {
    role: "assistant",
    content: [
      { type: "compaction", content: "What was before.", encrypted_content: "e", signature: "s" },
      { type: "server_tool_use", id: "s1", name: "tool_search_tool_regex", input: { query: "read" } },
      {
        type: "tool_search_tool_result",
        tool_use_id: "s1",
        content: {
          type: "tool_search_tool_search_result",
          tool_references: [{ type: "tool_reference", tool_name: "read" }],
        },
      },
      { type: "mcp_tool_use", id: "m1", name: "echo", server_name: "x", input: { a: "b" } },
      { type: "mcp_tool_result", tool_use_id: "m1", is_error: false, content: [{ type: "text", text: "b" }] },
      use("c1", { path: "a.ts" }),
      use("c2", { query: "tools" }),
    ],
  },
  { role: "system", content: "Mind the time." },
  {
    role: "user",
    content: [
      result("c1", [
        { type: "text", text: "Found:" },
        {
          type: "search_result",
          source: "https://x.test",
          title: "X",
          content: [
            { type: "text", text: "one", ...extra },
            { type: "text", text: "two" },
          ],
          citations: { enabled: true },
        },
      ]),
      result("c2", [{ type: "tool_reference", tool_name: "read" }]),
      { type: "container_upload", file_id: "file_1" },
      { type: "search_result", source: "s", title: "t", content: [{ type: "text", text: "given" }] },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "compaction", content: null },
      { type: "text", text: "Here." },
    ],
  },
];

describeFormat(anthropicMessages, {
  good: { rare, tools, plainTools },
  broken: {
    "no message": { messages: [7], code: "malformed-message" },
    "an unknown role": { messages: [{ role: "tool", content: "x" }], code: "role-order" },
    "an assistant first": { messages: [{ role: "assistant", content: "Hi." }], code: "role-order" },
    "a call at the end": { messages: answered, code: "call-without-result" },
    "a call that is not answered at once": {
      messages: [...answered, { role: "user", content: "?" }, { role: "assistant", content: "!" }],
      code: "call-without-result",
    },
    "a result without call": {
      messages: [{ role: "user", content: [result("c1")] }],
      code: "result-without-call",
    },
    "a result before its call": {
      messages: [
        { role: "user", content: [result("c1")] },
        { role: "assistant", content: [use("c1")] },
        { role: "user", content: [result("c1")] },
      ],
      code: "result-before-call",
    },
    "two results": {
      messages: [...answered, { role: "user", content: [result("c1"), result("c1")] }],
      code: "repeated-call-id",
    },
    "an id used again": {
      messages: [
        ...answered,
        { role: "user", content: [result("c1")] },
        { role: "assistant", content: [use("c1")] },
        { role: "user", content: [result("c1")] },
      ],
      code: "repeated-call-id",
    },
    "a result behind a text": {
      messages: [...answered, { role: "user", content: [{ type: "text", text: "Here:" }, result("c1")] }],
      code: "role-order",
    },
    "an empty message": { messages: [{ role: "user", content: [] }], code: "empty-message" },
    "an empty text": { messages: [{ role: "user", content: "" }], code: "empty-block" },
    "a blank text": {
      messages: [{ role: "user", content: [{ type: "text", text: " \n" }] }],
      code: "empty-block",
    },
    "an empty text in a result": {
      messages: [...answered, { role: "user", content: [result("c1", [{ type: "text", text: "" }])] }],
      code: "empty-block",
    },
    "unsigned thinking": {
      messages: [
        { role: "user", content: "Go." },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm." },
            { type: "text", text: "x" },
          ],
        },
      ],
      rule: "signed",
      code: "reasoning-missing",
    },
    "thinking behind a call in the loop under way": {
      messages: [
        { role: "user", content: "Go." },
        { role: "assistant", content: [{ type: "text", text: "So:" }, thought, use("c1")] },
        { role: "user", content: [result("c1")] },
      ],
      rule: "bound",
      code: "reasoning-order",
    },
    "thinking at the end": {
      messages: [
        { role: "user", content: "Go." },
        { role: "assistant", content: [thought] },
      ],
      code: "reasoning-order",
    },
  },
});

describe("anthropic-messages", () => {
  const decode = (message: unknown) => anthropicMessages.decode(message).parts;

  it.each([
    [tools[0], "system", ["text content"]],
    [tools[1], "user", ["text 0", "file 1", "file 2", "opaque 3", "opaque 4"]],
    [tools[2], "assistant", ["reasoning 0", "reasoning 1", "text 2", "call 3", "call 4", "call 5"]],
    [tools[3], "user", ["result 0", "result 1", "result 2", "text 3"]],
    [tools[4], "assistant", ["call 0", "opaque 1", "text 2"]],
    [rare[1], "system", ["text 0"]],
    [rare[2], "assistant", ["opaque 0", "call 1", "opaque 2", "call 3", "opaque 4", "call 5", "call 6"]],
    [rare[4], "user", ["result 0", "result 1", "opaque 2", "opaque 3"]],
    [{ role: "user" }, "user", ["opaque "]],
    [null, "custom", ["opaque "]],
  ])("decodes %j", (message, role, expected) => {
    expect(anthropicMessages.decode(message).role).toBe(role);
    expect(decode(message).map(({ kind, slot }) => `${kind} ${slot}`)).toEqual(expected);
  });

  describe("a cache mark that moves on", () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const marked = { type: "text", text: "Go.", cache_control };
    const inner = { type: "text", text: "found" };
    const search = { type: "search_result", source: "s", title: "t", content: [inner] };
    const spellings: readonly (readonly [string, unknown, unknown])[] = [
      ["a string and a marked block", "Go.", [marked]],
      ["a marked text", [{ type: "text", text: "Go." }], [marked]],
      ["a marked call", [use("c1")], [{ ...use("c1"), cache_control }]],
      ["a marked result", [result("c1")], [{ ...result("c1"), cache_control }]],
      [
        "a mark inside a result",
        [{ ...result("c1"), content: [inner] }],
        [{ ...result("c1"), content: [{ ...inner, cache_control }] }],
      ],
      ["a marked block that is not known", [search], [{ ...search, cache_control }]],
    ];
    it.each(spellings)("%s are the same content, decoded or looked at", (_, plain, other) => {
      const [a, b] = [plain, other].map((content) => ({ role: "user", content }));
      expect(sameMessage(anthropicMessages.decode(a), anthropicMessages.decode(b))).toBe(true);
      for (const [first, second] of [
        [a, b],
        [b, a],
      ]) {
        const trace = new Trace();
        expect(anthropicMessages.look?.(first, trace)).toBe(true);
        trace.rewind();
        expect(anthropicMessages.look?.(second, trace) && trace.isThrough).toBe(true);
      }
    });
    it("a message decoded from one spelling can be changed in the other", () => {
      const changed = (content: unknown, slot: string): unknown =>
        anthropicMessages.rewrite({ role: "user", content }, changesOf([[slot, "text", "cut"]]));
      expect(changed([marked], "content")).toEqual({ role: "user", content: [{ ...marked, text: "cut" }] });
      expect(changed("Go.", "0")).toEqual({ role: "user", content: "cut" });
      expect(anthropicMessages.rewrite({ role: "user", content: [marked] }, changesOf([], ["content"]))).toBe(
        undefined,
      );
    });
    it("costs nothing: a session continues as before", () => {
      const long = textOf(1_500);
      const step = (id: string) => [
        {
          role: "assistant",
          content: [{ type: "tool_use", id, name: "Read", input: { file_path: "/w/a.ts" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: long }] },
      ];
      const first = [{ role: "user", content: "Go." }, ...step("c1"), ...step("c2")];
      const options = { config: { schedule: { mode: "eager" } } } as const;
      const live = createPruner(options);
      live.prune([{ role: "user", content: [marked] }, ...first.slice(1)], { session: "s" });
      const then = [...first, { role: "assistant", content: "Well." }, { role: "user", content: [marked] }];
      const again = live.prune(then, { session: "s" });
      expect(again.report.issues.map(({ code }) => code)).not.toContain("history-changed");
      expect(again.messages).toEqual(createPruner(options).prune(then).messages);
      expect(again.report.edits.length).toBeGreaterThan(0);
    });
  });

  it("reads calls, results and reasoning", () => {
    expect(decode(tools[2])).toMatchObject([
      { signed: true, leaves: [{ id: "text", text: "Hm." }], opensStep: true },
      { signed: true, leaves: [] },
      {},
      {
        callId: "c1",
        tool: "edit",
        leaves: [
          { id: "input/path", text: "a.ts" },
          { id: "input/edits/0/old", text: "one" },
        ],
      },
      {},
      {},
    ]);
    expect(decode(tools[3])).toMatchObject([
      {
        callId: "c1",
        status: "ok",
        leaves: [
          { id: "content/0", text: "first" },
          { id: "content/2", text: "second" },
        ],
        media: [{ mime: "image/png", bytes: 3 }],
      },
      { callId: "c2", status: "error", leaves: [{ id: "output", text: "no such file" }] },
      { callId: "c3", status: "ok", leaves: [] },
      {},
    ]);
    expect(decode(tools[4])[0]).toMatchObject({ server: true, leaves: [], input: { query: "q" } });
    expect(decode({ role: "assistant", content: [{ type: "thinking", thinking: "?" }] })[0]).toMatchObject({
      signed: false,
    });
  });

  it("finds the texts of sources in a result", () => {
    const [found, references] = decode(rare[4]);
    expect(found?.leaves.map(({ id }) => id)).toEqual(["content/0", "content/1/0", "content/1/1"]);
    expect(references?.leaves).toEqual([]);
  });

  it("a compaction starts a segment, unless it failed, and is never dropped", () => {
    expect(anthropicMessages.decode(rare[2])).toMatchObject({
      isCompaction: true,
      parts: [{ unit: true }, {}, {}, {}, {}, {}, {}],
    });
    expect(anthropicMessages.decode(rare[5])).not.toHaveProperty("isCompaction");
  });

  it("describes files", () => {
    expect(decode(tools[1]).flatMap((part) => (part.kind === "file" ? [part.media] : []))).toEqual([
      { mime: "image/png", bytes: 3 },
      { mime: "text/plain", name: "a.txt" },
    ]);
  });

  const rewriteContent = (content: unknown, ...changes: Parameters<typeof changesOf>): unknown => {
    const after = anthropicMessages.rewrite({ role: "assistant", content }, changesOf(...changes));
    return after === undefined ? undefined : (after as { content: unknown }).content;
  };
  const text = { type: "text", text: "On it." };
  const dash = { type: "text", text: "—" };

  it.each([
    ["a text alone is a dash", [text], [["0", "text", ""]], [], [dash]],
    ["a text beside a call goes", [text, use("c1")], [["0", "text", ""]], [], [use("c1")]],
    ["a text behind thinking stays, as a dash", [thought, text], [["1", "text", ""]], [], [thought, dash]],
    [
      "of two texts one stays where thinking would be last",
      [text, thought, text],
      [
        ["0", "text", ""],
        ["2", "text", ""],
      ],
      [],
      [thought, dash],
    ],
    [
      "unsigned thinking keeps a text",
      [{ type: "thinking", thinking: "?" }, text],
      [["0", "text", ""]],
      [],
      [{ type: "thinking", thinking: "—" }, text],
    ],
    ["thinking before a dropped call is removed too", [text, thought, use("c1")], [], ["2"], [text]],
    ["thinking alone is nothing", [thought, use("c1")], [], ["1"], undefined],
    [
      "a marked text keeps its mark",
      [{ ...text, cache_control }, text],
      [["0", "text", ""]],
      [],
      [{ ...dash, cache_control }, text],
    ],
    [
      "a file becomes text and keeps its mark",
      [{ ...image, cache_control }],
      [["0", "data", "[image]"]],
      [],
      [{ type: "text", text: "[image]", cache_control }],
    ],
    [
      "a result keeps its image",
      [result("c1", [text, image])],
      [["0", "content/0", ""]],
      [],
      [result("c1", [image])],
    ],
    [
      "a result keeps some text",
      [result("c1", [text])],
      [["0", "content/0", ""]],
      [],
      [result("c1", [dash])],
    ],
    ["a result keeps its string", [result("c1", "x")], [["0", "output", ""]], [], [result("c1", "—")]],
    [
      "an input field may be empty",
      [use("c1", { a: "x", b: 1 })],
      [["0", "input/a", ""]],
      [],
      [use("c1", { a: "", b: 1 })],
    ],
  ] as const)("%s", (_, content, texts, dropped, expected) => {
    expect(rewriteContent(content, texts, dropped)).toEqual(expected);
  });

  it("treats consecutive messages of one role as one turn", () => {
    const messages = [
      { role: "user", content: "Go." },
      { role: "assistant", content: [thought, use("c1")] },
      { role: "assistant", content: [use("c2")] },
      { role: "user", content: [result("c2")] },
      { role: "user", content: [result("c1")] },
    ];
    expect(anthropicMessages.validate(messages, "bound")).toEqual([]);
  });

  it("accepts thinking whose text the provider left out", () => {
    const messages = [
      { role: "user", content: "Go." },
      { role: "assistant", content: [{ type: "thinking", thinking: "", signature: "abc" }, text] },
    ];
    expect(anthropicMessages.validate(messages, "signed")).toEqual([]);
  });
});
