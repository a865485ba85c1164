import { describe, expect, test } from "vitest";
import { isRecord } from "../src/basics/json.ts";
import { createPruner, type PrunerOptions } from "../src/pruner.ts";
import type { Report } from "../src/reports/report.ts";
import { replacePart } from "../src/strategies/replacing/replace-part.ts";
import { type Strategy, usePass } from "../src/strategies/strategy.ts";
import { Conversation, textOf } from "./conversation.ts";

const MINUTE = 60_000;

/** A call of `stale { back }` makes the result of the call that many calls earlier stale. */
const stale: Strategy = {
  name: "stale",
  propose: (step, facts) =>
    step.completed.flatMap(({ use, call, result }) => {
      const part = facts.transcript.part(call);
      const back = part.kind === "call" && isRecord(part.input) ? part.input.back : undefined;
      if (use.name !== "stale" || typeof back !== "number") return [];
      return replacePart(facts, result - 2 * back, () => "[gone]", { reason: "gone" }) ?? [];
    }),
};

/** A session of a model whose provider caches at marks, pruned before every request. */
class Session extends Conversation {
  readonly reports: Report[] = [];
  readonly #pruner;
  readonly #mayMark: boolean;

  constructor({ mayMark = false, ...options }: PrunerOptions & { readonly mayMark?: boolean } = {}) {
    super();
    this.#pruner = createPruner({ passes: [usePass(stale)], ladder: [], ...options });
    this.#mayMark = mayMark;
  }

  step(tool: string, input: object = {}, output = "ok", pause = 10_000): this {
    this.call(tool, input, output, { pause });
    const { report } = this.#pruner.prune([...this.messages], {
      model: "claude-sonnet-4-5",
      meta: [...this.meta],
      ...(this.#mayMark && { mayMark: true }),
    });
    this.reports.push(report);
    return this;
  }

  get last(): Report {
    const report = this.reports.at(-1);
    if (!report) throw new Error("nothing was sent yet");
    return report;
  }

  /** Twenty results; the first is cut after a pause. Then only the text of this request is cached. */
  cutDeep(): this {
    for (let i = 0; i < 20; i++) this.step("read", {}, textOf(400, i));
    this.step("read", {}, textOf(3_000, 30)).step("stale", { back: 20 });
    expect(this.last.cut, "deep in the context it waits").toBeUndefined();
    this.step("read", {}, textOf(3_000, 31), 10 * MINUTE);
    expect(this.last.cut?.reason).toBe("cold-cache");
    return this;
  }
}

describe("right after a deep cut there is only one entry", () => {
  test("a result before it waits: a cut would write everything a second time", () => {
    const session = new Session().cutDeep().step("stale", { back: 1 });
    expect(session.last.cut).toBeUndefined();
    expect(session.last.waiting).toHaveLength(1);
    expect(session.last.bill.with).toBeLessThan(session.last.bill.without);
  });

  test("a result after it is cut as soon as that pays", () => {
    const session = new Session().cutDeep().step("read", {}, textOf(3_000, 32)).step("stale", { back: 1 });
    expect(session.last.cut?.reason).toBe("rent-paid");
  });

  test("with Coppice's own mark before the newest results, they can be cut", () => {
    const session = new Session({ mayMark: true }).cutDeep().step("stale", { back: 1 });
    expect(session.last.cut?.reason).toBe("rent-paid");
  });
});

describe("Coppice's own mark", () => {
  test("is at the end of the previous request", () => {
    const session = new Session({ mayMark: true });
    session.step("read", {}, "a").step("read", {}, "b");
    // user, call, result | call, result
    expect(session.last.mark).toBe(2);
  });

  test.each<[string, ConstructorParameters<typeof Session>[0]]>([
    ["the host can't set one", {}],
    ["it is switched off", { mayMark: true, config: { schedule: { ownMark: false } } }],
    ["Coppice only watches", { mayMark: true, config: { shadow: true } }],
    ["Coppice is off", { mayMark: true, config: { enabled: false } }],
  ])("there is none if %s", (_, options) => {
    const session = new Session(options).step("read", {}, "a").step("read", {}, "b");
    expect(session.last.mark).toBeUndefined();
  });

  test("after a restart it is at the same place: the terms of each request allow it", () => {
    const session = new Session({ mayMark: true }).cutDeep().step("stale", { back: 1 }).step("read", {}, "c");
    const meta = session.meta.map((each, i) => {
      // Message 2n + 1 answers message 2n: the first request ends with the first result.
      const terms = i >= 3 && i % 2 === 1 ? session.reports[(i - 3) / 2]?.terms : undefined;
      return terms ? { ...each, terms } : each;
    });
    const again = createPruner({ passes: [usePass(stale)], ladder: [] }).prune([...session.messages], {
      model: "claude-sonnet-4-5",
      meta,
      mayMark: true,
    }).report;
    expect(again.edits).toEqual(session.last.edits);
    expect(again.mark).toBe(session.last.mark);
    expect(again.marks.slice(-5)).toEqual(session.reports.slice(-5).map(({ mark }) => mark));
  });
});

test("a request without any mark is not cached: stale text is cut at once", () => {
  const pruner = createPruner({ passes: [usePass(stale)], ladder: [] });
  const session = new Conversation();
  let reason: string | undefined;
  for (let i = 0; i < 10; i++) {
    session.call(i === 9 ? "stale" : "read", { back: 8 }, textOf(400, i));
    const request = { model: "claude-sonnet-4-5", meta: [...session.meta], marks: [] };
    reason = pruner.prune([...session.messages], request).report.cut?.reason;
  }
  expect(reason).toBe("cold-cache");
});
