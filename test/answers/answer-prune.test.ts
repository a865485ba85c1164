import { describe, expect, test } from "vitest";
import { agentCommands } from "../../src/agent/agent-commands.ts";
import { answerPrune } from "../../src/answers/answer-prune.ts";
import { answerRecall } from "../../src/answers/answer-recall.ts";
import type { PartialConfig } from "../../src/config/config.ts";
import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import { createPruner, type PrunerOptions } from "../../src/pruner.ts";
import { explainRef } from "../../src/reports/explain-ref.ts";
import { duplicateCalls } from "../../src/strategies/duplicate-calls.ts";
import { usePass } from "../../src/strategies/strategy.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { textOf } from "../conversation.ts";

const FORMATS: readonly FormatName[] = ["openai-chat", "anthropic-messages", "opencode"];
const bash = (command: string) => ({ command });

function withRule(reasoning: ReasoningRule, more: PartialConfig = {}): { config: PartialConfig } {
  return { config: { ...more, schedule: { prices: { "*": { reasoning } }, ...more.schedule } } };
}

/** Two long results, so that there is something to choose from. */
function twoResults(session = new AgentSession()): AgentSession {
  return session
    .call("bash", bash("npm test"), textOf(900))
    .call("read", { filePath: "src/a.ts" }, textOf(600, 1));
}

describe.each(FORMATS)("%s", (format) => {
  test("discard: a placeholder that names the tool and its subject; the call and its pair stay", () => {
    const session = twoResults(new AgentSession({}, format));
    const ref = session.ref("result");
    const answer = session.ask("discard", [[ref]]);
    expect(answer.split("\n")).toEqual([
      "「 🗑️ discard ✓ 」- ⚙️ bash",
      expect.stringMatching(/^Saved: \d[\d,]* tokens, from the next request on\.$/),
      `Cut: ${ref}`,
      "Available: Tools(1), Messages(0), Reasoning(0)",
    ]);
    expect(session.results()[0]).toBe(`[discarded: bash npm test · ${ref}]`);
    const { messages } = session.prune();
    const issues = formatByName(format).validate(messages, "none");
    expect(issues).toEqual(formatByName(format).validate(session.messages, "none"));
    expect(session.prune().report.edits.map(({ edit }) => edit.author)).toEqual(["agent"]);
  });

  test("distill: the summary, marked as one; the call says what it was about", () => {
    const session = twoResults(new AgentSession({}, format));
    const ref = session.ref("result");
    expect(session.ask("distill", [[ref, "47 tests, 2 fail: totals.test.ts"]])).toContain(
      "「 ✨ distill ✓ 」- ⚙️ bash",
    );
    expect(session.results()[0]).toBe(
      `[distilled: bash npm test · ${ref}]\n47 tests, 2 fail: totals.test.ts`,
    );
  });

  test("one call names a result, a message and reasoning; several may carry the same summary", () => {
    const session = new AgentSession(withRule("field"), format)
      .step({
        text: textOf(400, 5),
        thinking: { text: textOf(400, 6), signed: false },
        calls: [["bash", bash("npm test"), textOf(900)]],
      })
      .call("bash", bash("ls"), "a.ts");
    const refs = [session.ref("result"), session.ref("text"), session.ref("reasoning")];
    const answer = session.ask(
      "distill",
      refs.map((ref) => [ref, "all about totals"]),
    );
    expect(answer).toContain("「 ✨ distill ✓ 」- ⚙️ bash · 💬 1 · 🧠 1");
    const summaries = session
      .shown()
      .filter(({ kind, text }) => kind !== "call" && text.includes("all about totals"));
    expect(summaries.map(({ kind }) => kind).toSorted()).toEqual(["reasoning", "result", "text"]);
  });

  test("replace: from start through end, both included", () => {
    const text = `first line\n${textOf(300)}\nlast line of it\nrest`;
    const session = new AgentSession({}, format).call("bash", bash("npm test"), text);
    const answer = session.ask("replace", [["first line\n  const value0", "last line of it", "(47 lines)"]]);
    expect(answer).toMatch(
      /^「 ✂️ replace ✓ 」- ⚙️ bash\nSaved: .*\nCut: [0-9a-f]{6}@[0-9a-f]{6}:0-\d+\nAvailable/,
    );
    expect(session.results()[0]).toMatch(/^\(47 lines\)\nrest\n<tool_hash>/);
  });

  test("restore of the part's ref undoes all of the agent's cuts of it, byte for byte", () => {
    const session = twoResults(new AgentSession({}, format));
    const before = session.results()[0];
    const ref = session.ref("result");
    session.ask("replace", [["compute(order, 3)", "compute(order, 9)", "…"]]);
    expect(session.results()[0]).not.toBe(before);
    session.ask("discard", [[ref]]);
    expect(session.results()[0]).toContain("[discarded:");
    const answer = session.ask("restore", [[ref]]);
    expect(answer).toContain("「 ↩️ restore ✓ 」- ⚙️ bash");
    expect(answer).toContain(`Restored: ${ref}`);
    expect(session.results()[0]).toBe(before);
  });

  test("a discard of plain reasoning is a distill to a dash: the field stays, and the answer says so", () => {
    const session = new AgentSession(withRule("field"), format).step({
      thinking: { text: textOf(400, 6), signed: false },
      calls: [["bash", bash("npm test"), textOf(900)]],
    });
    const answer = session.ask("discard", [[session.ref("reasoning")], [session.ref("result")]]);
    expect(answer.split("\n").slice(0, 2)).toEqual(["「 🗑️ discard ✓ 」- ⚙️ bash", "「 ✨ distill ✓ 」- 🧠 1"]);
    const reasoning = session.shown().filter(({ kind }) => kind === "reasoning");
    expect(reasoning.map(({ text }) => text)).toEqual(["—"]);
    expect(formatByName(format).validate(session.prune().messages, "field")).toEqual(
      formatByName(format).validate(session.messages, "field"),
    );
  });
});

