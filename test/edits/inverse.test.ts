import { expect, test } from "vitest";
import type { Rewritten } from "../../src/edits/apply.ts";
import { exportLedger, restoreMessages } from "../../src/edits/inverse.ts";

const original = ["a", "b", "c", "d"].map((text) => ({ text }));
const cut = (at: number) => ({ text: `${original[at]?.text} cut` });

/** Each message: as it was, cut, or gone. */
test.each<
  [string, readonly ("same" | "cut" | "gone")[], Rewritten<object>["note"], changed: readonly number[]]
>([
  ["nothing changed", ["same", "same", "same", "same"], undefined, []],
  ["one cut", ["same", "cut", "same", "same"], undefined, [1]],
  ["the first gone", ["gone", "same", "same", "same"], undefined, [0]],
  ["the last gone", ["same", "same", "same", "gone"], undefined, [3]],
  ["several in a row", ["same", "gone", "gone", "cut"], undefined, [1, 2, 3]],
  ["all gone", ["gone", "gone", "gone", "gone"], undefined, [0, 1, 2, 3]],
  ["a note after them", ["same", "cut", "gone", "same"], "message", [1, 2]],
  ["a note in the last of them", ["same", "same", "same", "cut"], "block", [3]],
  ["a note after nothing", ["gone", "gone", "gone", "gone"], "message", [0, 1, 2, 3]],
])("%s: the very same messages come back", (_, fates, note, changed) => {
  const sources = fates.flatMap((fate, i) => (fate === "gone" ? [] : [i]));
  const messages: object[] = sources.map((i) => (fates[i] === "same" ? (original[i] as object) : cut(i)));
  if (note === "message") messages.push({ text: "a reminder" });
  const ledger = exportLedger<object>(original, { messages, sources, ...(note && { note }) }, []);
  expect(ledger.originals.map(({ index }) => index)).toEqual(changed);
  expect(ledger.originals.map(({ removed }) => removed)).toEqual(changed.map((i) => fates[i] === "gone"));
  const restored = restoreMessages(messages, ledger);
  expect(restored.length).toBe(original.length);
  for (const [i, message] of restored.entries()) expect(message).toBe(original[i]);
  expect(restoreMessages(messages, JSON.parse(JSON.stringify(ledger)))).toEqual(original);
});
