import { describe, expect, it } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import {
  AGGRESSIVE_SHAKE_CONFIG,
  applyShakeRegions,
  collectShakeRegions,
  DEFAULT_SHAKE_CONFIG,
  type ProtectedToolMatcher,
  type ShakeConfig,
} from "../../../src/entries/messages.ts";
import { estimateTokens } from "../../../src/index.ts";
import type { PartKey } from "../../../src/transcript/part.ts";
import { listPartRefs } from "../../../src/transcript/refs.ts";
import { textOf } from "../../conversation.ts";
import { entryOf, type Item, KINDS, writeMessages } from "./write-messages.ts";

const fence = (tokens: number, seed = 0) => `\`\`\`ts\n${textOf(tokens, seed)}\n\`\`\``;
const element = (tokens: number, name = "doc") => `<${name} of="a.ts">\n${textOf(tokens)}\n</${name}>`;
const bash = (output: string): Item => ["call", "bash", { command: "npm test" }, output];
const go: Item = ["user", "Go on."];
const aggressive = AGGRESSIVE_SHAKE_CONFIG;

/** The texts of all regions of a chat. */
function textsOf(items: readonly Item[], config: Partial<ShakeConfig> = {}): readonly string[] {
  const regions = collectShakeRegions(writeMessages("openai-chat", items), { ...aggressive, ...config });
  return regions.map(({ originalText }) => originalText);
}

describe("the two configurations", () => {
  it("have the numbers of the specification", () => {
    expect(DEFAULT_SHAKE_CONFIG).toMatchObject({
      protectTokens: 16_000,
      minSavings: 4_000,
      fenceMinTokens: 400,
    });
    expect(aggressive).toMatchObject({ protectTokens: 0, minSavings: 0, fenceMinTokens: 400 });
    expect(aggressive.protectedTools).toBe(DEFAULT_SHAKE_CONFIG.protectedTools);
  });

  it("the default is what is used when none is given", () => {
    const items = [bash(textOf(6_000)), bash(textOf(17_000)), go];
    expect(collectShakeRegions(writeMessages("openai-chat", items)).map(({ entry }) => entry)).toEqual([1]);
  });
});

describe("a configuration", () => {
  const messages = writeMessages("openai-chat", [bash(textOf(6_000)), bash(textOf(17_000)), go]);
  const entries = (config: unknown) =>
    collectShakeRegions(messages, config as ShakeConfig).map(({ entry }) => entry);

  it.each<[string, Partial<ShakeConfig>, readonly number[]]>([
    ["none of it", {}, [1]],
    ["a part of it", { protectTokens: 0 }, [1, 3]],
    ["undefined counts as missing", { protectTokens: 0, protectedTools: undefined } as never, [1, 3]],
    ["tools", { protectTokens: 0, protectedTools: ["bash"] }, []],
    ["more than there is", { protectTokens: Number.POSITIVE_INFINITY }, []],
  ])("is filled in: %s", (_, config, found) => expect(entries(config)).toEqual(found));

  it.each<[unknown, string]>([
    [null, "The configuration of a shake: expected an object, got null."],
    ["aggressive", 'The configuration of a shake: expected an object, got "aggressive".'],
    [{ minSavings: "1" }, 'minSavings: expected a number ≥ 0, got "1"'],
    [{ protectTokens: Number.NaN }, "protectTokens: expected a number ≥ 0, got NaN"],
    [{ protectedTools: "skill" }, "protectedTools: expected a list of names, globs and predicates"],
    [{ protectedTools: [1] }, "protectedTools: expected a list of names, globs and predicates"],
  ])("that is wrong is refused: %j", (config, message) => {
    expect(() => entries(config)).toThrow(TypeError);
    expect(() => entries(config)).toThrow(message);
  });
});

it("messages that are not a list are refused with a sentence", () => {
  for (const messages of [undefined, null, {}, "text"])
    expect(() => collectShakeRegions(messages as never)).toThrow("Messages have to be a list, got ");
});

