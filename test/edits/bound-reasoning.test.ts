import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import { createPruner } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replacing/replace-part.ts";
import type { Rung } from "../../src/strategies/rung.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { textOf } from "../conversation.ts";
import { render, scripts } from "../generate.ts";
import { runLive } from "../laws.ts";

/** Texts that begin with `old` are due as soon as another message follows them. */
const olds: Strategy = {
  name: "olds",
  propose: (_, facts) =>
    facts.transcript.parts.slice(0, -1).flatMap(({ leaves }, part) => {
      const isOld = leaves[0]?.text.startsWith("old") === true;
      return isOld ? (replacePart(facts, part, () => "[cut]", { reason: "old" }) ?? []) : [];
    }),
};
const clear: Rung = {
  name: "clear",
  propose: (facts) =>
    facts.transcript.parts.flatMap(({ kind }, part) =>
      kind === "result" ? (replacePart(facts, part, () => "[cut]", { reason: "full" }) ?? []) : [],
    ),
};

const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
const say = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
const step = (id: string, output: string) => [
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: `thought ${id}`, signature: `signed ${id}` },
      { type: "tool_use", id, name: "bash", input: { command: id } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
];
const old = `old\n${textOf(3_000)}`;

/** The request as sent: the remaining signatures, and the number of cuts. */
function send(
  messages: readonly unknown[],
  window = 200_000,
  ladder: readonly Rung[] = [],
  reasoning: ReasoningRule = "bound",
  more: NonNullable<PartialConfig["schedule"]> = {},
) {
  const schedule = { mode: "eager", ingestCap: null, prices: { "*": { reasoning } }, ...more } as const;
  const strategies = { trim: { reservedOutputTokens: 1_000 } };
  const pruner = createPruner({
    prefixTokens: 8_000,
    passes: [usePass(olds)],
    ladder,
    config: { window, schedule, strategies },
  });
  const sent = JSON.stringify(pruner.prune(messages).messages);
  return { signed: sent.match(/signed \w/g) ?? [], cuts: sent.match(/\[cut\]/g)?.length ?? 0 };
}

describe("if reasoning is bound to the text before it", () => {
  test.each<[string, readonly unknown[], number, ReturnType<typeof send>]>([
    [
      "without reasoning, everything due is cut",
      [user(old), say("yes"), user("on")],
      200_000,
      { signed: [], cuts: 1 },
    ],
    [
      "nothing before a block that stays is cut",
      [user(old), ...step("a", "x"), say("yes"), user("on")],
      200_000,
      { signed: ["signed a"], cuts: 0 },
    ],
    [
      "the text right before it is not cut, although a text after it is",
      [user(old), ...step("a", "x"), say(old), user("on")],
      200_000,
      { signed: ["signed a"], cuts: 1 },
    ],
    [
      "the text after the last block may be cut",
      [user("go"), ...step("a", "x"), say(old), user("on")],
      200_000,
      { signed: ["signed a"], cuts: 1 },
    ],
    [
      "if the window is full, blocks of finished turns are dropped with the cut",
      [user(old), ...step("a", "x"), say("yes"), user("on")],
      12_000,
      { signed: [], cuts: 1 },
    ],
    [
      "but only those after the cut",
      [user("go"), ...step("a", old), ...step("b", "x"), say("yes"), user("on")],
      12_000,
      { signed: ["signed a"], cuts: 1 },
    ],
    [
      "blocks of the current loop are never dropped, full or not",
      [user("go"), ...step("a", old), ...step("b", "x")],
      12_000,
      { signed: ["signed a", "signed b"], cuts: 0 },
    ],
  ])("%s", (_, messages, window, expected) => {
    expect(send(messages, window)).toEqual(expected);
  });

  test("the ladder does not cut before a block of the current loop either", () => {
    const loop = [user("go"), ...step("a", textOf(6_500, 1)), ...step("b", textOf(500, 2))];
    expect(send(loop, 16_000, [clear])).toEqual({ signed: ["signed a", "signed b"], cuts: 0 });
    const later = [...loop, say("done"), user("on")];
    expect(send(later, 16_000, [clear])).toEqual({ signed: ["signed a"], cuts: 1 });
  });
});

describe("if reasoning of finished turns may be dropped", () => {
  const drop = (messages: readonly unknown[], more: NonNullable<PartialConfig["schedule"]> = {}) =>
    send(messages, 200_000, [], "bound", { dropReasoning: true, ...more });
  const turn = [user("go"), ...step("a", old), ...step("b", "x"), say("yes"), user("on")];

  test("text before it is cut at a new turn, and the void blocks are dropped with it", () => {
    expect(send(turn)).toEqual({ signed: ["signed a", "signed b"], cuts: 0 });
    expect(drop(turn)).toEqual({ signed: ["signed a"], cuts: 1 });
  });

  test("not inside the loop: its blocks stay, and the text that they are bound to", () => {
    expect(drop(turn.slice(0, -2))).toEqual({ signed: ["signed a", "signed b"], cuts: 0 });
    const loop = [user(old), ...step("a", "x"), say("yes"), user("on"), ...step("b", "x")];
    const live = createPruner({
      passes: [usePass(olds)],
      config: {
        schedule: { mode: "rent-or-buy", prices: { "*": { reasoning: "bound" } }, dropReasoning: true },
      },
    });
    const sent = [1, 3, 5, 7].map((end) => JSON.stringify(live.prune(loop.slice(0, end)).messages));
    expect(sent.at(-1)?.startsWith(sent.at(-2)?.slice(0, -1) ?? "?")).toBe(true);
  });

  test("only for a cut that pays for itself", () => {
    // 3,000 tokens before 30,000: four more requests do not pay for rewriting those.
    const long = [user("go"), ...step("a", old), ...step("b", textOf(30_000)), say("yes"), user("on")];
    expect(drop(long, { mode: "rent-or-buy" })).toEqual({ signed: ["signed a", "signed b"], cuts: 0 });
    expect(drop(turn, { mode: "rent-or-buy" })).toEqual({ signed: ["signed a"], cuts: 1 });
  });
});