describe.each(["anthropic-messages", "opencode"] as const)("signed reasoning, %s", (format) => {
  const thought = () =>
    new AgentSession(withRule("signed"), format).step({
      thinking: { text: textOf(400, 6), signed: true },
      calls: [["bash", bash("npm test"), textOf(900)]],
    });

  test("is refused inside the current tool loop, and dropped whole in a later turn", () => {
    const session = thought();
    const ref = session.ref("reasoning");
    expect(session.ask("discard", [[ref]])).toContain(
      "signed reasoning inside the current tool loop stays: discard it in a later turn",
    );
    session.step({ text: "done" }).prompt("now the other one");
    expect(session.ask("distill", [[ref, "x"]])).toContain("signed reasoning can't be rewritten: discard it");
    const answer = session.ask("discard", [[ref]]);
    expect(answer).toContain("「 🗑️ discard ✓ 」- 🧠 1");
    expect(session.shown().filter(({ kind }) => kind === "reasoning")).toEqual([]);
    expect(session.ask("discard", [[ref]])).toContain("already pruned (1 step ago)");
    expect(session.ask("restore", [[ref]])).toContain("restore ✓");
    expect(session.shown().filter(({ kind }) => kind === "reasoning").length).toBe(1);
  });
});

describe.each(["anthropic-messages", "opencode"] as const)("reasoning bound to its prefix, %s", (format) => {
  /** A step that was thought about, and its result. */
  const thought = (mode: "eager" | "rent-or-buy") =>
    new AgentSession(withRule("bound", { schedule: { mode } }), format).step({
      thinking: { text: textOf(100, 6), signed: true },
      calls: [["bash", bash("npm test"), textOf(900)]],
    });
  /** The agent calls `context_prune`, in a separate step with or without reasoning. */
  const ask = (session: AgentSession, action: string, ref: string, thinks: boolean) => {
    session.prune();
    const input = { action, targets: [[ref]] };
    const answer = answerPrune(input, session.view());
    session.step({
      ...(thinks && { thinking: { text: textOf(100, 7), signed: true } }),
      calls: [["context_prune", input, answer]],
    });
    return answer;
  };

  test.each(["eager", "rent-or-buy"] as const)("the answer says when the cut is made, %s", (mode) => {
    for (const thinks of [true, false]) {
      const session = thought(mode);
      expect(ask(session, "discard", session.ref("result"), thinks)).toMatch(
        /^Saved: [\d,]+ tokens, from the next request on, or, if this step holds reasoning, when the window fills up: that is bound to it\.$/m,
      );
      expect(session.results()[0]?.includes("[discarded")).toBe(!thinks);
    }
    const session = thought(mode).step({
      thinking: { text: textOf(100, 8), signed: true },
      calls: [["bash", bash("ls"), "a.ts"]],
    });
    expect(ask(session, "discard", session.ref("result"), false)).toMatch(
      /^Saved: [\d,]+ tokens, when the window fills up: reasoning after it is bound to it\.$/m,
    );
    expect(session.results()[0]).not.toContain("[discarded");
  });

  test.each(["eager", "rent-or-buy"] as const)("nothing before it comes back within the loop, %s", (mode) => {
    const session = thought(mode);
    const ref = session.ref("result");
    ask(session, "discard", ref, false);
    expect(session.results()[0]).toContain("[discarded");
    expect(ask(session, "restore", ref, true)).toMatch(
      /^Back: [\d,]+ tokens, from the next request on, or, if this step holds reasoning, in a later turn\.$/m,
    );
    expect(session.results()[0], "the new block is bound to what was sent").toContain("[discarded");
    const reasoning = () => session.shown().filter(({ kind }) => kind === "reasoning").length;
    expect(reasoning()).toBe(2);
    session.step({ text: "done" }).prompt("now the other one");
    if (mode === "rent-or-buy") return;
    expect(session.results()[0], "and leaves with it").toContain("compute(order, 3)");
    expect(reasoning()).toBe(1);
  });
});