describe.each(KINDS)("regions in %s", (kind) => {
  const items: readonly Item[] = [
    ["user", `Look:\n${fence(500)}\nand\n${element(600)}\n`],
    bash(textOf(300, 1)),
    ["assistant", `${element(700, "Plan:v2")}\nDone.`],
    bash(textOf(300, 2)),
    go,
  ];
  const messages = writeMessages(kind, items);
  const regions = collectShakeRegions(messages, aggressive);

  it("come in document order, with everything that there is to know of them", () => {
    const plain = kind === "openai-chat" || kind === "decoded";
    const inText = { blockIndex: plain ? -1 : 0 };
    const inResult = { blockIndex: plain ? -1 : kind === "opencode" ? 1 : 0, start: 0, label: "bash" };
    const at = (index: number) => ({ entry: entryOf(kind, items, index) });
    expect(regions).toEqual([
      expect.objectContaining({
        kind: "block",
        ...at(0),
        ...inText,
        start: 6,
        originalText: fence(500),
        label: "user",
      }),
      expect.objectContaining({
        kind: "block",
        ...at(0),
        ...inText,
        originalText: element(600),
        label: "user",
      }),
      expect.objectContaining({ kind: "toolResult", ...at(1), ...inResult, originalText: textOf(300, 1) }),
      expect.objectContaining({ kind: "block", ...at(2), ...inText, start: 0, label: "assistant" }),
      expect.objectContaining({ kind: "toolResult", ...at(3), ...inResult, originalText: textOf(300, 2) }),
    ]);
    for (const { start, end, tokens, originalText } of regions) {
      expect(end - start).toBe(originalText.length);
      expect(tokens).toBe(estimateTokens(originalText));
    }
  });

  it("the messages stay as they were", () => {
    const before = structuredClone(messages);
    collectShakeRegions(messages, aggressive);
    expect(messages).toEqual(before);
  });
});

describe("the newest tokens of the whole context", () => {
  const items = [bash(textOf(500, 1)), ["assistant", textOf(300)], bash(textOf(500, 2)), go] as const;
  const { transcript } = new MessageBench(writeMessages("openai-chat", items));
  const behind = (part: number) => transcript.tokens.slice(part + 1).reduce((sum, tokens) => sum + tokens, 0);
  const results = transcript.parts.flatMap(({ kind }, index) => (kind === "result" ? [index] : []));
  const [older = 0, newer = 0] = results;

  it.each<[string, number, number]>([
    ["none", 0, 2],
    ["not one of them reaches the newer result", behind(newer), 2],
    ["the newer result straddles the edge", behind(newer) + 1, 1],
    ["texts and calls count too", behind(older), 1],
    ["the older result straddles the edge", behind(older) + 1, 0],
    ["more than there are", 1_000_000, 0],
  ])("%s", (_, protectTokens, count) => expect(textsOf(items, { protectTokens })).toHaveLength(count));
});

describe("tool results", () => {
  const [own = ""] = listPartRefs("result:c0#1" as PartKey);
  const superseded = (ref: string) => `[superseded: newer read of ${"a/".repeat(60)}a.ts · ${ref}]`;
  const found = `[Pruned grep: 15 matches, first 3:\n${textOf(100)}\n... +12 more`;

  it.each<[string, string, boolean]>([
    ["a text", textOf(300), true],
    ["empty", "", false],
    ["blank", " \n\t ", false],
    ["no larger than a placeholder", "All tests passed.", false],
    ["superseded", superseded(own), false],
    ["superseded, it says", superseded("a1b2c3"), true],
    ["discarded", `[discarded: ${"very ".repeat(40)}old · ${own}]`, false],
    ["shaken", `[shaken ~123456789 tokens ${"and more ".repeat(20)}· recall ${own}]`, false],
    ["shaken, it says", `[shaken ~123456789 tokens ${"and more ".repeat(20)}· recall a1b2c3]`, true],
    ["summarized", `${found} · ${own}]`, false],
    ["summarized, it says", `${found} · a1b2c3]`, true],
    ["summarized without a ref, it says", `${found}]`, true],
    [
      "cut, but for the host's instructions",
      `${superseded(own)}\n<system-reminder>\n${textOf(50)}\n</system-reminder>`,
      false,
    ],
    ["its own ref, but not where we put it", `${superseded(own)} and more\n${textOf(100)}`, true],
    ["a page that gives instructions", `<system-reminder>\n${textOf(50)}\n</system-reminder>`, true],
    ["a text that ends in brackets", `${textOf(300)}\n[a1b2c3]`, true],
  ])("%s", (_, output, isTaken) => {
    expect(textsOf([bash(output), go])).toEqual(isTaken ? [output] : []);
  });

  it("failed ones go too, pending and cleared ones do not", () => {
    const tool = (callID: string, state: object) => ({
      info: { role: "assistant" },
      parts: [{ type: "tool", callID, tool: "bash", state: { input: {}, ...state } }],
    });
    const output = textOf(300);
    const messages = [
      tool("c1", { status: "error", error: output }),
      tool("c2", { status: "running" }),
      tool("c3", { status: "completed", output, time: { compacted: 1 } }),
      tool("c4", { status: "completed", output, time: {} }),
    ];
    expect(collectShakeRegions(messages, aggressive).map(({ entry }) => entry)).toEqual([0, 3]);
  });

  it("whose call is not there are labelled all the same", () => {
    const messages = [{ role: "tool", tool_call_id: "gone", content: textOf(300) }];
    expect(collectShakeRegions(messages, aggressive)).toEqual([
      expect.objectContaining({ kind: "toolResult", label: "tool" }),
    ]);
  });

  it("in several blocks are one region", () => {
    const content = [
      { type: "text", text: textOf(100, 1) },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
      { type: "text", text: textOf(200, 2) },
    ];
    const messages = [
      {
        role: "assistant",
        content: [
          { type: "text", text: "hm" },
          { type: "tool_use", id: "c", name: "bash", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content }] },
    ];
    expect(collectShakeRegions(messages, aggressive)).toEqual([
      expect.objectContaining({ originalText: `${textOf(100, 1)}\n${textOf(200, 2)}`, blockIndex: 0 }),
    ]);
  });
});

