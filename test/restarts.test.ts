import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PruneRequest } from "../src/fold/prune-request.ts";
import { createPruner, type PruneResult, type PrunerOptions } from "../src/pruner.ts";
import type { MessageMeta } from "../src/transcript/message.ts";
import { Conversation, textOf } from "./conversation.ts";
import { type HostKind, render, scripts } from "./generate.ts";
import { runLive } from "./laws.ts";

const OPTIONS: PrunerOptions = {
  prefixTokens: 2_000,
  config: { strategies: { pruneProtect: 500, pruneMinimum: 500 }, schedule: { ingestCap: null } },
};

const bytesOf = ({ messages, report }: PruneResult<unknown>) =>
  JSON.stringify([messages, report.edits, report.bill]);

/** Every request of some sessions, as sent and as a new process would send it. */
function compareRestarts(host: HostKind) {
  const found = { same: 0, different: 0, unreported: 0, reported: 0 };
  fc.assert(
    fc.property(scripts({ reasoning: "none" }), (script) => {
      const run = runLive({ ...render(script, "openai-chat"), host }, OPTIONS, "none");
      for (const { input, sent, request } of run.requests) {
        const cold = createPruner({ ...OPTIONS, format: "openai-chat" }).prune(input, request);
        const isReported = cold.report.issues.some(({ code }) => code === "history-assumed");
        if (bytesOf(cold) === bytesOf(sent)) found.same++;
        else found[isReported ? "different" : "unreported"]++;
        if (isReported) found.reported++;
      }
    }),
    { numRuns: 8 },
  );
  return found;
}

describe("after a restart", () => {
  test("a host that passes `report.terms` back gets the same bytes", () => {
    const found = compareRestarts("journaling");
    expect(found).toMatchObject({ different: 0, unreported: 0, reported: 0 });
    expect(found.same).toBeGreaterThan(30);
  });

  test("a host that does not gets a report that they may differ, whenever they do", () => {
    const found = compareRestarts("forgetful");
    expect(found.different).toBeGreaterThan(3);
    expect(found.unreported).toBe(0);
  });

  test("a host that passes only messages gets the same bytes", () => {
    expect(compareRestarts("bare")).toMatchObject({ different: 0, unreported: 0, reported: 0 });
  });
});

