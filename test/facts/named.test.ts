import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSpans } from "../../src/facts/line-spans.ts";
import { LiteralFilter } from "../../src/facts/literal-filter.ts";
import { findKnown, findLiterals, listLiterals } from "../../src/facts/literals.ts";
import { Named } from "../../src/facts/named.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Transcript } from "../../src/transcript/transcript.ts";

describe("literals", () => {
  test.each<[string, readonly string[]]>([
    ["fix applyRate, please", ["applyRate"]],
    ["see src/pricing.ts.", ["src/pricing.ts", "pricing.ts"]],
    ["apply_rate(order)", ["apply_rate"]],
    ["TS2345 and E0308", ["TS2345", "E0308"]],
    ["at 1204, not 12", ["1204"]],
    ['it says "late fee due" there', ["late fee due"]],
    ["an ordinary sentence of words", []],
    ["commit 9f8e7d6c", ["9f8e7d6c"]],
    ["größeÄndern", ["größeÄndern"]],
    ["𝒜pply1 and x\ud835y1", ["𝒜pply1"]],
  ])("%s", (text, literals) => expect([...listLiterals(text)]).toEqual(literals));

  test("text longer than any name is data, and a long run does no harm", () => {
    expect([...listLiterals(`x${"A1".repeat(500)}`)]).toEqual([]);
    expect([...listLiterals(`a${"-".repeat(300_000)}b`)]).toEqual([]);
  });

  const texts = fc.string({ unit: fc.constantFrom(..."aB1_$./@-\"'` \né𝒜→"), maxLength: 60 });

  test("consist of letters, digits, _ and $, and continue with dots, slashes, dashes and @", () => {
    const pieces = (run: string) => [run, run.slice(run.lastIndexOf("/") + 1), ...run.split(/[./-]+/)];
    fc.assert(
      fc.property(texts, (quoting) => {
        const text = quoting.replace(/["'`]/g, "+");
        const runs = [...text.matchAll(/[\p{L}\p{N}_$][\p{L}\p{N}_$./@-]*/gu)].flatMap(([run]) =>
          pieces(run.replace(/[./@-]+$/, "")),
        );
        for (const literal of listLiterals(text)) expect(runs).toContain(literal);
        for (const run of runs) if (/^\d{3,}$/.test(run)) expect([...listLiterals(text)]).toContain(run);
      }),
    );
  });

  const findShared = (text: string, other: string) => {
    const known = listLiterals(other);
    const filter = new LiteralFilter();
    for (const literal of known) filter.add(literal);
    const has = (literal: string) => known.has(literal);
    const mayHave = (run: string, from: number, to: number) => filter.mayHave(run, from, to);
    const everyLine = Number.POSITIVE_INFINITY;
    return findKnown(new LineSpans(text), findLiterals(text), { has, mayHave }, everyLine).literals;
  };

  test("that are known from another text are found in this one", () => {
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        const known = listLiterals(other);
        const shared = [...listLiterals(text)].filter((literal) => known.has(literal));
        expect(new Set(findShared(text, other))).toEqual(new Set(shared));
      }),
      { numRuns: 1_000 },
    );
  });

  test("in quotes would not be literals without them", () => {
    expect(findShared('it says "Metadata " here', 'see "Metadata "')).toEqual(["Metadata"]);
    expect(findShared("class Metadata", 'see "Metadata "')).toEqual([]);
  });

  test("any text is accepted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const literal of listLiterals(text)) expect(text).toContain(literal);
      }),
    );
  });
});

describe("the literals that were named", () => {
  const say = (role: "user" | "assistant", text: string, more: object = {}): Part => ({
    kind: "text",
    slot: "0",
    role,
    leaves: [{ id: "text", text }],
    ...more,
  });
  const call = (text: string): Part => ({
    kind: "call",
    slot: "1",
    role: "assistant",
    leaves: [{ id: "input/command", text }],
    callId: "c",
    tool: "bash",
    input: { command: text },
  });
  const result = (text: string): Part => ({
    kind: "result",
    slot: "2",
    role: "tool",
    leaves: [{ id: "output", text }],
    callId: "c",
    status: "ok",
  });

  function take(named: Named, transcript: Transcript, part: Part, opensTurn = false): void {
    const from = transcript.length;
    transcript.append([part], 0, opensTurn);
    named.ingest(from, transcript.length);
  }

  test("by the user, the agent and its calls; not by results, the host or long texts of the agent", () => {
    const transcript = new Transcript();
    const named = new Named(transcript);
    take(named, transcript, say("user", "why does applyRate fail?"), true);
    take(named, transcript, say("assistant", "I look at orderTotal."));
    take(named, transcript, call("rg lineItems"));
    take(named, transcript, result("taxTable"));
    take(named, transcript, say("user", "hostNote", { synthetic: true }));
    take(named, transcript, call(`hugeFile ${"x ".repeat(2_000)}`));
    const weights = ["applyRate", "orderTotal", "lineItems", "taxTable", "hostNote", "hugeFile"].map(
      (literal) => named.weight(literal),
    );
    expect(weights).toEqual([2, 1, 1, 0, 0, 0]);
  });

  test("the current task weighs double, until the next one; undone with the journal", () => {
    const transcript = new Transcript();
    const named = new Named(transcript);
    take(named, transcript, say("user", "fix applyRate"), true);
    take(named, transcript, say("assistant", "applyRate it is"));
    expect(named.weight("applyRate")).toBe(2);
    const mark = transcript.undoLog.mark();
    take(named, transcript, say("user", "now orderTotal"), true);
    expect([named.weight("applyRate"), named.weight("orderTotal")]).toEqual([1, 2]);
    transcript.rollback(mark);
    expect([named.weight("applyRate"), named.weight("orderTotal")]).toEqual([2, 0]);
  });
});
