import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replacing/replace-part.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { type SessionCommand, serialiseCommand } from "../../src/transcript/session-command.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { Conversation, textOf } from "../conversation.ts";

const shell = (command: string, output: string) => ["bash", { command }, output] as const;

describe("a requested cut that the agent takes back before it is made", () => {
  /** Three results and a thought, and nothing is cut at once. */
  const wait = () =>
    new AgentSession({
      config: { schedule: { requestedLimit: 0 }, strategies: { spent: { enabled: false } } },
    })
      .step({
        thinking: { text: textOf(300, 9), signed: false },
        calls: [shell("npm test", textOf(900))],
      })
      .step({ calls: [shell("npm run build", textOf(900, 1))] })
      .step({ calls: [shell("npm run lint", textOf(900, 2))] })
      .step({ calls: [shell("npm run docs", textOf(4_000, 3))] });
  const waits = (session: AgentSession) =>
    session.prune().report.waiting.flatMap(({ author, ref }) => (author === "agent" ? [ref] : []));

  test.each<[string, readonly number[], readonly number[]]>([
    ["one of three", [1], [0, 2]],
    ["two in one call", [0, 2], [1]],
    ["all", [2, 1, 0], []],
  ])("%s", (_, back, left) => {
    const session = wait();
    const refs = [0, 1, 2].map((n) => session.ref("result", n));
    const named = (numbers: readonly number[]) => numbers.map((n) => refs[n]);
    session.ask(
      "discard",
      refs.map((ref) => [ref]),
    );
    expect(waits(session)).toEqual(refs);
    session.ask(
      "restore",
      named(back).map((ref) => [ref]),
    );
    expect(waits(session)).toEqual(named(left));
  });

  test("a thought, whose cut has another ref than the thought", () => {
    const session = wait();
    const thought = session.ref("reasoning");
    const result = session.ref("result", 1);
    session.ask("discard", [[thought], [result]]);
    expect(waits(session).length).toBe(2);
    expect(session.ask("restore", [[thought]])).toContain("It was waiting and is withdrawn.");
    expect(waits(session)).toEqual([result]);
  });

  test("passages: all of a result by its ref, and no others", () => {
    const session = wait();
    const passage = (seed: number) => [
      `  const value${seed} = compute(order, ${seed * 31 + 2}); // keep this`,
      `  const value${seed} = compute(order, ${seed * 31 + 40}); // keep this`,
      "(the values)",
    ];
    session.ask("replace", [passage(1), passage(2)]);
    const both = waits(session);
    expect(both.length).toBe(2);
    session.ask("restore", [[session.ref("result", 1)]]);
    expect(waits(session)).toEqual(both.slice(1));
  });
});

test("text that two refs of one call name is counted once", () => {
  const session = new AgentSession()
    .step({ calls: [shell("npm test", textOf(900))] })
    .step({ calls: [shell("npm run lint", textOf(90, 1))] });
  const passage = ["compute(order, 2); // keep this", "compute(order, 40); // keep this", "(the values)"];
  const saved = /Saved: (\d+) tokens/.exec(session.ask("replace", [passage]))?.[1];
  const [cut] = session.call("bash", { command: "ls" }, "ok").prune().report.edits;
  const ref = cut?.edit.type === "replace" ? cut.edit.ref : "";
  const answer = session.ask("restore", [[session.ref("result")], [ref]]);
  expect(ref).not.toBe(session.ref("result"));
  expect(answer).toContain(`Back: ${saved} tokens`);
});

describe("a restored text costs a rewrite of the text after it", () => {
  /** 30,000 tokens, then a result that was cut, and about 5,000 tokens after it. */
  test.each([
    [4_000, false],
    [7_000, true],
    [50_000, true],
  ])("with %i tokens allowed: at once %s", (requestedLimit, isBack) => {
    const config = {
      schedule: { requestedLimit, ingestCap: null, mode: "rent-or-buy" },
      strategies: { spent: { enabled: false } },
    } as const;
    const session = new AgentSession({ config })
      .step({ calls: [shell("npm test", textOf(30_000))] })
      .step({ calls: [shell("npm run lint", textOf(900, 1))] });
    const ref = session.ref("result", 1);
    session.ask("discard", [[ref]]);
    expect(session.results()[1]).toContain("[discarded");
    session.step({ calls: [shell("npm run build", textOf(5_000, 2))] });
    session.ask("restore", [[ref]]);
    expect(session.results()[1]?.includes("[discarded")).toBe(!isBack);
  });
});

