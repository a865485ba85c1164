import { describe, expect, test } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { formatByName } from "../../../src/formats/detect.ts";
import { profileFor } from "../../../src/models/profile-for.ts";
import { ContextOverflowError } from "../../../src/strategies/trim/context-overflow-error.ts";
import { FileTracker } from "../../../src/strategies/trim/file-tracker.ts";
import { trimByAge } from "../../../src/strategies/trim/trim-by-age.ts";
import { trimByPriority } from "../../../src/strategies/trim/trim-by-priority.ts";
import { trimConversation } from "../../../src/strategies/trim/trim-conversation.ts";
import type { TrimOptions, TrimResult } from "../../../src/strategies/trim/trim-options.ts";
import { trimWithPlaceholders } from "../../../src/strategies/trim/trim-with-placeholders.ts";
import { createToolKinds } from "../../../src/tool-kinds/tool-kinds.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";
import { type Conversation, numbered, textOf } from "../../conversation.ts";
import { type ChatMessage, chatOf, outline, readFiles } from "./chat.ts";

const messagesOf = <M>(dropped: readonly { readonly message: M }[]) => dropped.map(({ message }) => message);
const size = (messages: readonly unknown[]) => new MessageBench(messages).view.total;

/** Asks for one token less each time and notes what changes: the whole order of a trim. */
function traceOrder(
  trim: (messages: readonly ChatMessage[], options: TrimOptions) => TrimResult<ChatMessage>,
  messages: readonly ChatMessage[],
  options: Partial<TrimOptions> = {},
): readonly string[] {
  const order: string[] = [];
  const noted = new Set<string>();
  for (let targetTokens = size(messages); ; targetTokens--) {
    try {
      const { edits, savedTokens } = trim(messages, { targetTokens, preserveRecentTurns: 2, ...options });
      targetTokens = size(messages) - savedTokens;
      for (const { edit } of edits) {
        if (edit.type === "undo") continue;
        const name = `${edit.type} ${edit.part.replace(/#1$/, "").replace(/:[0-9a-f]{16}/, "")}`;
        if (noted.has(edit.id)) continue;
        noted.add(edit.id);
        order.push(name);
      }
    } catch (error) {
      if (error instanceof ContextOverflowError) return order;
      throw error;
    }
  }
}

/** One of everything, the newest step last. Calls are call_0 …. */
const mixed = chatOf(
  (c) =>
    c
      .answer("An old answer.")
      .say("An old question?")
      .call("read", { filePath: "old.ts" }, textOf(100, 1)) // call_0: a stale read
      .call("bash", { command: "npm test" }, textOf(100, 2)) // call_1: a stale result
      .call("bash", { command: "ls" }, "[superseded: newer ls · a1b2c3]") // call_2: a summary
      .call("edit", { filePath: "mine.ts", oldString: "a", newString: "b" }, textOf(100, 3)) // call_3: modified
      .say("Go on, please.")
      .call("read", { filePath: "new.ts" }, textOf(100, 4)) // call_4: a recent read
      .call("bash", { command: "npm run lint" }, textOf(100, 5)), // call_5: a recent result
);

