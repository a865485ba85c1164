import { describe, expect, test } from "vitest";
import type { Batch, Timing } from "../../src/edits/cut-plan.ts";
import { makePolicy } from "../../src/fold/policy.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { createPruner, type PruneResult, type PrunerOptions } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replacing/replace-part.ts";
import type { Rung } from "../../src/strategies/rung.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { Conversation, textOf } from "../conversation.ts";

/** A conversation that is pruned before every request. */
class Live extends Conversation {
  readonly #pruner;
  result: PruneResult<unknown>;

  constructor(options: PrunerOptions) {
    super();
    this.#pruner = createPruner({ prefixTokens: 8_000, ...options });
    this.result = this.prune();
  }

  prune(): PruneResult<unknown> {
    this.result = this.#pruner.prune([...this.messages], {
      model: "claude-sonnet-4-5",
      meta: [...this.meta],
    });
    return this.result;
  }

  read(name: string, tokens: number): PruneResult<unknown> {
    this.call("read", { filePath: name }, textOf(tokens, this.messages.length));
    return this.prune();
  }

  /** The results as sent: a cut one by its marker, any other by its length. */
  get shown(): readonly string[] {
    return this.result.messages.flatMap((message) => {
      const { role, content } = message as { role: string; content: string };
      return role === "tool" ? [content.startsWith("[") ? content : "whole"] : [];
    });
  }
}

describe("a batch", () => {
  const batch: Batch = { name: "old", minimum: 5_000 };
  const oneByOne: Strategy = {
    name: "old",
    propose: (step, facts) =>
      step.completed.flatMap(
        ({ result }) => replacePart(facts, result, () => "[old]", { reason: "old", batch }) ?? [],
      ),
  };

  test("waits until it saves enough together, then is cut as one", () => {
    const live = new Live({ passes: [usePass(oneByOne)], config: { schedule: { mode: "eager" } } });
    expect(live.read("a", 2_000).report).toMatchObject({ edits: [], waiting: [{ reason: "old" }] });
    live.read("b", 2_000);
    expect(live.shown).toEqual(["whole", "whole"]);
    live.read("c", 2_000);
    expect(live.shown).toEqual(["[old]", "[old]", "[old]"]);
    expect(live.result.report.waiting).toEqual([]);
    live.read("d", 2_000);
    expect(live.shown.at(-1)).toBe("whole");
  });

  test("does not wait under pressure, and then only as much as needed is cut, oldest first", () => {
    const live = new Live({
      passes: [usePass({ ...oneByOne, propose: (...given) => oneByOne.propose(...given).map(hold) })],
      config: { window: 24_000 },
    });
    for (let i = 0; i < 20 && !live.result.report.cut; i++) live.read(`f${i}`, 1_000);
    expect(live.result.report.cut?.reason).toBe("pressure");
    expect(live.shown.slice(0, 2)).toEqual(["[old]", "[old]"]);
    expect(live.shown.slice(-4)).toEqual(["whole", "whole", "whole", "whole"]);
  });
  const hold = <P>(proposal: P): P => ({ ...proposal, batch: { name: "old", minimum: 1_000_000 } });
});