describe("the terms of a request", () => {
  const MINUTE = 60_000;
  /** A file read twice, and a pause after which the cache is cold; the messages have no times. */
  const steps = new Conversation()
    .call("read", { filePath: "a.ts" }, textOf(2_000))
    .call("read", { filePath: "b.ts" }, textOf(6_000, 1))
    .call("read", { filePath: "a.ts" }, textOf(2_000, 2))
    .call("read", { filePath: "c.ts" }, "short");
  const ends = [1, 3, 5, 7, 9];
  const askedAt = [0, 1, 2, 20, 21].map((minutes) => 1_790_000_000_000 + minutes * MINUTE);
  const request = (i: number, session = "s"): PruneRequest => {
    const at = askedAt[i];
    return { session, model: "claude-sonnet-4-5", ...(at !== undefined && { at }) };
  };
  const ask = (pruner: ReturnType<typeof createPruner>, i: number, more: PruneRequest = {}) =>
    pruner.prune(steps.messages.slice(0, ends[i]), { ...request(i), ...more });
  const live = () => {
    const pruner = createPruner();
    return { pruner, results: ends.map((_, i) => ask(pruner, i)) };
  };

  test("are in its report", () => {
    expect(live().results.map(({ report }) => report.terms)).toEqual(
      askedAt.map((time) => ({ time, model: "claude-sonnet-4-5" })),
    );
  });

  test("outlive the session's fold: a session whose fold was removed sends the same bytes", () => {
    const { results } = live();
    expect(results[3]?.report.cut?.reason).toBe("cold-cache");
    const pruner = createPruner({ config: { keepBytes: 0 } });
    for (const i of ends.keys()) {
      const sent = ask(pruner, i);
      expect(bytesOf(sent)).toBe(bytesOf(results[i] as PruneResult<unknown>));
      pruner.prune([{ role: "user", content: "another session" }], { session: "other" });
      expect(pruner.agentView("s")).toBeUndefined();
      expect(bytesOf(ask(pruner, i))).toBe(bytesOf(sent));
      expect(sent.report.issues.map(({ code }) => code)).not.toContain("history-assumed");
    }
  });

  test("outlive it with the model and the window of each request", () => {
    const other = (i: number): PruneRequest => ({
      ...request(i),
      model: i < 3 ? "gpt-4" : "claude-sonnet-4-5",
      window: i < 2 ? 9_000 : 60_000,
    });
    const pruner = createPruner({ config: { keepBytes: 0 } });
    for (const [i, end] of ends.entries()) {
      const sent = pruner.prune(steps.messages.slice(0, end), other(i));
      pruner.prune([{ role: "user", content: "another session" }], { session: "other" });
      const again = pruner.prune(steps.messages.slice(0, end), other(i));
      expect(bytesOf(again)).toBe(bytesOf(sent));
      expect(again.report.issues.map(({ code }) => code)).not.toContain("history-assumed");
    }
    expect(pruner.prune(steps.messages.slice(0, ends[4]), other(4)).report.edits.length).toBeGreaterThan(0);
  });

  test.each<[string, PruneRequest]>([
    ["a time", { at: 1_790_000_000_000 }],
    ["a model", { model: "gpt-4" }],
    ["a window", { window: 60_000 }],
  ])("if only %s is given, a cold start reports that it is unknown for earlier requests", (_, given) => {
    const meta = Object.keys(given).includes("at")
      ? []
      : steps.messages.map((_, i) => ({ time: 1_790_000_000_000 + i * MINUTE }));
    const cold = createPruner().prune(steps.messages, { ...given, meta });
    expect(cold.report.issues.map(({ code }) => code)).toContain("history-assumed");
    const none = createPruner().prune(steps.messages, { meta });
    expect(none.report.issues.map(({ code }) => code)).not.toContain("history-assumed");
  });

  test.each<[string, PruneRequest]>([
    ["at", { at: 1_790_000_000_000 }],
    ["model", { model: "gpt-4" }],
    ["window", { window: 60_000 }],
  ])("a request that lacks the %s of earlier requests gets a report of that", (name, given) => {
    const pruner = createPruner();
    const issuesOf = (end: number | undefined, one: PruneRequest) =>
      pruner.prune(steps.messages.slice(0, end), one).report.issues;
    expect(issuesOf(ends[0], given).map(({ code }) => code)).not.toContain("history-assumed");
    expect(issuesOf(ends[1], given).map(({ code }) => code)).not.toContain("history-assumed");
    const [issue] = issuesOf(ends[2], {}).filter(({ code }) => code === "history-assumed");
    expect(issue?.message).toContain(`earlier requests had ${name}, this one does not`);
  });

  test("a response of another model than the requested one changes the cuts, and that is reported", () => {
    const run = (answered: string | undefined) => {
      const pruner = createPruner();
      const meta: MessageMeta[] = [];
      let changed = 0;
      let last = "";
      for (const [i, end] of ends.entries()) {
        const { messages, report } = pruner.prune(steps.messages.slice(0, end), {
          model: "my-router/auto",
          at: askedAt[i] ?? 0,
          meta,
        });
        const sent = JSON.stringify(messages);
        const isReported = report.issues.some(({ code }) => code === "history-changed");
        const isKept = sent.startsWith(last.slice(0, -1)) || report.cut !== undefined;
        expect(isKept || isReported).toBe(true);
        if (isReported) changed++;
        last = sent;
        if (answered !== undefined) meta[end] = { model: answered };
      }
      return changed;
    };
    expect(run(undefined)).toBe(0);
    expect(run("gpt-4")).toBeGreaterThan(0);
  });

  test("a cache that was kept warm during a pause is not cold, now and after a restart", () => {
    const warmedAt = (askedAt[3] ?? 0) - 4 * MINUTE;
    const stale = (askedAt[3] ?? 0) - 7 * MINUTE;
    const run = (third: PruneRequest) => {
      const pruner = createPruner();
      return { pruner, results: ends.map((_, i) => ask(pruner, i, i === 3 ? third : {})) };
    };
    const { pruner, results } = run({ warmedAt });
    expect(results[3]?.report.cut?.reason).not.toBe("cold-cache");
    expect(results[3]?.report.terms.warmedAt).toBe(warmedAt);
    expect(results[4]?.report.terms).not.toHaveProperty("warmedAt");
    expect(results[4]?.report.issues.map(({ code }) => code)).not.toContain("history-assumed");
    expect(run({ warmedAt: stale }).results[3]?.report.cut?.reason).toBe("cold-cache");

    const last = results[4] as PruneResult<unknown>;
    expect(bytesOf(last)).not.toBe(bytesOf(live().results[4] as PruneResult<unknown>));
    expect(bytesOf(ask(pruner, 4, { warmedAt: askedAt[4] ?? 0 })), "the first word counts").toBe(
      bytesOf(last),
    );
    const meta = ends.slice(0, 4).reduce<MessageMeta[]>((known, end, i) => {
      known[end] = { terms: results[i]?.report.terms ?? {} };
      return known;
    }, []);
    expect(bytesOf(ask(createPruner(), 4, { meta }))).toBe(bytesOf(last));
  });

  test("a retry has the time of its first try", () => {
    const { pruner, results } = live();
    const later = ask(pruner, 4, { at: (askedAt[4] ?? 0) + 60 * MINUTE });
    expect(bytesOf(later)).toBe(bytesOf(results[4] as PruneResult<unknown>));
  });

  test("give way to a later value from the host", () => {
    const { pruner } = live();
    const terms = { time: 1_790_000_000_000 + 3 * MINUTE, model: "claude-sonnet-4-5" };
    const meta = steps.messages.slice(0, 9).map((_, i) => (i === 7 ? { terms: terms } : undefined));
    const corrected = ask(pruner, 4, { meta });
    expect(corrected.report.edits.filter(({ request }) => request === 3)).toEqual([]);
  });

  test("a response with a dated model name is from the requested model: no cache went cold, no window changed", () => {
    const asked = { model: "claude-sonnet-4-5[1m]" };
    const meta: MessageMeta[] = [];
    for (const end of ends) meta[end] = { model: "claude-sonnet-4-5-20250929" };
    const pruner = createPruner();
    const sent = ends.map((end) => pruner.prune(steps.messages.slice(0, end), { ...asked, meta }));
    expect(sent.map(({ report }) => report.cut?.reason)).not.toContain("cold-cache");
    expect(sent.map(({ report }) => report.terms.model)).toEqual(ends.map(() => asked.model));
    expect(sent.at(-1)?.report.pressure.window).toBe(1_000_000);
    const other = createPruner();
    const same = ends.map((end) => other.prune(steps.messages.slice(0, end), asked));
    expect(sent.map(bytesOf)).toEqual(same.map(bytesOf));
  });

  test("without it after a restart, the cut in the cold cache is missing, and the report says so", () => {
    const { results } = live();
    const cold = ask(createPruner(), 4);
    expect(bytesOf(cold)).not.toBe(bytesOf(results[4] as PruneResult<unknown>));
    expect(cold.report.issues).toContainEqual(expect.objectContaining({ code: "history-assumed" }));
    const meta = ends.reduce<({ terms: object } | undefined)[]>((known, end, i) => {
      known[end] = { terms: results[i]?.report.terms ?? {} };
      return known;
    }, []);
    const journaled = ask(createPruner(), 4, { meta });
    expect(bytesOf(journaled)).toBe(bytesOf(results[4] as PruneResult<unknown>));
    expect(journaled.report.issues.map(({ code }) => code)).not.toContain("history-assumed");
  });
});
