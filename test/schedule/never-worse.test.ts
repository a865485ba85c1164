import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replacing/replace-part.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { Conversation, textOf } from "../conversation.ts";

/** A call of `stale` makes the last result but one stale; a call of `discard` requests a cut of the first result. */
const stale: Strategy = {
  name: "stale",
  propose: (step, facts) =>
    step.completed.flatMap(({ use, result }) => {
      if (use.name === "stale")
        return replacePart(facts, result - 4, () => "[gone]", { reason: "gone" }) ?? [];
      if (use.name !== "discard") return [];
      return replacePart(facts, 2, () => "[gone]", { reason: "requested", requested: true }) ?? [];
    }),
};

/** A session that is pruned before every request; little is said in most. */
class Billed extends Conversation {
  readonly #pruner = createPruner({ passes: [usePass(stale)], ladder: [] });
  readonly #model: string;
  readonly cuts: string[] = [];
  /** The highest ratio of the bill to the bill without Coppice. */
  worst = 0;

  /** The default provider caches at marks. */
  constructor(model = "claude-sonnet-4-5") {
    super();
    this.#model = model;
  }

  step(tool: string, output = "ok"): this {
    this.call(tool, {}, output);
    const request = { model: this.#model, meta: [...this.meta] };
    const { bill, cut } = this.#pruner.prune([...this.messages], request).report;
    this.worst = Math.max(this.worst, bill.with / bill.without);
    if (cut) this.cuts.push(cut.reason);
    return this;
  }

  /** Makes 800 tokens stale that so many follow, and waits until they go, if they do. */
  spend(follows: number): this {
    this.step("read", textOf(800, 61)).step("read", textOf(follows, 62)).step("stale");
    const before = this.cuts.length;
    for (let i = 0; i < 20 && this.cuts.length === before; i++) this.step("wait");
    return this;
  }
}

function playLong(model?: string): Billed {
  const billed = new Billed(model);
  for (let i = 0; i < 60; i++) billed.step("read", textOf(200, i));
  return billed;
}

describe("whenever a session ends, its cuts have made it at most 1 % more expensive", () => {
  test("however much a cut rewrites: some cuts come close to the limit, and some are not made", () => {
    const sessions = [800, 900, 1_000, 1_050, 1_100, 1_200, 1_400].map((follows) =>
      playLong("gpt-5.6").spend(follows),
    );
    const worst = Math.max(...sessions.map((session) => session.worst));
    expect(worst).toBeLessThanOrEqual(1.01);
    expect(worst).toBeGreaterThan(1.009);
    expect(sessions.at(0)?.cuts).toEqual(["rent-paid"]);
    expect(sessions.at(-1)?.cuts).toEqual([]);
  });

  test("if the provider caches at marks, a cut waits until there is an entry before it", () => {
    // The newest result of the last request follows its only entry; one step later there is an entry before it.
    const sessions = [100, 400, 800].map((follows) => playLong().spend(follows));
    for (const { worst } of sessions) expect(worst).toBeLessThanOrEqual(1.01);
  });

  test("the loss of a requested cut is recovered before another cut is made", () => {
    expect(playLong().step("wait").spend(500).cuts).toEqual(["rent-paid"]);
    const asked = playLong().step("discard");
    expect(asked.cuts).toEqual(["requested"]);
    expect(asked.worst).toBeGreaterThan(1.01);
    expect(asked.spend(500).cuts).toEqual(["requested"]);
  });
});

test("a rewrite that almost pays for itself with its own request is made, although nothing was saved before", () => {
  const pruner = createPruner({});
  const session = new Conversation();
  let last = { before: 0, after: 0 };
  for (let i = 0; i < 60; i++) {
    session.call("read", { filePath: `src/${i % 3}.ts` }, textOf(1_400, i % 3));
    last = pruner.prune([...session.messages], { model: "claude-sonnet-4-5" }).report.tokens;
  }
  expect(last.after).toBeLessThan(0.3 * last.before);
});

describe("a requested cut while Coppice is behind by more than one rewrite", () => {
  test.each([
    [0, "from the next request on", true],
    [20_000, "with the next cut that reaches it", false],
  ])("with %i tokens of our own in every request it is made %s", (overheadTokens, when, isCut) => {
    const session = new AgentSession({ overheadTokens })
      .call("bash", { command: "npm test" }, textOf(900))
      .call("bash", { command: "npm run build" }, textOf(3_000, 1));
    const answer = session.ask("discard", [[session.ref("result")]]);
    expect(answer).toContain(when);
    expect(session.results()[0]?.includes("[discarded")).toBe(isCut);
    const { waiting } = session.prune().report;
    expect(waiting.some(({ author }) => author === "agent")).toBe(!isCut);
  });
});