describe("the ladder", () => {
  const mark =
    (name: string): Rung["propose"] =>
    (facts) =>
      facts.transcript.parts.flatMap(({ kind }, part) =>
        kind === "result" ? (replacePart(facts, part, () => `[${name}]`, { reason: name }) ?? []) : [],
      );
  const shorten: Rung = {
    name: "shorten",
    propose: mark("shortened, but not by very much at all".repeat(20)),
  };
  const clear: Rung = { name: "clear", propose: mark("cleared") };
  const drop: Rung = {
    name: "drop",
    propose: ({ transcript }) =>
      transcript.parts.flatMap(({ kind }, part) =>
        kind === "call" ? [{ part, drop: true, reason: "old" }] : [],
      ),
  };
  const config = { window: 40_000, strategies: { trim: { reservedOutputTokens: 4_096 } } };
  const fill = (options: PrunerOptions, reads = 11, tokens = 2_000) => {
    const live = new Live({ config, passes: [], ...options });
    for (let i = 0; i < reads; i++) live.read(`f${i}`, tokens);
    return live;
  };
  const authors = ({ report }: PruneResult<unknown>) =>
    report.edits.map(({ edit }) => `${edit.type} ${edit.author}`);

  test("goes rung by rung, and only as far as needed", () => {
    const live = new Live({ config, passes: [], ladder: [clear, drop] });
    for (let i = 0; i < 20 && !live.result.report.cut; i++) live.read(`f${i}`, 2_000);
    expect(live.result.report.cut?.reason).toBe("pressure");
    const { pressure, tokens } = live.result.report;
    expect(8_000 + tokens.after).toBeLessThanOrEqual(0.8 * 0.75 * pressure.window);
    expect(new Set(authors(live.result))).toEqual(new Set(["replace clear"]));
    const cut = live.shown.lastIndexOf("[cleared]");
    expect(live.shown.slice(0, cut + 1).every((text) => text === "[cleared]")).toBe(true);
    expect(live.shown.slice(cut + 1)).toContain("whole");
  });

  test("a later rung cuts again what an earlier one has shortened", () => {
    const live = fill({ ladder: [shorten, clear] }, 13, 2_000);
    expect(authors(live.result)).toContain("replace shorten");
    const tight = fill({ ladder: [shorten, clear, drop], config: { ...config, window: 19_000 } }, 3, 4_000);
    expect(authors(tight.result)).toEqual(
      expect.arrayContaining(["replace shorten", "replace clear", "drop drop"]),
    );
  });

  test("as far as needed by the provider's count, if that is known", () => {
    const conversation = new Conversation();
    const pruner = createPruner({ prefixTokens: 8_000, config, passes: [], ladder: [clear] });
    let counted = 1.5 * 8_000;
    for (let i = 0; i < 20; i++) {
      const usage = { input: Math.round(counted), cacheRead: 1, cacheWrite: 0, output: 1 };
      conversation.call("read", { filePath: `f${i}` }, textOf(1_000, i), { usage });
      const { report } = pruner.prune([...conversation.messages], { meta: [...conversation.meta] });
      counted = 1.5 * (8_000 + report.tokens.after);
      if (!report.cut) continue;
      expect(report.pressure.used).toBeLessThanOrEqual(0.8 * 0.75 * 40_000);
      expect(report.pressure.used, "no more than has to").toBeGreaterThan(0.8 * 0.75 * 40_000 - 1.6 * 1_100);
      return;
    }
    expect.unreachable("there was no cut");
  });

  test("not again until the context has grown, and every cut reaches the low-water mark", () => {
    const live = new Live({ config, passes: [], ladder: [clear] });
    const cuts: number[] = [];
    for (let i = 0; i < 40; i++) if (live.read(`f${i}`, 2_000).report.cut) cuts.push(i);
    expect(cuts.length).toBeGreaterThan(2);
    for (const [i, at] of cuts.entries())
      if (i > 0) expect(at - (cuts[i - 1] ?? 0)).toBeGreaterThanOrEqual(3);
  });

  test("a cut that brings little relief is not made: it would cost a rewrite, and another would follow soon", () => {
    const little: Rung = {
      name: "little",
      propose: (facts, shown) => [...clear.propose(facts, shown)].slice(0, 1),
    };
    const live = fill({ ladder: [little] });
    expect(live.result.report.edits).toEqual([]);
    expect(live.shown).not.toContain("[cleared]");
  });

  test("by default: shake, aggressive shake, placeholders, dropped groups", () => {
    const names = makePolicy({}).ladder.map(({ name }) => name);
    expect(names).toEqual(["shake", "aggressive-shake", "trim-placeholders", "trim-groups"]);
  });

  test("text that leaves no room for the response is cut, even below the threshold", () => {
    const strategies = { compactThreshold: 1, trim: { reservedOutputTokens: 12_000 } };
    const live = new Live({ config: { window: 40_000, strategies }, passes: [], ladder: [clear] });
    for (let i = 0; i < 20 && !live.result.report.cut; i++) live.read(`f${i}`, 2_000);
    const { cut, pressure, tokens } = live.result.report;
    expect(cut?.reason).toBe("pressure");
    expect(pressure.used).toBeLessThan(40_000);
    expect(8_000 + tokens.after, "0.8 of the room for the request").toBeLessThanOrEqual(0.8 * 28_000);
    expect(8_000 + tokens.after, "no more than has to").toBeGreaterThan(0.8 * 28_000 - 2_100);
  });

  test("if nothing more may be cut, that is reported, and the request is as small as possible", () => {
    const live = fill({ ladder: [] }, 20);
    expect(live.result.report.issues).toContainEqual(
      expect.objectContaining({ code: "context-overflow", severity: "error" }),
    );
  });

  test("a restart gives the same bytes", () => {
    const live = fill({ ladder: [shorten, clear, drop] }, 30);
    const again = createPruner({ prefixTokens: 8_000, config, passes: [], ladder: [shorten, clear, drop] });
    const cold = again.prune(live.messages, { model: "claude-sonnet-4-5", meta: live.meta });
    const bytes = ({ messages, report: { issues: _, ...report } }: PruneResult<unknown>) =>
      JSON.stringify({ messages, report });
    expect(bytes(cold)).toBe(bytes(live.result));
  });
});