describe("the order", () => {
  test("by priority: summaries, stale results (reads last), old history, recent reads, recent turns, modified", () => {
    expect(traceOrder(trimByPriority, mixed)).toEqual([
      "drop call:call_2",
      "drop call:call_1",
      "drop call:call_0",
      "drop text",
      "drop text",
      "drop call:call_4",
      "drop call:call_5",
      "replace result:call_3",
      "replace result:call_3",
    ]);
  });

  test("with placeholders: the same, but a long and a short placeholder before a group goes", () => {
    expect(traceOrder(trimWithPlaceholders, mixed)).toEqual([
      "drop call:call_2",
      "replace result:call_1",
      "replace result:call_0",
      "replace result:call_0",
      "drop call:call_1",
      "drop call:call_0",
      "drop text",
      "drop text",
      "replace result:call_4",
      "replace result:call_4",
      "drop call:call_4",
      "replace result:call_5",
      "drop call:call_5",
      "replace result:call_3",
      "replace result:call_3",
    ]);
  });

  test("by age: old results, oldest first, the small ones later; then older turns; recent steps stay", () => {
    const messages = chatOf((c) =>
      c
        .answer("Hello.")
        .say("Look.")
        .call("bash", { command: "a" }, textOf(50)) // small
        .call("bash", { command: "b" }, textOf(300))
        .call("bash", { command: "c" }, textOf(300))
        .call("bash", { command: "d" }, textOf(300)) // not older than maxAge
        .say("And now?")
        .call("bash", { command: "e" }, textOf(300)),
    );
    expect(traceOrder(trimByAge, messages, { maxAge: 2, preserveRecentTurns: 1 })).toEqual([
      "drop call:call_1",
      "drop call:call_2",
      "drop call:call_0",
      "drop text",
      "drop text",
      "drop call:call_3",
      "drop text",
    ]);
  });

  test("by age: maxAge alone says which results are old; what preserveRecentTurns keeps is the rest", () => {
    const messages = chatOf((c) => readFiles(c, 6));
    const dropped = (options: object) =>
      traceOrder(trimByAge, messages, { preserveRecentTurns: 9, ...options }).filter((each) =>
        /call/.test(each),
      );
    expect(dropped({ maxAge: 9 })).toEqual([]);
    expect(dropped({ maxAge: 2 }).length).toBeGreaterThan(0);
  });

  test("by age errors stay while possible", () => {
    const step = (id: string, content: string, is_error: boolean) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "bash", input: { command: id } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error }] },
    ];
    const messages = [
      { role: "user", content: "go" },
      ...step("failed", textOf(300), true),
      ...step("fine", textOf(300), false),
      { role: "assistant", content: "Done." },
    ];
    const targetTokens = size(messages) - 100;
    const { droppedMessages } = trimByAge(messages, { targetTokens, maxAge: 1, preserveRecentTurns: 1 });
    expect(messagesOf(droppedMessages)).toEqual(messages.slice(3, 5));
  });
});

