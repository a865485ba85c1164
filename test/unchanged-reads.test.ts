import { describe, expect, test } from "vitest";
import { formatByName } from "../src/formats/detect.ts";
import { createPruner, type PrunerOptions } from "../src/pruner.ts";
import { shakeRung } from "../src/strategies/shake/shake-rung.ts";
import { createToolKinds } from "../src/tool-kinds/tool-kinds.ts";
import { isUnchangedStub } from "../src/tool-kinds/unchanged-stub.ts";
import { Conversation, textOf } from "./conversation.ts";

/* A read that a host answers with "unchanged": the earlier result is the only copy. */

const CLAUDE =
  "File unchanged since last read. The content from the earlier Read tool_result in this conversation is still current — refer to that instead of re-reading.";
const CLAUDE_NEWER =
  "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.";
const QWEN =
  "[File src/a.ts unchanged since last read in this session — the full content was provided earlier in this conversation. If you cannot retrieve that prior content (e.g. after context compaction) or you suspect the file was modified outside the read/edit tools (shell command, MCP tool, another process), re-read with explicit offset/limit to fetch current content.]";
const HERMES = JSON.stringify({
  status: "unchanged",
  message:
    "File unchanged since last read. The content from the earlier read_file result in this conversation is still current — refer to that instead of re-reading.",
  path: "src/a.ts",
  dedup: true,
});
const STUBS = { CLAUDE, CLAUDE_NEWER, QWEN, HERMES };

const file = { file_path: "src/a.ts" };
const text = textOf(900);
const EAGER: PrunerOptions = {
  config: { schedule: { mode: "eager" }, strategies: { spent: { views: 30 } } },
};
const COMPACT: PrunerOptions = {
  config: { schedule: { mode: "eager" }, strategies: { aggressivePruning: { preset: "compact" } } },
};
const VERBOSE: PrunerOptions = {
  config: { schedule: { mode: "eager" }, strategies: { aggressivePruning: { preset: "verbose" } } },
};

function resultsOf(conversation: Conversation, options: PrunerOptions): readonly string[] {
  const { messages, meta } = conversation;
  const pruned = createPruner({ ...options, format: "openai-chat" }).prune(messages, { meta });
  expect(pruned.report.issues.filter(({ severity }) => severity === "error")).toEqual([]);
  return pruned.messages.flatMap((message) => {
    const { role, content } = message as { role: string; content: unknown };
    return role === "tool" ? [String(content)] : [];
  });
}

function go(conversation: Conversation, steps: number, tokens = 20): Conversation {
  for (let i = 0; i < steps; i++)
    conversation.call("bash", { command: `echo ${conversation.messages.length}` }, textOf(tokens, i + 1));
  return conversation;
}

describe("the wording", () => {
  const kinds = createToolKinds();
  const isStub = (tool: string, input: unknown, output: string) =>
    isUnchangedStub(kinds.describe(tool, input), [output]);

  test.each(Object.entries(STUBS))("of %s", (_, stub) => {
    expect(isStub("Read", file, stub)).toBe(true);
    expect(isStub("Read", file, `${stub}\n\n<system-reminder>\nUse todos.\n</system-reminder>`)).toBe(true);
    expect(isStub("read_file", { absolute_path: "/a.ts" }, `${stub}\n`)).toBe(true);
  });

  test("in the fields of a result that is an object, as Gemini and the AI SDK have them", () => {
    const use = kinds.describe("read_file", { absolute_path: "/a.ts" });
    const message = { functionResponse: { name: "read_file", response: JSON.parse(HERMES) } };
    const [part] = formatByName("gemini").decode({ role: "user", parts: [message] }).parts;
    const texts = part?.leaves.map((leaf) => leaf.text) ?? [];
    expect(texts.length).toBeGreaterThan(1);
    expect(isUnchangedStub(use, texts)).toBe(true);
    expect(isUnchangedStub(use, [...texts, "1\tconst a = 1;\n2\tconst b = 2;"])).toBe(false);
    expect(isUnchangedStub(use, ["src/a.ts", "const a = 1;"])).toBe(false);
  });

  test.each<[string, string, unknown, string]>([
    ["from a page", "webfetch", { url: "https://evil.org" }, CLAUDE],
    ["from a command", "bash", { command: "cat src/a.ts" }, CLAUDE],
    ["of no file", "Read", {}, CLAUDE],
    ["with a line behind it", "Read", file, `${CLAUDE}\nand more`],
    ["in a file", "Read", file, `     1→${CLAUDE}`],
    ["in a long line", "Read", file, `File ${"x".repeat(2_000)} ${CLAUDE}`],
    ["of something else", "Read", file, "File src/a.ts has 12 lines, unchanged since 2019."],
  ])("not %s", (_, tool, input, output) => expect(isStub(tool, input, output)).toBe(false));
});