describe("a request that would not fit", () => {
  const gpt4 = { model: "gpt-4" };
  const sentAs = ({ messages }: PruneResult<unknown>) =>
    messages.map((message) => message as { role: string; content: string });

  test("in a window of 8,192 the newest result is always shown", () => {
    const conversation = new Conversation();
    const pruner = createPruner();
    for (let i = 0; i < 10; i++) {
      conversation.call("read", { filePath: `f${i}.ts` }, textOf(280, i));
      const result = pruner.prune([...conversation.messages], { ...gpt4, meta: [...conversation.meta] });
      const last = sentAs(result).at(-1);
      expect(last?.role, `request ${i}`).toBe("tool");
      expect(last?.content).toBe(textOf(280, i));
      expect(result.report.issues.map(({ code }) => code)).not.toContain("context-overflow");
    }
  });

  test("a result that the agent has not seen is shortened, not cleared, and no more than needed", () => {
    const conversation = new Conversation();
    const pruner = createPruner();
    for (const [i, tokens] of [1_500, 6_000, 12_000, 2_000].entries()) {
      conversation.call("read", { filePath: `f${i}.ts` }, textOf(tokens, i));
      const result = pruner.prune([...conversation.messages], { ...gpt4, meta: [...conversation.meta] });
      const { content = "", role } = sentAs(result).at(-1) ?? {};
      const [first = ""] = textOf(tokens, i).split("\n");
      expect(role).toBe("tool");
      expect(content).toContain(first);
      expect(content.length).toBeGreaterThan(1_500);
      expect(result.report.pressure.window).toBe(8_192);
      expect(result.report.issues.map(({ code }) => code)).not.toContain("context-overflow");
    }
  });

  test("a result that the agent has not seen is no shorter than the window requires", () => {
    const conversation = new Conversation().call("read", { filePath: "a.ts" }, textOf(12_000));
    const { messages, report } = createPruner({ prefixTokens: 1_000, config: { window: 14_000 } }).prune(
      conversation.messages,
    );
    expect(report.pressure.used).toBeLessThanOrEqual(14_000 - 4_096);
    // About 8,000 tokens of it fit; the low-water mark is lower.
    expect(report.pressure.used).toBeGreaterThan(0.8 * (14_000 - 4_096));
    expect(JSON.stringify(messages.at(-1))).toContain("lines omitted");
  });

  test("of the messages that a host carried into the session, only the last results count as not seen", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 10; i++) conversation.call("read", { filePath: `f${i}.ts` }, textOf(2_000, i));
    const { messages } = conversation;
    const pruner = createPruner({ prefixTokens: 1_000, config: { window: 16_000 } });
    const { report, messages: sent } = pruner.prune(messages, { carried: messages.length });
    expect(report.issues.map(({ code }) => code)).not.toContain("context-overflow");
    expect(report.cut?.reason).toBe("pressure");
    expect(sent.at(-1), "the newest result").toBe(messages.at(-1));
    expect(sent.slice(0, -1)).not.toEqual(messages.slice(0, -1));
  });

  test("small windows: a request never ends with an assistant message, and signed reasoning stays legal", () => {
    const messages: unknown[] = [{ role: "user", content: "go" }];
    const pruner = createPruner({ format: "anthropic-messages", config: { window: 8_192 } });
    const { validate } = formatByName("anthropic-messages");
    for (let i = 0; i < 14; i++) {
      const thinking = { type: "thinking", thinking: `I look at file ${i}.`, signature: `s${i}` };
      const call = { type: "tool_use", id: `c${i}`, name: "read", input: { file_path: `f${i}` } };
      const text = { type: "text", text: `Reading file ${i} now.` };
      messages.push({ role: "assistant", content: [thinking, text, call] });
      const content = textOf(i % 3 === 0 ? 7_000 : 900, i);
      messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: `c${i}`, content }] });
      const sent = pruner.prune([...messages], { model: "claude-sonnet-4-5" }).messages;
      expect(sentAs({ messages: sent } as PruneResult<unknown>).at(-1)?.role).toBe("user");
      expect(validate(sent, "signed")).toEqual([]);
      expect(JSON.stringify(sent.at(-1))).toContain(`tool_use_id":"c${i}`);
    }
  });

  test("is reported for every request that does not fit, and for no other", () => {
    const conversation = new Conversation(textOf(5_000));
    const pruner = createPruner({ config: { tools: { settings: { protectedTools: ["read"] } } } });
    const reported: boolean[] = [];
    const overflows: boolean[] = [];
    for (let i = 0; i < 40; i++) {
      conversation.call("read", { filePath: `f${i}.ts` }, textOf(60, i));
      const { report } = pruner.prune([...conversation.messages], {
        ...gpt4,
        meta: [...conversation.meta],
      });
      reported.push(report.issues.some(({ code }) => code === "context-overflow"));
      overflows.push(0.1 * 8_192 + report.tokens.after > 8_192 - 4_096);
    }
    expect(reported).toEqual(overflows);
    expect(reported).toContain(true);
    const short = createPruner().prune([{ role: "user", content: "go" }], gpt4);
    expect(short.report.issues.map(({ code }) => code)).not.toContain("context-overflow");
  });

  test("a request that no longer fits is searched again at once, however little it has grown", () => {
    const conversation = new Conversation(textOf(24_800));
    const pruner = createPruner({ prefixTokens: 2_000, config: { window: 32_000 } });
    for (let i = 0; i < 6; i++) {
      conversation.call("bash", { command: `make t${i}` }, textOf(440, i));
      const { report } = pruner.prune([...conversation.messages], {
        model: "claude-sonnet-4-5",
        meta: [...conversation.meta],
      });
      expect(report.pressure.used).toBeLessThanOrEqual(32_000);
    }
  });

  test.each([
    ["shadow", "Coppice only watches in this session"],
    ["off", "pruning is off in this session"],
  ] as const)("is also reported if Coppice is %s", (status, why) => {
    const conversation = new Conversation();
    for (let i = 0; i < 20; i++) conversation.call("read", { filePath: `f${i}.ts` }, textOf(700, i));
    const { report } = createPruner().prune(conversation.messages, { ...gpt4, status });
    expect(report.pressure.used).toBeGreaterThan(8_192);
    expect(report.issues.find(({ code }) => code === "context-overflow")?.message).toContain(why);
    const short = createPruner().prune([{ role: "user", content: "go" }], { ...gpt4, status });
    expect(short.report.issues.map(({ code }) => code)).not.toContain("context-overflow");
  });

  test("a window of 2,048 is not hopeless", () => {
    const conversation = new Conversation();
    const pruner = createPruner({ config: { window: 2_048 } });
    for (let i = 0; i < 10; i++) {
      conversation.call("read", { filePath: `f${i}.ts` }, textOf(200, i));
      const { report } = pruner.prune([...conversation.messages], { meta: [...conversation.meta] });
      expect(report.issues.map(({ code }) => code)).not.toContain("context-overflow");
    }
  });
});