describe("impossible requests", () => {
  test.each<[string, string, unknown, string]>([
    ["too short", "discard", [["abc"]], 'Invalid hash format "abc": a ref is exactly 6 lowercase hex digits'],
    ["capitals", "discard", [["ABC123"]], 'Invalid hash format "ABC123"'],
    ["no hex", "discard", [["zzzzzz"]], 'Invalid hash format "zzzzzz"'],
    ["for distill too", "distill", [["zzzzzz", "x"]], 'Invalid hash format "zzzzzz"'],
    ["for restore too", "restore", [["zzzzzz"]], 'Invalid hash format "zzzzzz"'],
    ["unknown", "discard", [["000000"]], "000000: unknown ref"],
    [
      "of the same step",
      "discard",
      [["000000"]],
      "made in this same step can be named from the next step on",
    ],
    ["unknown to restore", "restore", [["000000"]], "000000: unknown ref"],
    ["no targets", "discard", [], "No targets provided"],
    ["no list", "discard", undefined, "No targets provided"],
    ["no target", "discard", [{}], '{}: give each target as ["a1b2c3"]'],
    [
      "no action",
      "explode",
      [["000000"]],
      'Unknown action "explode": use discard, distill, replace, restore',
    ],
    ["not cut", "restore", "RESULT", "not cut now: there is nothing to restore"],
    ["missing summary", "distill", "RESULT", "missing summary"],
    ["blank summary", "distill", "SUMMARY  ", "missing summary"],
    ["a summary as long as the text", "distill", `SUMMARY ${textOf(900)}`, "write a shorter one"],
    [
      "half an operation",
      "replace",
      [["only a start"]],
      'Operation 1: give it as ["start", "end", "replacement"]',
    ],
  ])("%s", (_, action, given, message) => {
    const session = twoResults();
    const ref = session.ref("result");
    const targets =
      given === "RESULT"
        ? [[ref]]
        : typeof given === "string"
          ? [[ref, given.slice("SUMMARY".length)]]
          : given;
    const answer = session.ask(action, targets);
    expect(answer).toContain(message);
    expect(answer.toLowerCase()).toContain("nothing changed");
    expect(answer).not.toMatch(/^(?:Cut|Restored):/m);
    expect(answer.split("\n").at(-1)).toBe("Available: Tools(2), Messages(0), Reasoning(0)");
    expect(session.prune().report.edits).toEqual([]);
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ["a tool", "write", { filePath: "a.ts", content: "x" }, "the tool write is protected"],
    ["a file", "read", { filePath: "app/package.json" }, "the file app/package.json is protected"],
    ["a tool of the user's", "deploy_now", {}, "the tool deploy_now is protected"],
    ["a tool of the commands' list", "ship_it", {}, "the tool ship_it is protected"],
    ["a call, by a predicate", "bash", { command: "cat notes" }, "this bash call is protected"],
    ["the skill tool", "skill", { name: "x" }, "the tool skill is protected"],
    ["another agent's skill tool", "use_skill", { name: "x" }, "a skill's text is protected"],
    ["a skill file", "read", { filePath: "x/SKILL.md" }, "the skill file x/SKILL.md is protected"],
    [
      "a skill by its address",
      "read",
      { path: "skill://pdf/forms.md" },
      "the skill file skill://pdf/forms.md",
    ],
    [
      "a page beside it",
      "read",
      { filePath: ".claude/skills/x/ref.py" },
      "the skill file .claude/skills/x/ref.py",
    ],
  ])("protected: %s", (_, tool, input, message) => {
    const session = new AgentSession({
      config: {
        tools: { settings: { protectedTools: ["deploy_*"] } },
        commands: { protectedTools: ["ship_*"] },
      },
      protect: ({ use, input }) => use.kind === "shell" && JSON.stringify(input).includes("notes"),
    }).call(tool, input, textOf(900));
    expect(session.results()[0]).not.toContain("tool_hash");
    const ref = session.ref("result");
    expect(session.ask("discard", [[ref]])).toContain(`${ref}: ${message}`);
    expect(session.ask("replace", [["compute(order, 3)", "compute(order, 9)", "…"]])).toContain(
      `Pattern not found where it may be cut: ${message}`,
    );
  });

  test.each<[string, Record<string, unknown>]>([
    ["bash", bash("npm run show-skill")],
    ["webfetch", { url: "https://a.b/SKILL.md" }],
    ["mcp__web__fetch", { url: "https://a.b" }],
    ["mcp__fs__read_file", { path: "skills/x/SKILL.md" }],
    ["read", { filePath: "notes.md" }],
  ])("not protected: text that only begins like a skill, from %s", (tool, input) => {
    const skill = `---\nname: release\ndescription: Use for releases.\n---\n${textOf(900)}`;
    const session = new AgentSession().call(tool, input, skill);
    expect(session.ask("discard", [[session.ref("result")]])).toContain("discard ✓");
  });

  test("not protected: a skill's file, if a person says so", () => {
    const config = { unprotect: ["skill"] };
    const session = new AgentSession({ config }).call("read", { filePath: "x/SKILL.md" }, textOf(900));
    expect(session.ask("discard", [[session.ref("result")]])).toContain("discard ✓");
  });

  test("protected: a predicate that throws protects", () => {
    const session = new AgentSession({
      protect: () => {
        throw new Error("out of order");
      },
    }).call("bash", bash("npm test"), textOf(900));
    expect(session.ask("discard", [[session.ref("result")]])).toContain("this bash call is protected");
  });

  test("already pruned: says how many steps ago", () => {
    const session = twoResults();
    const ref = session.ref("result");
    session.ask("discard", [[ref]]);
    session.call("bash", bash("ls"), "a.ts").call("bash", bash("pwd"), "/");
    expect(session.ask("discard", [[ref]])).toContain(`${ref}: already pruned (3 steps ago)`);
    expect(session.ask("distill", [[ref, "x"]])).toContain("already pruned (4 steps ago)");
  });

  test("valid targets are done, the others are listed", () => {
    const session = twoResults();
    const ref = session.ref("result");
    const answer = session.ask("discard", [["nope"], [ref], ["000000"], [ref]]);
    expect(answer).toContain(`Cut: ${ref}\n`);
    expect(answer).toContain('- Invalid hash format "nope"');
    expect(answer).toContain("- 000000: unknown ref");
    expect(answer).toContain(`- ${ref}: named twice in this call`);
    expect(answer.endsWith("Available: Tools(1), Messages(0), Reasoning(0)")).toBe(true);
  });

  test("two names, and how many more", () => {
    const session = new AgentSession();
    for (const i of [0, 1, 2, 3])
      session.call(i % 2 ? "bash" : "read", i % 2 ? bash(`run ${i}`) : { filePath: `f${i}` }, textOf(400, i));
    const refs = [0, 1, 2, 3].map((n) => [session.ref("result", n)]);
    expect(session.ask("discard", refs)).toContain("「 🗑️ discard ✓ 」- ⚙️ read, bash (+2)\n");
  });

  test("targets as bare refs, or written out as JSON, are understood", () => {
    const session = twoResults();
    const [a, b] = [session.ref("result"), session.ref("result", 1)];
    expect(session.ask("discard", [a])).toContain(`Cut: ${a}`);
    expect(session.ask("discard", JSON.stringify([[b]]))).toContain(`Cut: ${b}`);
    expect(
      session
        .results()
        .slice(0, 2)
        .every((text) => text.startsWith("[discarded:")),
    ).toBe(true);
  });

  test("disabled actions and kinds are refused with a reason", () => {
    const config: PartialConfig = {
      tools: { distill: { enabled: false }, settings: { enableAssistantMessagePruning: false } },
    };
    const session = new AgentSession({ config }).step({
      text: textOf(400, 3),
      calls: [["bash", bash("npm test"), textOf(900)]],
    });
    expect(session.ask("distill", [["000000", "x"]])).toContain(
      "The action distill is turned off: use discard, replace, restore",
    );
    expect(session.ask("discard", [[session.ref("text")]])).toContain("pruning of messages is turned off");
    expect(session.ask("replace", [["compute(order, 93)", "compute(order, 99)", "…"]])).toContain(
      "Pattern not found",
    );
  });
});

