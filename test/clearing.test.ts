import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPruner, type Pruner } from "../src/pruner.ts";
import type { ClearingRule } from "../src/transcript/clearing-rule.ts";
import type { RequestTerms } from "../src/transcript/message.ts";
import { Conversation, textOf } from "./conversation.ts";

/* The request asks the provider to clear old results: the same text is not cut twice. */

const RULE: ClearingRule = { aboveTokens: 6_000, keep: 2 };
const PREFIX = 1_000;
const EAGER = { schedule: { mode: "eager" } } as const;

/** Reads three files again and again: each read makes the last one of the same file stale. */
function session(steps: number): Conversation {
  const conversation = new Conversation();
  for (let i = 0; i < steps; i++)
    conversation.call("read", { filePath: `f${i % 3}.ts` }, textOf(700, i % 3 === 0 ? i : i % 3));
  return conversation;
}

/** Reads this many files, and then all of them again. */
function readTwice(files: number): Conversation {
  const conversation = new Conversation();
  for (let i = 0; i < 2 * files; i++)
    conversation.call("read", { filePath: `f${i % files}.ts` }, textOf(700, i % files));
  return conversation;
}

/** Plays the session request by request. */
function play(
  { messages, meta }: Conversation,
  clears: ClearingRule | undefined,
  pruner: Pruner = createPruner({ prefixTokens: PREFIX, config: EAGER }),
) {
  const ends = messages.flatMap((_, i) => (i % 2 === 0 ? [i + 1] : []));
  return ends.map((end) =>
    pruner.prune(messages.slice(0, end), {
      session: "s",
      model: "claude-sonnet-4-5",
      meta: meta.slice(0, end),
      ...(clears && { clears }),
    }),
  );
}

const cutParts = (result: ReturnType<typeof play>[number] | undefined) =>
  result?.report.edits.flatMap(({ edit }) => (edit.type === "undo" ? [] : [edit.part])) ?? [];

describe("text that the provider clears", () => {
  test("is not cut, and does not wait", () => {
    const alone = play(readTwice(10), undefined).at(-1);
    const handed = play(readTwice(10), RULE).at(-1);
    expect(cutParts(alone).length).toBeGreaterThanOrEqual(8);
    expect(handed?.report.tokens.cleared).toBeGreaterThan(8_000);
    expect(cutParts(handed)).toEqual([]);
    expect(handed?.report.waiting).toEqual([]);
  });

  test("does not come back because a cut of ours takes the request below the trigger", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 7; i++) conversation.call("read", { filePath: `f${i}.ts` }, textOf(700, i));
    conversation.call("bash", { command: "make" }, textOf(700, 8));
    const uncut = () => createPruner({ prefixTokens: PREFIX, passes: [] });
    const below = play(conversation, undefined, uncut()).at(-1)?.report.tokens.before ?? 0;
    conversation.call("read", { filePath: "f9.ts" }, textOf(700, 9));
    const rule = { aboveTokens: PREFIX + below + 400, keep: 2, spared: ["bash"] };
    expect(cutParts(play(conversation, undefined).at(-1))).toHaveLength(1);
    const [last] = play(conversation, rule).slice(-1);
    expect(last?.report.cut).toBeUndefined();
    expect(last?.report.waiting).toHaveLength(1);
    expect(last?.report.tokens.after).toBe(play(conversation, rule, uncut()).at(-1)?.report.tokens.after);
    // A larger request stays above it: text that the provider spares is cut.
    conversation.call("read", { filePath: "f10.ts" }, textOf(700, 10));
    expect(cutParts(play(conversation, rule).at(-1))).toHaveLength(1);
  });

  test("is not in the figures", () => {
    const off = createPruner({ prefixTokens: PREFIX, config: { ...EAGER, shadow: false }, passes: [] });
    const { report } = play(session(12), RULE, off).at(-1) ?? expect.fail();
    expect(report.tokens.saved).toBe(0);
    expect(report.bill.with).toBe(report.bill.without);
    expect(report.bill.breaks).toBe(0);
    const [raw] = play(session(12), undefined, createPruner({ passes: [] })).slice(-1);
    const { before, cleared = 0 } = report.tokens;
    expect(before + cleared).toBe(raw?.report.tokens.before);
    // The system prompt, the first message, the inputs, two results and the text that the provider leaves.
    expect(report.pressure.used).toBeLessThan(PREFIX + 2 * 900 + 12 * 60);
  });

  test("its breaks of the cache cost the same with and without Coppice", () => {
    const off = () => createPruner({ prefixTokens: PREFIX, passes: [] });
    const raw = play(session(12), undefined, off()).at(-1)?.report;
    const handed = play(session(12), RULE, off()).at(-1)?.report;
    const price = (report: typeof raw, tokens: number) => (report?.bill.newest.without ?? 0) / tokens;
    expect(price(handed, handed?.tokens.before ?? 1)).toBeGreaterThan(
      2 * price(raw, raw?.tokens.before ?? 1),
    );
  });

  test("causes no pressure", () => {
    const config = { window: 12_000, strategies: { trim: { reservedOutputTokens: 500 } } };
    const pruner = () => createPruner({ prefixTokens: PREFIX, config, passes: [] });
    const pressed = play(session(16), undefined, pruner());
    expect(pressed.some(({ report }) => report.cut?.reason === "pressure")).toBe(true);
    const handed = play(session(16), RULE, pruner());
    expect(handed.some(({ report }) => report.cut)).toBe(false);
    expect(handed.at(-1)?.report.issues.map(({ code }) => code)).not.toContain("overflow");
  });

  test("results of tools that it spares are cut as usual", () => {
    const spared = play(session(12), { ...RULE, spared: ["read"] }).at(-1);
    expect(cutParts(spared)).toEqual(cutParts(play(session(12), undefined).at(-1)));
    expect(spared?.report.tokens).not.toHaveProperty("cleared");
  });
});

describe("the same bytes", () => {
  const pruner = () => createPruner({ prefixTokens: PREFIX, config: EAGER });
  const bytes = (sent: { readonly messages: readonly unknown[] } | undefined) =>
    JSON.stringify(sent?.messages);

  test("after a restart, whatever each request requested", () => {
    const rules = [undefined, RULE, { ...RULE, keep: 4 }, { aboveCalls: 5, keep: 3 }];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...rules), { minLength: 10, maxLength: 10 }), (asked) => {
        const { messages, meta } = session(9);
        const live = pruner();
        const requestTerms: (RequestTerms | undefined)[] = [];
        let sent: ReturnType<Pruner["prune"]> | undefined;
        const ask = (to: Pruner, end: number) => {
          const clears = asked[(end - 1) / 2];
          return to.prune(messages.slice(0, end), {
            model: "claude-sonnet-4-5",
            meta: meta
              .slice(0, end)
              .map((each, i) => (requestTerms[i] ? { ...each, terms: requestTerms[i] } : each)),
            ...(clears && { clears }),
          });
        };
        for (let end = 1; end <= messages.length; end += 2) {
          sent = ask(live, end);
          requestTerms[end] = sent.report.terms;
          const cold = ask(pruner(), end);
          expect(bytes(cold)).toBe(bytes(sent));
          expect(cold.report.bill).toEqual(sent.report.bill);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("an invalid rule is left out and reported", () => {
    const { messages } = session(3);
    const { report } = pruner().prune(messages, { clears: { keep: -1 } as never });
    expect(report.issues[0]).toMatchObject({ code: "invalid-request" });
    expect(report.issues[0]?.message).toContain("clears: expected { aboveTokens or aboveCalls");
  });
});