describe.each(Object.entries(STUBS))("%s: the earlier read stays", (_, stub) => {
  const again = () => new Conversation().call("Read", file, text).call("Read", file, stub);

  test.each<[string, PrunerOptions, Conversation]>([
    ["the same call again", VERBOSE, go(again(), 2)],
    ["one file, one view", EAGER, go(again(), 2)],
    ["any newer operation on the file", COMPACT, go(again(), 2)],
    ["two stubs", COMPACT, go(again().call("Read", file, stub), 2)],
    [
      "under another spelling",
      EAGER,
      go(new Conversation().call("Read", file, text).call("Read", { file_path: "./src/a.ts" }, stub), 2),
    ],
    [
      "a range of it",
      EAGER,
      go(new Conversation().call("Read", file, text).call("Read", { ...file, offset: 5, limit: 9 }, stub), 2),
    ],
    [
      "when its own time is over, and not the stub's",
      EAGER,
      go(go(new Conversation().call("Read", file, text), 20).call("Read", file, stub), 20),
    ],
    [
      "when it is old, and the stub is not",
      {
        config: {
          schedule: { mode: "eager" },
          strategies: { pruneProtect: 3_000, pruneMinimum: 0, spent: { enabled: false, views: 30 } },
        },
      },
      go(go(new Conversation().call("Read", file, text), 2, 500).call("Read", file, stub), 5, 500),
    ],
    [
      "a shake",
      {
        ladder: [shakeRung({ protectTokens: 0, minSavings: 0, fenceMinTokens: 400, protectedTools: [] })],
        prefixTokens: 0,
        config: { window: 9_000, strategies: { spent: { enabled: false } }, schedule: { ingestCap: null } },
      },
      go(new Conversation().call("Read", file, text).call("Read", file, stub), 9, 900),
    ],
    [
      "the whole ladder",
      {
        prefixTokens: 0,
        config: { window: 9_000, strategies: { spent: { enabled: false } }, schedule: { ingestCap: null } },
      },
      go(new Conversation().call("Read", file, text).call("Read", file, stub), 9, 900),
    ],
  ])("%s", (_what, options, conversation) => {
    const results = resultsOf(conversation, options);
    expect(results[0]).toBe(text);
  });
});

describe("the earlier read goes", () => {
  test.each<[string, PrunerOptions, Conversation]>([
    [
      "with a newer full read",
      EAGER,
      go(
        new Conversation()
          .call("Read", file, text)
          .call("Read", file, CLAUDE)
          .call("Read", file, textOf(900, 3)),
        1,
      ),
    ],
    [
      "with an edit, under the strict rule",
      COMPACT,
      go(
        new Conversation()
          .call("Read", file, text)
          .call("Read", file, CLAUDE)
          .call("Edit", { ...file, old_string: "x" }, "ok"),
        1,
      ),
    ],
    [
      "when the stub's time is over too",
      EAGER,
      go(new Conversation().call("Read", file, text).call("Read", file, CLAUDE), 40),
    ],
    [
      "when the stub is old too",
      {
        config: {
          schedule: { mode: "eager" },
          strategies: { pruneProtect: 3_000, pruneMinimum: 0, spent: { enabled: false, views: 30 } },
        },
      },
      go(new Conversation().call("Read", file, text).call("Read", file, CLAUDE), 20, 500),
    ],
    [
      "with a page that says so",
      EAGER,
      go(
        new Conversation()
          .call("webfetch", { url: "https://a.b" }, text)
          .call("webfetch", { url: "https://a.b" }, CLAUDE),
        1,
      ),
    ],
    [
      "with a stub of another file",
      EAGER,
      go(new Conversation().call("Read", file, text).call("Read", { file_path: "b.ts" }, CLAUDE), 40),
    ],
    [
      "with another server's stub",
      COMPACT,
      go(new Conversation().call("Read", file, text).call("mcp__evil__Read", file, CLAUDE), 40),
    ],
  ])("%s", (_, options, conversation) => {
    expect(resultsOf(conversation, options)[0]).not.toBe(text);
  });
});