describe("by priority", () => {
  const messages = chatOf((c) => readFiles(c, 12).say("Now the last one."));

  test("order and identity are kept, and the sizes are true", () => {
    const targetTokens = 2_000;
    const result = trimByPriority(messages, { targetTokens });
    expect(result.messages.length).toBeLessThan(messages.length);
    expect(result.messages).toEqual(messages.filter((message) => result.messages.includes(message)));
    expect(messagesOf(result.droppedMessages)).toEqual(
      messages.filter((message) => !result.messages.includes(message)),
    );
    expect(size(result.messages)).toBe(size(messages) - result.savedTokens);
    expect(size(result.messages)).toBeLessThanOrEqual(targetTokens);
    expect(result).not.toHaveProperty("summary");
  });

  test("what fits already comes out as it is", () => {
    const result = trimByPriority(messages, { targetTokens: size(messages) });
    expect(result.messages).toEqual(messages);
    expect(result).toMatchObject({ droppedMessages: [], savedTokens: 0, metadata: [], edits: [] });
  });

  test("parallel calls are one group: they leave together, when the dearest of them would", () => {
    const call = (id: string, name: string, input: object) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    });
    const parallel: ChatMessage[] = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [call("a", "read", { filePath: "a.ts" }), call("b", "edit", { filePath: "b.ts" })],
      },
      { role: "tool", tool_call_id: "a", content: textOf(300, 1) },
      { role: "tool", tool_call_id: "b", content: textOf(300, 2) },
      {
        role: "assistant",
        content: null,
        tool_calls: [call("c", "read", { filePath: "c.ts" }), call("d", "bash", { command: "ls" })],
      },
      { role: "tool", tool_call_id: "c", content: textOf(50, 3) },
      { role: "tool", tool_call_id: "d", content: textOf(50, 4) },
      { role: "assistant", content: "Done." },
    ];
    const options = { preserveRecentTurns: 0 };
    const less = trimByPriority(parallel, { targetTokens: size(parallel) - 1, ...options });
    expect(messagesOf(less.droppedMessages)).toEqual(parallel.slice(4, 7));
    // a.ts is stale, but b.ts beside it was changed
    const least = trimByPriority(parallel, { targetTokens: size(parallel) - 300, ...options });
    expect(least.messages).toHaveLength(4);
    expect(least.metadata.map(({ callId }) => callId)).toContain("a");
  });

  test("text beside calls stays when they go, and goes later", () => {
    const [first, ...rest] = chatOf((c) => readFiles(c, 3).say("Next."));
    const [prompt, call, ...others] = rest;
    if (!first || !prompt || !call) throw new Error("there are three");
    const spoken = { ...call, content: "I look at the first file." };
    const given = [first, prompt, spoken, ...others];
    const targetTokens = size(given) - 10;
    const { messages: left, droppedMessages } = trimByPriority(given, {
      targetTokens,
      preserveRecentTurns: 0,
    });
    expect(outline(left).slice(1, 3)).toEqual(["Fix it.", "I look at the first file."]);
    expect(messagesOf(droppedMessages)).toEqual([others[0]]);
  });

  test("the conversation still begins with the user", () => {
    const chat = chatOf((c) => c.answer(textOf(100)).say("Second.").answer("Short.").say("Third."));
    const trimmed = (targetTokens: number) =>
      outline(trimByPriority(chat, { targetTokens, preserveRecentTurns: 0 }).messages);
    const rest = ["Second.", "Short.", "Third."];
    expect(trimmed(size(chat) - 1)).toEqual(["You are an agent.", "Fix it.", ...rest]);
    expect(trimmed(size(chat) - size(chat.slice(2, 3)) - 1)).toEqual(["You are an agent.", ...rest]);
  });

  test("an opening message that has to stay leaves a placeholder", () => {
    const chat = chatOf(
      (c) => c.call("edit", { filePath: "a.ts", newString: "x" }, "ok").say("Next."),
      textOf(400),
    );
    const { messages: left } = trimByPriority(chat, { targetTokens: 200, preserveRecentTurns: 0 });
    expect(left[1]?.content).toMatch(/^\[Content truncated - 2 steps ago - \d+ tokens\]$/);
    expect(left.slice(2)).toEqual(chat.slice(2));
  });

  test("a given tracker is asked instead", () => {
    const fileTracker = new FileTracker();
    fileTracker.trackAccess("src/f0.ts", 1, "edit");
    const { messages: left } = trimByPriority(messages, { targetTokens: 1_000, fileTracker });
    expect(left).toContain(messages[2]);
  });

  test("a result without a call leaves by itself", () => {
    const chat: ChatMessage[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: "I look." },
      { role: "tool", tool_call_id: "x", content: textOf(200) },
      { role: "assistant", content: "Done." },
    ];
    const trimmed = trimByPriority(chat, { targetTokens: 100, preserveRecentTurns: 1 });
    expect(messagesOf(trimmed.droppedMessages)).toEqual([chat[2]]);
  });

  test("agent instructions, wherever they stand, are never removed", () => {
    const chat = chatOf((c) =>
      readFiles(
        c.say("# AGENTS.md\n\nUse tabs.").call("read", { filePath: "CLAUDE.md" }, "Use spaces."),
        4,
      ).say("Go."),
    );
    const kept = chat.filter((_, i) => [0, 2, 3, 4, chat.length - 1].includes(i));
    expect(outline(kept)).toEqual(["You are an agent.", "# AGENTS.md", "call_0", "Use spaces.", "Go."]);
    const options = { targetTokens: size(kept), preserveRecentTurns: 0 };
    expect(trimByPriority(chat, options).messages).toEqual(kept);
    expect(trimWithPlaceholders(chat, options).messages).toEqual(kept);
    expect(trimByAge(chat, { ...options, maxAge: 0 }).messages).toEqual(kept);
  });

  test("what must stay and does not fit is an overflow, with the sizes", () => {
    const chat = chatOf((c) => readFiles(c, 2), textOf(500));
    const overflow = () => trimByPriority(chat, { targetTokens: 100 });
    expect(overflow).toThrow(ContextOverflowError);
    try {
      overflow();
    } catch (error) {
      const { name, originalTokens, remainingTokens, targetTokens } = error as ContextOverflowError;
      expect({ name, originalTokens, remainingTokens, targetTokens }).toEqual({
        name: "ContextOverflowError",
        originalTokens: size(chat),
        remainingTokens: size(chat.slice(0, 2)),
        targetTokens: 100,
      });
    }
  });

  test.each([Number.NaN, -1])("a target of %s is a mistake", (targetTokens) => {
    expect(() => trimByPriority([], { targetTokens })).toThrow(RangeError);
  });

  test("no messages are no trouble, and messages of no format are a mistake", () => {
    expect(trimByPriority([], { targetTokens: 0 }).messages).toEqual([]);
    expect(() => trimByPriority([1, 2], { targetTokens: 0 })).toThrow(TypeError);
  });

  test("a format that is named counts", () => {
    const plain = [
      { role: "user", content: "go" },
      { role: "assistant", content: "Done." },
    ];
    const { messages: left } = trimByPriority(plain, { targetTokens: 50, format: "anthropic-messages" });
    expect(formatByName("anthropic-messages").validate(left, "none")).toEqual([]);
  });
});