describe("protected tools", () => {
  const calls: readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[] = [
    ["bash", { command: "npm test" }],
    ["skill", { name: "pdf" }],
    ["use_skill", { name: "pdf" }],
    ["read", { filePath: ".agents/pdf/SKILL.md" }],
    ["bash", { command: "cat ~/.claude/skills/pdf/forms.md" }],
    ["write", { filePath: ".agents/pdf/SKILL.md", content: "x" }],
    ["context_recall", { ref: "a1b2c3" }],
    ["context_info", {}],
    ["mcp__github__get_issue", { number: 1 }],
  ];
  const items = [...calls.map(([name, input], i): Item => ["call", name, input, textOf(300, i)]), go];
  const messages = writeMessages("openai-chat", items);
  const takenWith = (protectedTools: readonly ProtectedToolMatcher[]) =>
    collectShakeRegions(messages, { ...aggressive, protectedTools }).map(({ entry }) => (entry - 1) / 2);

  // The recalled text (6) is new, so it stays in every case.
  it.each<[string, readonly ProtectedToolMatcher[], readonly number[]]>([
    ["none", [], [0, 1, 2, 3, 4, 5, 7, 8]],
    ["skills, and reads of their files", aggressive.protectedTools, [0, 5, 7, 8]],
    ["a name", ["bash"], [1, 2, 3, 5, 7, 8]],
    ["a name in capitals", ["Bash"], [1, 2, 3, 5, 7, 8]],
    ["a name without its prefix", ["get_issue"], [0, 1, 2, 3, 4, 5, 7]],
    ["a glob over names", ["context_*"], [0, 1, 2, 3, 4, 5, 8]],
    ["a glob over prefixed names", ["mcp__*"], [0, 1, 2, 3, 4, 5, 7]],
    ["a predicate over the result", [({ callId }) => callId === "c0"], [1, 2, 3, 4, 5, 7, 8]],
    ["a predicate over the call", [(_, call) => call?.tool !== "read"], [3]],
    ["a predicate over what it means", [(_, __, use) => use?.kind === "shell"], [1, 2, 3, 5, 7, 8]],
  ])("%s", (_, matchers, taken) => expect(takenWith(matchers)).toEqual(taken));

  it("a recalled text stays for ten steps, as everywhere", () => {
    const recall: Item = ["call", "context_recall", { ref: "a1b2c3" }, textOf(300)];
    const later = Array.from({ length: 10 }, (_, i): Item => ["call", "bash", { command: `${i}` }, "ok"]);
    const taken = (steps: number) =>
      collectShakeRegions(writeMessages("openai-chat", [recall, ...later.slice(0, steps), go]), {
        ...aggressive,
        protectedTools: [],
      }).length;
    expect([taken(9), taken(10)]).toEqual([0, 1]);
  });

  it("a predicate sees results without a call", () => {
    const orphan = [{ role: "tool", tool_call_id: "gone", content: textOf(300) }];
    const protectedTools = [(_: unknown, call: unknown) => call === undefined];
    expect(collectShakeRegions(orphan, { ...aggressive, protectedTools })).toEqual([]);
  });
});

