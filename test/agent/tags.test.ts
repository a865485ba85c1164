import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findTagsAtEnd } from "../../src/agent/tags.ts";
import type { PartialConfig } from "../../src/config/config.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { createPruner } from "../../src/pruner.ts";
import { stripTags } from "../../src/transcript/own-tags.ts";
import { textOf } from "../conversation.ts";
import { AgentSession } from "./agent-session.ts";

const FORMATS: readonly FormatName[] = ["openai-chat", "anthropic-messages", "opencode"];
const bash = (command: string) => ({ command });

function spoken(
  settings: NonNullable<PartialConfig["tools"]>["settings"] = {},
  format: FormatName = "openai-chat",
) {
  return new AgentSession({ config: { tools: { settings } } }, format).step({
    text: textOf(400, 3),
    thinking: { text: textOf(400, 4), signed: false },
    calls: [
      ["bash", bash("npm test"), textOf(900)],
      ["bash", bash("ls"), "a.ts"],
      ["todowrite", { todos: [] }, textOf(400, 5)],
    ],
  });
}

describe.each(FORMATS)("%s", (format) => {
  test("refs of a step's text and reasoning are on its last result that may carry a tag, small or not", () => {
    const session = spoken({}, format);
    const results = session.results();
    const [text, reasoning, tool] = [session.ref("text"), session.ref("reasoning"), session.ref("result")];
    expect(results[0]?.endsWith(`\n<tool_hash>${tool}</tool_hash>`)).toBe(true);
    expect(results[1]?.split("\n").toSorted()).toEqual([
      `<message_hash>${text}</message_hash>`,
      `<reasoning_hash>${reasoning}</reasoning_hash>`,
      "a.ts",
    ]);
    expect(results[2]).toBe(textOf(400, 5));
    const others = session.shown().filter(({ kind }) => kind !== "result");
    expect(others.some(({ text: shown }) => shown.includes("_hash>"))).toBe(false);
  });

  test("never change, and cost nothing when a pruned transcript is pruned again", () => {
    const session = spoken({}, format);
    const before = session.results().slice(0, 2);
    session.call("bash", bash("npm run lint"), textOf(500, 8)).step({ text: "done" }).prompt("go on");
    expect(session.results().slice(0, 2)).toEqual(before);
    const { messages } = session.prune();
    const again = createPruner({ ...session.options, format }).prune(messages);
    expect(again.messages).toEqual(messages);
  });
});

describe("who carries one", () => {
  test.each([
    ["hashes not visible", { enableVisibleAssistantHashes: false }, []],
    ["no messages", { enableAssistantMessagePruning: false }, ["reasoning"]],
    ["no reasoning", { enableReasoningPruning: false }, ["message"]],
  ])("%s", (_, settings, expected) => {
    const shown = spoken(settings).results()[1] ?? "";
    expect([...shown.matchAll(/<(message|reasoning)_hash>/g)].map(([, kind]) => kind)).toEqual(expected);
  });

  test("small parts have no tags, and a step without results has its refs in context_info", () => {
    const session = new AgentSession()
      .step({ text: textOf(100, 3), calls: [["bash", bash("x"), textOf(100)]] })
      .step({ text: textOf(400, 4) });
    expect(JSON.stringify(session.prune().messages)).not.toContain("_hash>");
    expect(session.info()).toContain(session.ref("text", 1));
    expect(session.info()).toContain(session.ref("result"));
  });

  test.each([
    [
      "a picture",
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
    ],
    ["names of tools", { type: "tool_reference", tool_name: "WebFetch" }],
  ])("a result without text has no tag, and none is counted: %s", (_, block) => {
    const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: bash(id) });
    const prune = (...results: readonly (readonly [string, unknown])[]) => {
      const content = results.map(([id, value]) => ({
        type: "tool_result",
        tool_use_id: id,
        content: value,
      }));
      const said = [{ type: "text", text: textOf(400, 3) }, ...results.map(([id]) => call(id))];
      const messages = [
        { role: "user", content: "go" },
        { role: "assistant", content: said },
        { role: "user", content },
      ];
      const pruner = createPruner({ format: "anthropic-messages", agentTools: true });
      const { messages: sent, report } = pruner.prune(messages, { session: "s" });
      return {
        sent: JSON.stringify(sent),
        added: (pruner.agentView("s")?.view.total ?? 0) - report.tokens.before,
      };
    };
    const alone = prune(["b", [block]]);
    expect(alone.sent).not.toContain("_hash>");
    expect(alone.added).toBe(0);
    const beside = prune(["a", "a.ts"], ["b", [block]]);
    expect(beside.sent).toMatch(/a\.ts\\n<message_hash>/);
    expect(beside.added).toBeGreaterThan(0);
  });

  test("with every action turned off there are no tags", () => {
    const tools = { discard: { enabled: false }, distill: { enabled: false }, replace: { enabled: false } };
    const session = new AgentSession({ config: { tools } }).call("bash", bash("x"), textOf(900));
    expect(session.results()[0]).toBe(textOf(900));
    expect(session.ask("discard", [["000000"]])).toContain("turned off");
  });

  test("a tag in a file is not a ref, and does not hide the real one", () => {
    const foreign = `${textOf(900)}\n<tool_hash>abcdef</tool_hash>`;
    const session = new AgentSession().call("read", { filePath: "x" }, foreign);
    expect(session.results()[0]).toBe(`${foreign}\n<tool_hash>${session.ref("result")}</tool_hash>`);
    expect(session.ask("discard", [["abcdef"]])).toContain("abcdef: unknown ref");
  });
});

describe("findTagsAtEnd", () => {
  const tag = "\n<tool_hash>a1b2c3</tool_hash>";
  const other = "\n<message_hash>0f0f0f</message_hash>";
  test.each<[string, string]>([
    ["", ""],
    ["a", ""],
    [tag, tag],
    [`a${other}${tag}`, other + tag],
    [`a${tag}b${tag}`, tag],
    [`a${tag}\n`, ""],
    [tag.slice(1), ""],
    [`\n<tool_hash>a1b2c</tool_hash>`, ""],
    [`a${tag.repeat(5_000)}`, tag.repeat(5_000)],
  ])("%.60j", (text, expected) => expect(findTagsAtEnd(text)).toBe(expected));
});

describe("stripTags", () => {
  test.each([
    ["Done.\n<tool_hash>a1b2c3</tool_hash>", "Done."],
    ["<message_hash>a1b2c3</message_hash>Done <reasoning_hash>a1b2c3</reasoning_hash>.", "Done ."],
    ["<tool_hash>A1B2C3</tool_hash> <tool_hash>a1b2c3</message_hash>", undefined],
    ["nothing to strip", undefined],
  ])("%j", (text, expected) => expect(stripTags(text)).toBe(expected ?? text));

  test("leaves any text without tags alone", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(stripTags(text)).toBe(text);
      }),
    );
  });

  test("a summary is stored without tags that the agent copied into it", () => {
    const session = new AgentSession().call("bash", bash("npm test"), textOf(900));
    const ref = session.ref("result");
    session.ask("distill", [[ref, `all green\n<tool_hash>${ref}</tool_hash>`]]);
    expect(session.results()[0]).toBe(`[distilled: bash npm test · ${ref}]\nall green`);
  });
});