test("what was dropped comes with its class, its priority and its tokens", () => {
  const { droppedMessages } = trimByAge(mixed, { targetTokens: 430, maxAge: 0, preserveRecentTurns: 2 });
  const lines = droppedMessages.map(({ message, class: name, priority, tokens, step, metadata }) => {
    expect(tokens).toBe(size([message]));
    return `${message.tool_call_id ?? message.tool_calls?.[0]?.id ?? message.content}: ${name} ${priority}, step ${step}, age ${metadata.age}, ${metadata.filePath ?? "-"}`;
  });
  expect(lines).toMatchInlineSnapshot(`
    [
      "call_0: STALE_TOOL_OUTPUTS 30, step 2, age 6, old.ts",
      "call_0: STALE_TOOL_OUTPUTS 30, step 2, age 6, old.ts",
      "call_1: STALE_TOOL_OUTPUTS 30, step 3, age 5, -",
      "call_1: STALE_TOOL_OUTPUTS 30, step 3, age 5, -",
      "call_3: MODIFIED_FILES 70, step 5, age 3, mine.ts",
      "call_3: MODIFIED_FILES 70, step 5, age 3, mine.ts",
    ]
  `);
});

test("a message with several results is of the class of the dearest", () => {
  const use = (id: string, name: string, path: string) => ({
    ...{ type: "tool_use", id, name },
    input: { file_path: path, old_string: "a", new_string: "b" },
  });
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: textOf(300) });
  const given: unknown[] = [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: [use("a", "read", "old.ts"), use("b", "read", "mine.ts"), use("c", "read", "x.ts")],
    },
    { role: "user", content: [result("a"), result("b"), result("c")] },
    { role: "assistant", content: [use("d", "edit", "mine.ts")] },
    { role: "user", content: [{ ...result("d"), content: "ok" }] },
    { role: "assistant", content: "Done." },
    { role: "user", content: "Next." },
    { role: "assistant", content: "Well." },
  ];
  const { droppedMessages } = trimByAge(given, { targetTokens: 150, maxAge: 0, preserveRecentTurns: 2 });
  const [calls, results] = droppedMessages;
  expect(results?.message).toBe(given[2]);
  expect([calls?.class, results?.class]).toEqual(["MODIFIED_FILES", "MODIFIED_FILES"]);
});

