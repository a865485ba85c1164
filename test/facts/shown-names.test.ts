import { expect, test } from "vitest";
import { findNames, ShownNames } from "../../src/facts/shown-names.ts";
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
  return { transcript, names };
}

test("a name stands alone where no other part shows it", () => {
  const { names } = make(
    ["text", "applyRate and computeTotal"],
    ["text", "applyRateTo, applyRate"],
    ["reasoning", "computeTotal"],
  );
  expect(names.isOnlyIn(0, "applyRate")).toBe(false);
  // Reasoning does not count.
  expect(names.isOnlyIn(0, "computeTotal")).toBe(true);
  expect(names.isOnlyIn(1, "applyRateTo")).toBe(true);
});

test("a cut takes its names out of the view, and a rollback brings them back", () => {
  const { names, transcript } = make(["text", "applyRate and computeTotal"], ["text", "applyRate"]);
  const mark = transcript.journal.mark();
  names.show(1, ["[Pruned]"]);
  expect(names.isOnlyIn(0, "applyRate")).toBe(true);
  names.show(1, ["[Pruned, also names applyRate]"]);
  expect(names.isOnlyIn(0, "applyRate")).toBe(false);
  const { version } = names;
  names.show(0, []);
  expect(names.version).not.toBe(version);
  expect(names.isOnlyIn(1, "applyRate")).toBe(true);
  // It is not shown anywhere: whoever brings it back is alone with it.
  names.show(1, []);
  expect(names.isOnlyIn(1, "applyRate")).toBe(true);
  transcript.journal.rollback(mark);
  expect(names.isOnlyIn(0, "applyRate")).toBe(false);
});

test("names are paths and identifiers of some length", () => {
  expect([...findNames("see src/pricing.ts: applyRate(order) in 12345 and foo").keys()]).toEqual([
    "src/pricing.ts",
    "applyRate",
  ]);
});

test("of two results with the same name the first cut leaves it to the other, and the other lists it", () => {
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