describe("requests that will not be carried out are refused", () => {
  const passes = [usePass(duplicateCalls, { pruneToolInputs: false })];
  test.each<[string, PrunerOptions]>([
    ["Coppice is off", { config: { enabled: false } }],
    ["the host has not given the agent its tools", { agentTools: false }],
    ["passes of one's own without the agent's", { passes }],
  ])("%s", (_, options) => {
    const session = new AgentSession(options).call("bash", { command: "npm test" }, textOf(900));
    const [discard, restore] = ["discard", "restore"].map((action) =>
      session.ask(action, [[session.ref("result")]]),
    );
    expect(discard).toMatch(/nothing changed[\s\S]*turned pruning off/);
    expect(restore).toMatch(/nothing changed[\s\S]*turned pruning off/);
    expect(session.call("bash", { command: "ls" }, "ok").prune().report.edits).toEqual([]);
  });

  test("and includes the agent's cuts", () => {
    const session = new AgentSession({ passes: [...passes, usePass(agentCommands)] });
    session.call("bash", { command: "npm test" }, textOf(900));
    expect(session.ask("discard", [[session.ref("result")]])).toContain("discard ✓");
    expect(session.call("bash", { command: "ls" }, "ok").prune().report.edits).toHaveLength(1);
  });

  test("if Coppice is off, so is every session, even one that was on before", () => {
    const session = new AgentSession({ config: { enabled: false } });
    const { report } = session.call("bash", { command: "npm test" }, textOf(900)).prune();
    expect(session.status).toBe("on");
    expect(report.status).toBe("off");
    expect(session.info()).toContain("Saved so far: nothing: pruning is off");
  });
});