describe("placeholders", () => {
  const one = (path: string, text: string, more: (c: Conversation) => unknown = () => {}) =>
    chatOf((c) => {
      c.call("read", { filePath: path }, text);
      more(c);
      c.answer("a").answer("b").say("Next.");
    });

  test("for a file the long form, each thing on a line of its own", () => {
    const text = `import a;\n  import b;\n${textOf(300)}`;
    const { messages } = trimWithPlaceholders(one("src/a.ts", text), {
      targetTokens: 200,
      preserveRecentTurns: 1,
    });
    expect(messages[3]?.content).toBe(
      [
        "[File: src/a.ts",
        `Lines: ${text.split("\n").length}`,
        "Last accessed: 3 steps ago",
        "Modified: no",
        `Preview: ${text.slice(0, 100)}...`,
        "Use read_file to retrieve current content]",
      ].join("\n"),
    );
  });

  test("a changed file is said to be one, and when it was last touched", () => {
    const chat = one("src/a.ts", textOf(300), (c) =>
      c.call("edit", { filePath: "src/a.ts", newString: "x" }, "ok"),
    );
    const { messages } = trimWithPlaceholders(chat, { targetTokens: 200, preserveRecentTurns: 0 });
    expect(messages.find(({ tool_call_id }) => tool_call_id === "call_0")?.content).toMatch(
      /Last accessed: 3 steps ago\nModified: yes/,
    );
  });

  test("the short form if the long one is not smaller, and for results that are not files", () => {
    const text = textOf(60);
    const chat = chatOf((c) =>
      c.call("read", { filePath: "src/a.ts" }, text).call("bash", { command: "x" }, text).say("Next."),
    );
    const { messages } = trimWithPlaceholders(chat, {
      targetTokens: size(chat) - 90,
      preserveRecentTurns: 0,
    });
    const tokens = estimateTokens(text);
    expect(messages[3]?.content).toBe(
      `[Content truncated - file: src/a.ts - 2 steps ago - ${tokens} tokens]`,
    );
    expect(messages[5]?.content).toBe(`[Content truncated - 1 steps ago - ${tokens} tokens]`);
  });

  test("none where none is smaller: then the group goes", () => {
    const chat = chatOf((c) => c.call("bash", { command: "x" }, "ok, done").answer("Fine.").say("Next."));
    const result = trimWithPlaceholders(chat, { targetTokens: size(chat) - 1, preserveRecentTurns: 0 });
    expect(result.metadata).toEqual([]);
    expect(messagesOf(result.droppedMessages)).toEqual(chat.slice(2, 4));
  });

  test("that it was truncated stands in the metadata and not on the wire", () => {
    const chat = one("src/a.ts", textOf(300));
    const { messages, metadata } = trimWithPlaceholders(chat, { targetTokens: 200, preserveRecentTurns: 1 });
    const placeholder = messages[3];
    expect(metadata).toEqual([
      {
        message: 3,
        source: 3,
        callId: "call_0",
        filePath: "src/a.ts",
        truncated: true,
        originalTokens: estimateTokens(chat[3]?.content ?? ""),
        tokens: size([placeholder]),
      },
    ]);
    expect(Object.keys(placeholder ?? {})).toEqual(Object.keys(chat[3] ?? {}));
  });

  test("instructions of the host inside a result outlive it", () => {
    const reminder = "<system-reminder>\nUse tabs.\n</system-reminder>";
    const chat = one("src/a.ts", `${numbered(textOf(300))}\n\n${reminder}`);
    const { messages } = trimWithPlaceholders(chat, { targetTokens: 200, preserveRecentTurns: 1 });
    expect(messages[3]?.content).toMatch(/\]\n<system-reminder>\nUse tabs\.\n<\/system-reminder>$/);
  });

  test("its own tokens count: one token less than it takes, and more goes", () => {
    const chat = one("src/a.ts", textOf(300));
    const options = { preserveRecentTurns: 1 };
    const long = trimWithPlaceholders(chat, { targetTokens: 300, ...options });
    const exact = size(long.messages);
    expect(trimWithPlaceholders(chat, { targetTokens: exact, ...options }).messages).toEqual(long.messages);
    const short = trimWithPlaceholders(chat, { targetTokens: exact - 1, ...options });
    expect(short.messages[3]?.content).toMatch(/^\[Content truncated - file/);
    const none = trimWithPlaceholders(chat, { targetTokens: size(short.messages) - 1, ...options });
    expect(messagesOf(none.droppedMessages)).toEqual(chat.slice(2, 4));
  });
});