test("a pass takes back its own plans, not those of another", () => {
  /** Cuts the first result; a call of its name undoes that. */
  const named = (name: string, isWanting: boolean): Strategy => ({
    name,
    propose: (step, facts) =>
      isWanting && step.from === 5
        ? [replacePart(facts, 2, () => "[gone]", { reason: "old" })].flatMap((each) => each ?? [])
        : [],
    restores: (step, facts) =>
      step.completed.some(({ use }) => use.name === name)
        ? [facts.partRef(2)].flatMap((ref) => (ref ? [{ ref }] : []))
        : [],
  });
  const passes = [usePass(named("mine", true)), usePass(named("other", false))];
  const pruner = createPruner({ passes, ladder: [], config: { schedule: { ingestCap: null } } });
  const conversation = new Conversation();
  const call = (tool: string, output: string) => {
    const { messages, meta } = conversation.call(tool, {}, output);
    return pruner.prune([...messages], { model: "claude-sonnet-4-5", meta: [...meta] }).report.waiting.length;
  };
  call("read", textOf(900));
  expect(call("read", textOf(5_000, 1))).toBe(0);
  expect(call("read", "ok")).toBe(1);
  expect(call("other", "ok")).toBe(1);
  expect(call("mine", "ok")).toBe(0);
});

describe("texts that a person restores", () => {
  const person = (command: SessionCommand) => ({
    info: { role: "user", id: command.action, sessionID: "s", time: { created: 50_000 } },
    parts: [
      { type: "text", text: "done", ignored: true, metadata: serialiseCommand(command) },
      { type: "text", text: "go on" },
    ],
  });
  const step = (command: string, output: string, at: number) => ({
    info: { role: "assistant", id: `msg_${at}`, sessionID: "s", time: { created: 1_000 * at } },
    parts: [
      { type: "step-start" },
      {
        type: "tool",
        tool: "bash",
        callID: `c${at}`,
        state: { status: "completed", input: { command }, output },
      },
    ],
  });
  /** Two results that a newer answer has superseded wait, with much text after them. */
  const messages = [
    {
      info: { role: "user", id: "u", sessionID: "s", time: { created: 1 } },
      parts: [{ type: "text", text: "go" }],
    },
    step("git status", textOf(900, 1), 1),
    step("git diff", textOf(900, 2), 2),
    step("npm test", textOf(9_000, 3), 3),
    step("git status", "clean", 4),
    step("git diff", "nothing", 5),
    step("npm run lint", "ok", 6),
  ];
  const report = (command?: SessionCommand, mode: "rent-or-buy" | "eager" = "rent-or-buy") => {
    const config = {
      schedule: { mode, ingestCap: null },
      strategies: { spent: { enabled: false } },
    } as const;
    const pruner = createPruner({ config });
    const given = command ? [...messages, person(command)] : messages;
    return pruner.prune(given, { model: "claude-sonnet-4-5" }).report;
  };
  const refs = report().waiting.map(({ ref }) => ref);

  test.each<[string, SessionCommand, readonly (string | undefined)[]]>([
    ["all that waits", { action: "restore", target: "all" }, []],
    ["one of two", { action: "restore", target: refs[0] ?? "" }, [refs[1]]],
    ["what nobody knows", { action: "restore", target: "abcdef" }, refs],
  ])("%s", (_, command, left) => {
    expect(refs.length).toBe(2);
    expect(report(command).waiting.map(({ ref }) => ref)).toEqual(left);
  });

  test.each<[string, string, number]>([
    ["all", "all", 0],
    ["one of two", refs[0] ?? "", 1],
  ])("%s that was cut", (_, target, left) => {
    expect(report(undefined, "eager").tokens.saved).toBeGreaterThan(1_500);
    const { edits, cut } = report({ action: "restore", target }, "eager");
    expect(edits.map(({ edit }) => edit.type).slice(0, 2)).toEqual(["replace", "replace"]);
    const undone = edits.slice(2).flatMap(({ edit }) => (edit.type === "undo" ? [edit.target] : []));
    expect(undone.length).toBe(2 - left);
    expect(cut?.reason).toBe("requested");
  });
});
