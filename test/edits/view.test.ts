import { expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replace-part.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { textOf } from "../conversation.ts";

/** What a person said in an older turn goes. */
const oldPrompts: Strategy = {
  name: "old-prompts",
  propose: (_, facts) =>
    facts.transcript.parts.flatMap(({ kind, role }, part) =>
      kind === "text" && role === "user" && facts.transcript.turn[part] !== facts.transcript.lastTurn
        ? (replacePart(facts, part, () => `[old ${part}]`, { reason: "old" }) ?? [])
        : [],
    ),
};

const said = (text: string) => ({ type: "text", text });
const reminder = { type: "text", synthetic: true, text: "<system-reminder>plan only</system-reminder>" };
const [a, b, c] = [said(textOf(200, 1)), said(textOf(200, 2)), said(textOf(200, 3))];

/** The host puts its reminder where it likes, and elsewhere in the next request. */
test.each<[string, readonly unknown[], readonly string[]]>([
  ["none", [a, b, c], ["[old 0]", "[old 1]", "[old 2]"]],
  ["in front", [reminder, a, b, c], [reminder.text, "[old 0]", "[old 1]", "[old 2]"]],
  ["between", [a, reminder, b, c], ["[old 0]", reminder.text, "[old 1]", "[old 2]"]],
  ["before the last", [a, b, reminder, c], ["[old 0]", "[old 1]", reminder.text, "[old 2]"]],
  ["behind", [a, b, c, reminder], ["[old 0]", "[old 1]", "[old 2]", reminder.text]],
])("edits find their texts though a part that comes and goes has moved them: %s", (_, parts, expected) => {
  const pruner = createPruner({
    format: "opencode",
    passes: [usePass(oldPrompts)],
    ladder: [],
    config: { schedule: { mode: "eager" } },
  });
  const show = (first: readonly unknown[]) => {
    const messages = [
      { info: { role: "user", id: "u1", time: { created: 1 } }, parts: first },
      { info: { role: "assistant", id: "a1", time: { created: 2 } }, parts: [said("done")] },
      { info: { role: "user", id: "u2", time: { created: 3 } }, parts: [said("go on")] },
    ];
    const [prompt] = pruner.prune(messages).messages;
    return (prompt as { parts: { text: string }[] }).parts.map(({ text }) => text);
  };
  show([reminder, a, b, c]);
  expect(show(parts)).toEqual(expected);
  show([a, b, c]);
  expect(show(parts)).toEqual(expected);
  show([a, b, c, reminder]);
  expect(show(parts)).toEqual(expected);
});