describe("reasoning that the host no longer sends", () => {
  /** Finished turns without their reasoning, as some clients send them. */
  const strip = (messages: readonly unknown[]) =>
    messages.map((message) => {
      const { content, ...rest } = message as { content: readonly { readonly type: string }[] };
      return { ...rest, content: content.filter(({ type }) => type !== "thinking") };
    });

  test("binds nothing: the cuts that it held back are made with the first request that lacks it", () => {
    const turn = [user("go"), ...step("a", old), ...step("b", "x"), say("yes")];
    expect(send([...turn, user("on")])).toEqual({ signed: ["signed a", "signed b"], cuts: 0 });
    expect(send([...strip(turn), user("on")])).toEqual({ signed: [], cuts: 1 });
    expect(send([...strip(turn), user("on"), ...step("c", "x")])).toEqual({ signed: ["signed c"], cuts: 1 });
  });

  test("the loop after it keeps its own blocks valid: each request begins like the previous one", () => {
    const config = { schedule: { prices: { "*": { reasoning: "bound" } } } } as const;
    const pruner = createPruner({ passes: [usePass(olds)], config });
    const turn = [user("go"), ...step("a", old), ...step("b", "x"), say("yes")];
    for (let end = 1; end < turn.length; end += 2) pruner.prune(turn.slice(0, end), { session: "s" });
    const next = [...strip(turn), user("on"), ...step("c", "x"), ...step("d", "x")];
    const sent = [7, 9, 11].map((end) => pruner.prune(next.slice(0, end), { session: "s" }).messages);
    expect(JSON.stringify(sent[0])).toContain("[cut]");
    expect(sent[1]?.slice(0, 7)).toEqual(sent[0]);
    expect(sent[2]?.slice(0, 9)).toEqual(sent[1]);
  });
});

test("reasoning that is signed and not bound stays after a cut", () => {
  const turns = [user(old), ...step("a", "x"), ...step("b", "x"), say("yes"), user("on")];
  for (const window of [200_000, 12_000])
    expect(send(turns, window, [], "signed")).toEqual({ signed: ["signed a", "signed b"], cuts: 1 });
});

describe("a text that was cut before a bound block of an older turn", () => {
  const play = () => {
    const config = { schedule: { prices: { "*": { reasoning: "bound" } } } } as const;
    const session = new AgentSession({ config }, "anthropic-messages").step({
      calls: [["bash", { command: "npm test" }, textOf(900)]],
    });
    const ref = session.ref("result");
    session.ask("discard", [[ref]]);
    session.step({ thinking: { text: "hm", signed: true }, calls: [["bash", { command: "ls" }, "a.ts"]] });
    session.step({ text: "done" }).prompt("on");
    return { session, ref };
  };

  test("does not come back while the cache is warm, although it is cheap", () => {
    const { session, ref } = play();
    expect(session.ask("restore", [[ref]])).toContain("once the cache is cold");
    expect(session.results()[0]).toContain("[discarded");
  });
});

describe("every remaining block follows exactly the text that it was written after", () => {
  test.each([false, true])("dropReasoning: %s", (dropReasoning) => {
    let checked = 0;
    let dropped = 0;
    fc.assert(
      fc.property(
        scripts({ reasoning: "signed" }),
        fc.constantFrom("rent-or-buy", "eager"),
        fc.constantFrom(12_000, 200_000),
        (script, mode, window) => {
          const config = {
            window,
            schedule: { mode, prices: { "*": { reasoning: "bound" } }, dropReasoning },
          } as const;
          const options = { config, prefixTokens: 2_000 };
          const { requests } = runLive(render(script, "anthropic-messages"), options, "bound");
          const sentBy = new Map(requests.map(({ input, result }) => [input.length, result.messages]));
          for (const { result } of requests) {
            for (const [i, message] of result.messages.entries()) {
              const before = sentBy.get(result.sources[i] ?? -1);
              if (!before || !JSON.stringify(message).includes('"signature"')) continue;
              checked++;
              expect(JSON.stringify(result.messages.slice(0, i))).toBe(JSON.stringify(before));
            }
            dropped += result.report.edits.filter(({ edit }) => edit.type === "drop").length;
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(checked).toBeGreaterThan(100);
    expect(dropped).toBeGreaterThan(0);
  });
});