describe("taking edits back", () => {
  /** `clear` calls clear the result before them or the part that they name; `back` calls undo that. */
  const clearing = (requested: true | undefined, timing?: Timing): Strategy => ({
    name: "clearing",
    propose: (step, facts) =>
      step.completed.flatMap(({ use, call, result }) => {
        if (use.name !== "clear") return [];
        const { part = result - 2 } = (facts.transcript.part(call) as { input: { part?: number } }).input;
        const rest = { reason: "cleared", ...(requested && { requested: requested }) };
        return replacePart(facts, part, (ref) => `[cleared ${ref}]`, rest) ?? [];
      }),
    restores: (step, { transcript, refs }) =>
      step.completed.flatMap(({ use, call }) => {
        const part = transcript.part(call);
        const target = part.kind === "call" ? (part.input as { part: number }).part : 0;
        if (use.name !== "back") return [];
        const leaf = transcript.part(target).leaves[0];
        return leaf
          ? [
              {
                ref: refs.refOf({
                  part: transcript.key(target),
                  leaf: leaf.id,
                  from: 0,
                  to: leaf.text.length,
                }),
                ...(timing && { timing: timing }),
              },
            ]
          : [];
      }),
  });

  test("at once if the rewrite is cheap; the ledger keeps both edits", () => {
    const live = new Live({ passes: [usePass(clearing(true))] });
    live.read("a", 2_000);
    live.call("clear", {}, "ok").prune();
    expect(live.shown[0]).toMatch(/^\[cleared/);
    live.call("back", { part: 2 }, "ok");
    const { report } = live.prune();
    expect(live.shown[0]).toBe("whole");
    expect(report.cut).toMatchObject({ reason: "requested", edits: [{ type: "undo", author: "clearing" }] });
    expect(report.edits.map(({ edit }) => edit.type)).toEqual(["replace", "undo"]);
    expect(report.tokens.saved).toBe(0);
  });

  test("otherwise it waits until the cache is cold", () => {
    const live = new Live({ passes: [usePass(clearing(true))] });
    live.read("a", 2_000);
    live.call("clear", {}, "ok").prune();
    live.read("b", 30_000);
    live.call("back", { part: 2 }, "ok").prune();
    expect(live.shown[0]).toMatch(/^\[cleared/);
    live.wait(600_000).read("c", 100);
    expect(live.shown[0]).toBe("whole");
  });

  test.each<[Timing, behind: number, atOnce: boolean]>([
    ["now", 30_000, true],
    ["later", 100, false],
  ])(
    "the agent was promised %s, with %i tokens after it: the promise counts, not the price",
    (timing, behind, atOnce) => {
      const live = new Live({ passes: [usePass(clearing(true, timing))] });
      live.read("a", 2_000);
      live.call("clear", {}, "ok").prune();
      live.read("b", behind);
      live.call("back", { part: 2 }, "ok").prune();
      expect(live.shown[0] === "whole").toBe(atOnce);
      live.read("c", 100);
      expect(live.shown[0] === "whole").toBe(atOnce);
      live.wait(600_000).read("d", 100);
      expect(live.shown[0]).toBe("whole");
    },
  );

  test("a waiting plan is withdrawn", () => {
    const live = new Live({ passes: [usePass(clearing(undefined))] });
    live.read("a", 2_000);
    live.read("b", 30_000);
    live.call("clear", { part: 2 }, "ok").prune();
    expect(live.result.report.waiting.length).toBe(1);
    live.call("back", { part: 2 }, "ok").prune();
    expect(live.result.report.waiting).toEqual([]);
    live.wait(600_000).read("c", 100);
    expect(live.shown[0]).toBe("whole");
  });
});