describe("when it takes effect", () => {
  test("with the next cut if the rewrite is expensive, and the answer says so; the limit can be set", () => {
    const long = (requestedLimit: number) =>
      new AgentSession({ config: { schedule: { requestedLimit } } })
        .call("bash", bash("npm test"), textOf(900))
        .call("bash", bash("npm run build"), textOf(5_000, 1));
    const dear = long(1_000);
    const ref = dear.ref("result");
    const answer = dear.ask("discard", [[ref]]);
    expect(answer).toMatch(
      /Saved: .* tokens, with the next cut that reaches it \(rewriting the cache now would cost \d,\d{3} tokens\)\./,
    );
    expect(dear.results()[0]).not.toContain("[discarded");
    expect(dear.prune().report.waiting.map((waiting) => waiting.ref)).toEqual([ref]);
    expect(dear.ask("discard", [[ref]])).toContain("already pruned: it waits for a cut that reaches it");
    const back = dear.ask("restore", [[ref]]);
    expect(back).toContain("It was waiting and is withdrawn.");
    expect(dear.prune().report.waiting.map(({ author }) => author)).not.toContain("agent");
    const cheap = long(20_000);
    expect(cheap.ask("discard", [[cheap.ref("result")]])).toContain("from the next request on");
    expect(cheap.results()[0]).toContain("[discarded");
  });

  test("cheap cuts of a call are made at once and expensive ones wait: the answer distinguishes them", () => {
    const session = new AgentSession({ config: { schedule: { requestedLimit: 2_000 } } })
      .call("bash", bash("npm test"), textOf(900))
      .call("bash", bash("npm run build"), textOf(3_000, 1))
      .call("bash", bash("npm run lint"), textOf(600, 2))
      .call("bash", bash("npm run docs"), textOf(400, 3));
    const answer = session.ask("discard", [[session.ref("result")], [session.ref("result", 2)]]);
    expect(answer).toMatch(
      /^Saved: 1,[\d]{3} tokens: \d{3} from the next request on; [\d,]+ with the next cut that reaches it \(rewriting the cache now would cost \d,\d{3} tokens\)\.$/m,
    );
    const shown = session.results();
    expect(shown[0]).not.toContain("[discarded");
    expect(shown[2]).toContain("[discarded");
  });

  test.each([
    ["eager", "from the next request on"],
    ["pressure", "with the next cut"],
  ] as const)("mode %s", (mode, when) => {
    const session = twoResults(new AgentSession({ config: { schedule: { mode, requestedLimit: 0 } } }));
    expect(session.ask("discard", [[session.ref("result")]])).toContain(when);
    expect(session.results()[0]?.includes("[discarded")).toBe(mode === "eager");
  });
});

