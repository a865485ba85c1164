import { describe, expect, test } from "vitest";
import { answerPrune } from "../src/answers/answer-prune.ts";
import type { PartialConfig } from "../src/config/config.ts";
import { createPruner, type Pruner } from "../src/pruner.ts";
import { type SessionCommand, serialiseCommand } from "../src/transcript/session-command.ts";
import { textOf } from "./conversation.ts";

/** An OpenCode session in which a person gives commands. */
class Session {
  readonly messages: unknown[] = [];
  readonly pruner: Pruner;
  #time = 1_790_000_000_000;

  constructor(config: PartialConfig = { schedule: { mode: "eager" } }) {
    this.pruner = createPruner({ config, agentTools: config.tools !== undefined });
  }

  say(text: string, command?: SessionCommand): this {
    const parts = [
      ...(command
        ? [{ type: "text", text: "done", ignored: true, metadata: serialiseCommand(command) }]
        : []),
      { type: "text", text },
    ];
    return this.#add({ role: "user" }, parts);
  }

  /** Each call has a different output. */
  read(file: string, tokens: number): this {
    return this.use("read", file, textOf(tokens, this.messages.length));
  }

  use(tool: string, file: string, output: string): this {
    const callID = `call_${this.messages.length}`;
    const state = { status: "completed", input: { filePath: file }, output, metadata: {} };
    return this.#add({ role: "assistant" }, [{ type: "step-start" }, { type: "tool", tool, callID, state }]);
  }

  answer(): this {
    return this.#add({ role: "assistant" }, [{ type: "step-start" }, { type: "text", text: "Done." }]);
  }

  prune() {
    return this.pruner.prune(this.messages, { model: "claude-sonnet-4-5" });
  }

  /** OpenCode's own compaction: from here on it sends the summary first, then the newest messages that it kept. */
  compact(kept: number): this {
    const tail = this.messages.splice(-kept);
    this.messages.length = 0;
    this.#add({ role: "user" }, [{ type: "compaction" }]);
    this.#add({ role: "assistant", summary: true, finish: "stop" }, [{ type: "text", text: "So far." }]);
    this.messages.push(...tail);
    return this;
  }