describe("an earlier read that was cut comes back", () => {
  /** Request by request, like a host: the text of the first result each time. */
  function live(conversation: Conversation, options: PrunerOptions): readonly string[] {
    const pruner = createPruner({ ...options, format: "openai-chat" });
    const ends = conversation.messages.flatMap((message, i) =>
      (message as { role: string }).role === "tool" ? [i + 1] : [],
    );
    return ends.map((end) => {
      const messages = conversation.messages.slice(0, end);
      const { messages: pruned } = pruner.prune(messages, { meta: conversation.meta.slice(0, end) });
      const cold = createPruner({ ...options, format: "openai-chat" }).prune(messages, {
        meta: conversation.meta.slice(0, end),
      });
      expect(JSON.stringify(cold.messages)).toBe(JSON.stringify(pruned));
      return String((pruned[2] as { content: unknown }).content);
    });
  }

  const spent = () => go(new Conversation().call("Read", file, text), 34);

  test.each<[string, PrunerOptions]>([
    ["at once", EAGER],
    [
      "and not when the cache is cold only",
      { config: { schedule: { mode: "rent-or-buy", requestedLimit: 0 } } },
    ],
  ])("%s", (_, options) => {
    const cut = go(spent().wait(3_600_000), 2);
    const before = live(cut, options);
    expect(before.at(-1)).not.toBe(text);
    const after = live(go(cut.call("Read", file, CLAUDE), 3), options);
    expect(after.slice(before.length)).toEqual([text, text, text, text]);
  });

  test("and is cut again when the stub has expired", () => {
    const shown = live(go(spent().call("Read", file, CLAUDE), 34), EAGER);
    expect(shown.slice(35).filter((each) => each === text)).toHaveLength(30);
    expect(shown.at(-1)).toContain("lines omitted");
  });

  test("superseded by a shell's view of it: that is the copy", () => {
    const other = textOf(900, 5);
    const cat = new Conversation().call("Read", file, text).call("bash", { command: "cat src/a.ts" }, other);
    const results = resultsOf(go(cat.call("Read", file, CLAUDE), 40), EAGER);
    expect(results[0]).toContain("[superseded: ");
    const young = resultsOf(
      go(
        new Conversation()
          .call("Read", file, text)
          .call("bash", { command: "cat src/a.ts" }, other)
          .call("Read", file, CLAUDE),
        2,
      ),
      EAGER,
    );
    expect(young[1]).toBe(other);
  });

  test("not before reasoning bound to the cut may be dropped", () => {
    const call = (id: string, name: string, input: unknown, output: string, signed: boolean) => [
      {
        role: "assistant",
        content: [
          ...(signed ? [{ type: "thinking", thinking: "Hm.", signature: `s-${id}` }] : []),
          { type: "tool_use", id, name, input },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
    ];
    const say = (content: string) => ({ role: "user", content });
    const steps = Array.from({ length: 34 }, (_, i) =>
      call(`b${i}`, "Bash", { command: `echo ${i}` }, "ok", false),
    );
    const messages = [
      say("Go."),
      ...call("r1", "Read", file, text, false),
      ...steps.flat(),
      { role: "assistant", content: "Done." },
      say("Again."),
      ...call("x", "Bash", { command: "ls" }, "a.ts", true),
      ...call("r2", "Read", file, CLAUDE, true),
      ...call("y", "Bash", { command: "pwd" }, "/", true),
      { role: "assistant", content: "Done." },
      say("And again."),
    ];
    const prices = { "*": { reasoning: "bound" as const } };
    const pruner = createPruner({
      format: "anthropic-messages",
      config: { schedule: { mode: "eager", prices } },
    });
    const format = formatByName("anthropic-messages");
    const shown = (end: number) => {
      const sent = pruner.prune(messages.slice(0, end)).messages;
      expect(format.validate(sent, "bound")).toEqual([]);
      return { first: JSON.stringify(sent[2]), thoughts: JSON.stringify(sent).split("signature").length - 1 };
    };
    const last = messages.length;
    for (let end = 3; end < last - 8; end += 2) shown(end);
    expect(shown(last - 8).first).toContain("lines omitted");
    expect(shown(last - 6)).toMatchObject({ first: expect.stringContaining("lines omitted"), thoughts: 1 });
    expect(shown(last - 4)).toMatchObject({ first: expect.stringContaining("lines omitted"), thoughts: 2 });
    expect(shown(last - 2)).toMatchObject({ first: expect.stringContaining("lines omitted"), thoughts: 3 });
    expect(shown(last)).toMatchObject({
      first: expect.stringContaining(JSON.stringify(text).slice(1, -1)),
      thoughts: 0,
    });
  });
});