describe("blocks", () => {
  it("stand in user, developer, assistant and custom messages, not in the system's, a tool's or in reasoning", () => {
    const content = fence(500);
    const roles = ["system", "user", "developer", "assistant", "bashExecution"];
    const messages = [
      ...roles.map((role) => ({ role, content })),
      { role: "assistant", content: "ok", reasoning_content: content },
      {
        role: "assistant",
        content: "ok",
        thinking_blocks: [{ type: "thinking", thinking: content, signature: "s" }],
      },
      { role: "user", content: "go" },
    ];
    const regions = collectShakeRegions(messages, aggressive, { format: "openai-chat" });
    expect(regions.map(({ entry, label }) => [entry, label])).toEqual([
      [1, "user"],
      [2, "developer"],
      [3, "assistant"],
      [4, "bashExecution"],
    ]);
  });

  it("a custom message's type is its label in every format", () => {
    const text = fence(500);
    const openCode = [{ info: { role: "notice" }, parts: [{ type: "text", text }] }];
    const anthropic = [{ role: "notice", content: text }];
    const label = expect.objectContaining({ label: "notice" });
    expect(collectShakeRegions(openCode, aggressive)).toEqual([label]);
    expect(collectShakeRegions(anthropic, aggressive, { format: "anthropic-messages" })).toEqual([label]);
  });

  it("do not come from a result, which goes whole, nor from a call's input", () => {
    const items: readonly Item[] = [["call", "write", { content: fence(500) }, `a\n${fence(600)}`], go];
    expect(textsOf(items)).toEqual([`a\n${fence(600)}`]);
  });

  it("never come from the newest user message", () => {
    expect(
      textsOf([["user", fence(500, 1)], ["user", fence(500, 2)], bash(""), ["assistant", "ok"]]),
    ).toEqual([fence(500, 1)]);
  });

  it("nor from what a person says beside a result since", () => {
    const result = { type: "tool_result", tool_use_id: "c", content: "ok" };
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "bash", input: {} }] },
      { role: "user", content: [result, { type: "text", text: fence(500) }] },
    ];
    expect(collectShakeRegions(messages, aggressive)).toEqual([]);
    expect(collectShakeRegions([...messages, { role: "user", content: "on" }], aggressive)).toHaveLength(1);
  });

  it("are left out below `fenceMinTokens`", () => {
    const tokens = estimateTokens(fence(300));
    expect(textsOf([["assistant", fence(300)], go], { fenceMinTokens: tokens })).toHaveLength(1);
    expect(textsOf([["assistant", fence(300)], go], { fenceMinTokens: tokens + 1 })).toEqual([]);
  });

  it("are left out where they would not get smaller", () => {
    expect(textsOf([["assistant", "```\na\n```"], go], { fenceMinTokens: 0 })).toEqual([]);
  });

  it("leave the host's instructions alone", () => {
    expect(textsOf([["user", `<system-reminder>\n${textOf(500)}\n</system-reminder>`], go])).toEqual([]);
  });

  it("end before a line break, CRLF too", () => {
    const text = `a\r\n${fence(500).replaceAll("\n", "\r\n")}\r\nb`;
    expect(textsOf([["assistant", text], go])).toEqual([text.slice(3, -3)]);
  });
});

describe("minSavings", () => {
  const items = [["assistant", fence(500)], bash(textOf(400)), go] as const;
  const messages = writeMessages("openai-chat", items);
  const { edits } = applyShakeRegions(
    messages,
    collectShakeRegions(messages, aggressive).map((region) => ({ region })),
  );
  const net = edits.reduce((sum, { edit }) => sum + (edit.type === "undo" ? 0 : edit.saved), 0);

  it("is about what is really saved, placeholders taken off", () => {
    expect(textsOf(items, { minSavings: net })).toHaveLength(2);
    expect(textsOf(items, { minSavings: net + 1 })).toEqual([]);
  });
});

describe("messages", () => {
  it("of no known format are a programmer's mistake", () => {
    expect(() => collectShakeRegions([{ speaker: "me" }], aggressive)).toThrow(/format/);
  });

  it("may be none", () => expect(collectShakeRegions([], aggressive)).toEqual([]));
});