  #add(info: object, parts: readonly object[]): this {
    this.#time += 10_000;
    const id = `msg_${this.messages.length}`;
    this.messages.push({ info: { id, sessionID: "s", time: { created: this.#time }, ...info }, parts });
    return this;
  }
}

const UNCHANGED =
  "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.";
const readTwice = () => new Session().say("go").read("a.ts", 900).read("a.ts", 900).answer();

describe("a person's commands in a session", () => {
  test("off: from there on messages are sent unchanged; on: the cuts are back", () => {
    const session = readTwice();
    expect(session.prune().report).toMatchObject({ status: "on", edits: [{}] });
    session.say("ok", { action: "off" });
    const off = session.prune();
    expect(off.report.status).toBe("off");
    expect(off.messages.every((message, i) => message === session.messages[i])).toBe(true);
    const billed = off.report.bill;
    session.read("b.ts", 100).say("ok", { action: "on" });
    const on = session.prune();
    expect(on.report.status).toBe("on");
    expect(on.messages[1]).not.toBe(session.messages[1]);
    expect(on.report.bill.breaks).toBeGreaterThan(billed.breaks);
  });

  test("shadow: nothing changes, and the report lists the cuts", () => {
    const session = new Session().say("go", { action: "shadow" }).read("a.ts", 900).read("a.ts", 900);
    const { messages, report } = session.prune();
    expect(report).toMatchObject({ status: "shadow", cut: { reason: "eager" } });
    expect(messages.every((message, i) => message === session.messages[i])).toBe(true);
  });

  test.each(["off", "shadow"] as const)("%s: the agent is not promised a cut", (action) => {
    const session = new Session({ tools: {} }).say("go").read("a.ts", 900).answer();
    session.prune();
    const discard = () => {
      const view = session.pruner.agentView();
      const result = view?.facts.transcript.parts.findIndex(({ kind }) => kind === "result") ?? -1;
      const ref = view?.facts.partRef(result);
      return view && answerPrune({ action: "discard", targets: [[ref]] }, view);
    };
    expect(discard()).toContain("discard ✓");
    session.say("ok", { action }).prune();
    expect(discard()).toMatch(/nothing changed[\s\S]*off in this session/);
  });

  test.each([
    ["claude-sonnet-4-5", "signed"],
    ["gpt-5", "none"],
  ] as const)("a look: no reminder with it; one that is due there waits, for %s", (model, reasoning) => {
    const session = new Session({
      tools: { todoReminder: { initialTurns: 2, repeatTurns: 50 } },
      schedule: { prices: { "*": { reasoning } } },
    });
    const note = () => session.pruner.prune(session.messages, { model }).note;
    session.say("go").read("a.ts", 900).answer().say("ok", { action: "look" });
    expect(note()).toBeUndefined();
    session.answer().say("ok", { action: "look" });
    expect(note()).toBeUndefined();
    session.answer().say("go on");
    expect(note()).toBe("message");
    session.answer().say("and now");
    expect(note(), "said once").toBeUndefined();
  });

  test("off, and a result refers the agent to an earlier read: on, that read is restored, unless the file has changed", () => {
    const shownAfter = (edits: boolean) => {
      const session = new Session().say("go").read("a.ts", 900).read("b.ts", 900).answer();
      session.prune();
      session.say("ok", { action: "shake", aggressive: true }).prune();
      session.answer().say("ok", { action: "off" });
      session.use("read", "a.ts", UNCHANGED);
      if (edits) session.use("edit", "a.ts", "ok");
      session.answer().say("ok", { action: "on" });
      const { messages } = session.prune();
      return [1, 2].map((i) => messages[i] === session.messages[i]);
    };
    expect(shownAfter(false)).toEqual([true, false]);
    expect(shownAfter(true)).toEqual([false, false]);
  });

  test("shake: everything disposable is cut at once", () => {
    const session = new Session().say("go").read("a.ts", 900).read("b.ts", 900).answer();
    expect(session.prune().report.edits).toEqual([]);
    session.say("ok", { action: "shake", aggressive: true });
    const { report } = session.prune();
    expect(report.cut?.reason).toBe("requested");
    expect(report.edits.map(({ edit }) => edit.author)).toEqual(["aggressive-shake", "aggressive-shake"]);
    expect(report.tokens.saved).toBeGreaterThan(1_500);
  });

  test("shake: stays in the report if the request does not fit and no other cut brings relief", () => {
    const session = new Session({ window: 10_000 }).say("go").read("a.ts", 900).answer();
    session.say(textOf(20_000), { action: "shake", aggressive: true });
    const { report } = session.prune();
    expect(report.issues.map(({ code }) => code)).toContain("context-overflow");
    expect(report.cut).toMatchObject({ reason: "requested", edits: [{ author: "aggressive-shake" }] });
  });

  test("shake: not the results of protected tools, whichever list names them", () => {
    const shaken = (config: PartialConfig) => {
      const session = new Session(config).say("go").read("a.ts", 900).answer();
      return session.say("ok", { action: "shake", aggressive: true }).prune().report.edits.length;
    };
    expect(shaken({})).toBe(1);
    expect(shaken({ commands: { protectedTools: ["re*"] } })).toBe(0);
    expect(shaken({ tools: { settings: { protectedTools: ["re*"] } } })).toBe(0);
    expect(shaken({ enabled: false })).toBe(0);
  });

  test("restore all, and restore of one ref: the texts are back, and the ledger keeps all edits", () => {
    for (const target of ["all", "ref"]) {
      const session = readTwice();
      const [entry] = session.prune().report.edits;
      const ref = entry?.edit.type === "replace" ? entry.edit.ref : "";
      session.say("ok", { action: "restore", target: target === "ref" ? ref : target });
      const { messages, report } = session.prune();
      expect(messages[1]).toBe(session.messages[1]);
      expect(report.edits.map(({ edit }) => edit.type)).toEqual(["replace", "undo"]);
      expect(report.tokens.saved).toBe(0);
    }
  });

  test("a ref that names nothing is ignored", () => {
    const session = readTwice();
    session.prune();
    session.say("ok", { action: "restore", target: "zzz" });
    expect(session.prune().report.edits.length).toBe(1);
  });

  test("a restart sends the same bytes; removing the command undoes it", () => {
    const session = readTwice();
    session.prune();
    const before = session.messages.length;
    session.say("ok", { action: "restore", target: "all" }).read("c.ts", 50);
    const live = session.prune();
    const cold = createPruner({ config: { schedule: { mode: "eager" } } }).prune(session.messages, {
      model: "claude-sonnet-4-5",
    });
    expect(JSON.stringify(cold)).toBe(JSON.stringify(live));
    session.messages.length = before;
    expect(session.prune().report.edits.length).toBe(1);
  });
});

test("stale results are cut with the first request after a compaction, whatever waited before it", () => {
  const session = new Session({ strategies: { spent: { enabled: false } } }).say("go").read("old.ts", 90);
  for (const file of ["a.ts", "big.ts", "a.ts"]) {
    session.read(file, file === "big.ts" ? 6_000 : 900);
    expect(session.prune().report.cut).toBeUndefined();
  }
  expect(session.prune().report.waiting).toHaveLength(1);
  const { cut, bill } = session.compact(3).prune().report;
  expect(cut?.reason).toBe("cold-cache");
  expect(cut?.edits.map((edit) => edit.author)).toEqual(["file-views"]);
  expect(bill.breaks).toBe(0);
});

test("a person's command from before a compaction still applies, if the host passes it on", () => {
  const session = readTwice().compact(3);
  const prune = (status?: "off" | "shadow") =>
    createPruner().prune(session.messages, { model: "claude-sonnet-4-5", ...(status && { status }) });
  expect(prune().report).toMatchObject({ status: "on", edits: [{}] });
  expect(prune("off").report).toMatchObject({ status: "off", edits: [] });
  expect(prune("off").messages).toEqual(session.messages);
  session.say("ok", { action: "on" });
  expect(prune("off").report.status).toBe("on");
});