describe("trimConversation", () => {
  const chat = chatOf((c) => readFiles(c, 12).say("Now the last one."));

  test("is the one or the other strategy", () => {
    const options = { preserveRecentTurns: 3 };
    expect(trimConversation(chat, 1_500, options)).toEqual(
      trimWithPlaceholders(chat, { targetTokens: 1_500, ...options }).messages,
    );
    expect(trimConversation(chat, 1_500, { ...options, strategy: "age-based", maxAge: 2 })).toEqual(
      trimByAge(chat, { targetTokens: 1_500, ...options, maxAge: 2 }).messages,
    );
  });

  test("without a target the window is the budget, less room for the answer", () => {
    const model = "gpt-4";
    const { window } = profileFor(model);
    const long = chatOf((c) => readFiles(c, 60, 300).say("Next."));
    expect(size(long)).toBeGreaterThan(window);
    const trimmed = trimConversation(long, undefined, { model });
    expect(trimmed).toEqual(trimConversation(long, window - 4_096));
    const roomier = trimConversation(long, undefined, { model, reservedOutputTokens: 0 });
    expect(roomier).toEqual(trimConversation(long, window));
    expect(roomier).not.toEqual(trimmed);
    expect(() => trimConversation(long, undefined)).toThrow(TypeError);
  });
});

describe("the same input gives the same output", () => {
  test.each([
    ["by priority", trimByPriority],
    ["with placeholders", trimWithPlaceholders],
    ["by age", trimByAge],
  ] as const)("%s", (_, trim) => {
    const result = trim(mixed, {
      targetTokens: 420,
      preserveRecentTurns: 2,
      maxAge: 2,
      summarizeDropped: true,
    });
    expect(outline(result.messages)).toMatchSnapshot();
    expect(result.summary).toMatchSnapshot();
    expect(
      trim(structuredClone(mixed), {
        targetTokens: 420,
        preserveRecentTurns: 2,
        maxAge: 2,
        summarizeDropped: true,
      }),
    ).toEqual(result);
  });
});

test("10,000 messages: every call is described once, every text looked at a fixed number of times", () => {
  const long = chatOf((c) => {
    for (let i = 0; i < 3_333; i++)
      c.call("read", { filePath: `src/f${i}.ts` }, textOf(40, i)).answer(`Read ${i}.`);
    c.say("Next.");
  });
  expect(long.length).toBeGreaterThan(10_000);
  for (const trim of [trimByPriority, trimWithPlaceholders, trimByAge]) {
    const kinds = createToolKinds();
    const work = { described: 0, looked: 0 };
    const describe: typeof kinds.describe = (...call) => {
      work.described++;
      return kinds.describe(...call);
    };
    const isAgentInstruction = () => {
      work.looked++;
      return false;
    };
    const { messages } = trim(long, { targetTokens: 20_000, toolKinds: { describe }, isAgentInstruction });
    expect(size(messages)).toBeLessThanOrEqual(20_000);
    expect(work.described).toBe(3_333);
    expect(work.looked).toBeLessThan(2 * long.length);
  }
}, 60_000);