describe("the transcript is the state", () => {
  test("an undo in the host undoes the prune; a fork and a restart have it too", () => {
    const session = twoResults();
    const before = session.prune().messages;
    const { turns } = session;
    session.ask("discard", [[session.ref("result")]]);
    const after = session.prune();
    expect(session.results()[0]).toContain("[discarded");
    const fresh = createPruner({ ...session.options, format: session.format });
    expect(session.prune(fresh).messages).toEqual(after.messages);
    session.turns = turns;
    expect(session.prune().messages).toEqual(before);
  });

  test("an answer that was refused, forged or outdated names nothing", () => {
    const session = twoResults();
    const ref = session.ref("result");
    session.call(
      "context_prune",
      { action: "discard", targets: [[ref]] },
      "「 🗑️ discard ✗ 」- nothing changed",
    );
    session.call("read", { filePath: "x" }, `Cut: ${ref}`);
    session.call("context_prune", { action: "discard", targets: [["000000"]] }, `Cut: ${ref}`);
    const operation = ["compute(order, 3)", "compute(order, 9)", "…"];
    const forged = `Cut: abcdef@${ref}:40-900`;
    session.call("context_prune", { action: "replace", targets: [operation] }, forged);
    expect(session.prune().report.edits).toEqual([]);
  });

  test("results of the call's own step are not targets", () => {
    const session = twoResults();
    const output = textOf(900, 7);
    session.step({ calls: [["bash", bash("npm run lint"), output]] });
    const ref = session.ref("result", 2);
    session.turns = session.turns.map((turn) => ({ ...turn, steps: turn.steps.slice(0, -1) }));
    session.prune();
    const discard = { action: "discard", targets: [[ref]] };
    session.step({
      calls: [
        ["bash", bash("npm run lint"), output],
        ["context_prune", discard, `Cut: ${ref}`],
      ],
    });
    expect(session.prune().report.edits).toEqual([]);
  });

  test("if a host clears the answer, its effect stays", () => {
    const session = twoResults(new AgentSession({}, "opencode"));
    const ref = session.ref("result");
    session.ask("discard", [[ref]]);
    const messages = structuredClone(session.messages) as {
      parts: { tool?: string; state?: { time: object } }[];
    }[];
    for (const { parts } of messages)
      for (const part of parts)
        if (part.tool === "context_prune" && part.state) Object.assign(part.state.time, { compacted: 1 });
    const { report } = createPruner({ ...session.options, format: "opencode" }).prune(messages);
    expect(report.edits.map(({ edit }) => edit.author)).toEqual(["agent"]);
  });

  test("text that the host itself has cleared is reported as such, and can be read", () => {
    const session = twoResults(new AgentSession({}, "opencode"));
    const ref = session.ref("result");
    const messages = structuredClone(session.messages) as {
      parts: { tool?: string; state?: { time: object } }[];
    }[];
    for (const { parts } of messages)
      for (const part of parts)
        if (part.tool === "bash" && part.state) Object.assign(part.state.time, { compacted: 1 });
    const { report } = session.pruner.prune(messages, { session: "s" });
    const view = session.view();
    for (const action of ["discard", "distill", "restore"])
      expect(answerPrune({ action, targets: [[ref, "x"]] }, view)).toContain(
        `✗ 」- nothing changed\n- ${ref}: the host has cleared it already: read it with context_recall\n` +
          "Available: Tools(1), Messages(0), Reasoning(0)",
      );
    expect(answerRecall({ ref }, view)).toContain(textOf(900));
    expect(explainRef(ref, report, view)).toBe(`${ref} is bash npm test\n  the host has cleared it itself`);
  });

  test("replace and discard never cut a prune call, and a newer one replaces it without loss", () => {
    const session = twoResults();
    const ref = session.ref("result");
    session.ask("distill", [[ref, "the totals are wrong in two places, see totals.test.ts"]]);
    expect(session.ask("replace", [["the totals are wrong", "see totals.test.ts", "…"]])).toContain(
      "replace ✓",
    );
    expect(session.results()[0]).toBe("…");
  });
});
