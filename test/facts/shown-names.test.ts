import { expect, test } from "vitest";
import { findNames } from "../../src/facts/literals.ts";
import { ShownNames } from "../../src/facts/shown-names.ts";
import { createPruner } from "../../src/pruner.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Transcript } from "../../src/transcript/transcript.ts";

function make(...texts: readonly (readonly [kind: "text" | "reasoning", text: string])[]) {
  const transcript = new Transcript();
  const names = new ShownNames(transcript);
  const parts = texts.map(
    ([kind, text], i) =>
      ({
        kind,
        role: "assistant",
        slot: String(i),
        leaves: [{ id: "text", text }],
        ...(kind === "reasoning" && { signed: false }),
      }) as unknown as Part,
  );
  transcript.append(parts, 0, false);
  names.ingest(0, parts.length);
  const isOnlyIn = (part: number, name: string) => names.listSole(part, name).length > 0;
  return { transcript, names, isOnlyIn };
}

test("a name is unique if no other part shows it", () => {
  const { isOnlyIn } = make(
    ["text", "applyRate and computeTotal"],
    ["text", "applyRateTo, applyRate"],
    ["reasoning", "computeTotal"],
  );
  expect(isOnlyIn(0, "applyRate")).toBe(false);
  // Reasoning is ignored.
  expect(isOnlyIn(0, "computeTotal")).toBe(true);
  expect(isOnlyIn(1, "applyRateTo")).toBe(true);
});

test("unique names come with the position of their first occurrence", () => {
  const { names } = make(["text", "computeTotal: applyRate, then computeTotal"], ["text", "applyRate"]);
  expect(names.listSole(0, "computeTotal: applyRate, then computeTotal")).toEqual([
    { name: "computeTotal", from: 0 },
  ]);
  // Of a text that is only a stretch of the part's.
  expect(names.listSole(0, "applyRate, then computeTotal")).toEqual([{ name: "computeTotal", from: 16 }]);
});

test("a cut removes its names from the view, and a rollback brings them back", () => {
  const { names, transcript, isOnlyIn } = make(["text", "applyRate and computeTotal"], ["text", "applyRate"]);
  const mark = transcript.undoLog.mark();
  names.show(1, ["[Pruned]"]);
  expect(isOnlyIn(0, "applyRate")).toBe(true);
  names.show(1, ["[Pruned, also names applyRate]"]);
  expect(isOnlyIn(0, "applyRate")).toBe(false);
  const { version } = names;
  names.show(0, []);
  expect(names.version).not.toBe(version);
  expect(isOnlyIn(1, "applyRate")).toBe(true);
  // No part shows it: the part that brings it back is the only one.
  names.show(1, []);
  expect(isOnlyIn(1, "applyRate")).toBe(true);
  transcript.undoLog.rollback(mark);
  expect(isOnlyIn(0, "applyRate")).toBe(false);
});

test("a part that is undone removes its names, even if it was cut meanwhile", () => {
  const { names, transcript, isOnlyIn } = make(["text", "applyRate"]);
  const text = (says: string) =>
    ({ kind: "text", role: "assistant", slot: "9", leaves: [{ id: "text", text: says }] }) as unknown as Part;
  for (const says of ["applyRate, computeTotal", "orderTotals", "applyRate, computeTotal"]) {
    const mark = transcript.undoLog.mark();
    transcript.append([text(says)], 1, false);
    names.ingest(1, 2);
    expect(isOnlyIn(0, "applyRate")).toBe(says === "orderTotals");
    names.show(1, ["[Pruned, also names computeTotal, someOther]"]);
    names.show(0, ["someOther"]);
    expect(isOnlyIn(0, "someOther")).toBe(false);
    expect(isOnlyIn(1, "applyRate")).toBe(true);
    transcript.rollback(mark);
    expect(isOnlyIn(0, "applyRate")).toBe(true);
    expect(isOnlyIn(0, "computeTotal")).toBe(true);
  }
});

test("names are paths and identifiers of some length", () => {
  expect([...findNames("see src/pricing.ts: applyRate(order) in 12345 and foo").keys()]).toEqual([
    "src/pricing.ts",
    "applyRate",
  ]);
});

test("if two results have the same name, the first cut leaves it to the other, and the other lists it", () => {
  const filler = Array.from({ length: 60 }, (_, i) => `ok ${i} some plain words of a run`).join("\n");
  const messages: object[] = [{ role: "user", content: "go" }];
  const call = (i: number, content: string) => {
    const tool_calls = [
      {
        id: `c${i}`,
        type: "function",
        function: { name: "bash", arguments: JSON.stringify({ command: `run ${i}` }) },
      },
    ];
    messages.push(
      { role: "assistant", content: null, tool_calls },
      { role: "tool", tool_call_id: `c${i}`, content },
    );
  };
  for (let i = 0; i < 10; i++) call(i, i < 2 ? `${filler}\nmoduleOfInterest\n` : `nothing ${i}`);
  const shown = createPruner({ config: { schedule: { mode: "eager" } } }).prune(messages).messages;
  const results = shown.filter((each) => (each as { role: string }).role === "tool").slice(0, 2);
  expect(results.map((each) => JSON.stringify(each).includes("moduleOfInterest"))).toEqual([false, true]);
});
