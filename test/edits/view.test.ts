import { describe, expect, test } from "vitest";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { createPruner } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replacing/replace-part.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { Conversation, textOf } from "../conversation.ts";
import { replacePlan } from "../plans.ts";

/** A person's text of an older turn is cut. */
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

/** The host places its reminder anywhere, and elsewhere in the next request. */
test.each<[string, readonly unknown[], readonly string[]]>([
  ["none", [a, b, c], ["[old 0]", "[old 1]", "[old 2]"]],
  ["at the start", [reminder, a, b, c], [reminder.text, "[old 0]", "[old 1]", "[old 2]"]],
  ["between", [a, reminder, b, c], ["[old 0]", reminder.text, "[old 1]", "[old 2]"]],
  ["before the last", [a, b, reminder, c], ["[old 0]", "[old 1]", reminder.text, "[old 2]"]],
  ["at the end", [a, b, c, reminder], ["[old 0]", "[old 1]", "[old 2]", reminder.text]],
])("edits find their texts although a temporary part has moved them: %s", (_, parts, expected) => {
  const pruner = createPruner({
    format: "opencode",
    passes: [usePass(oldPrompts)],
    ladder: [],
    config: { schedule: { mode: "eager" } },
  });
  const show = (first: readonly unknown[]) => {
    const messages: unknown[] = [
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

describe("a result of two texts", () => {
  const LINES = textOf(600, 7);
  const makeBench = () =>
    new MessageBench([
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: [said(LINES), said(`${LINES} end`)] }],
      },
    ]);
  type Texts = readonly string[];
  const cases: readonly [string, readonly [leaf: 0 | 1, from: number, to: number][], Texts][] = [
    ["the first cut", [[0, 0, LINES.length]], ["[cut]", `${LINES} end`]],
    ["the second cut", [[1, 0, LINES.length]], [LINES, "[cut] end"]],
    [
      "both, each in its own way",
      [
        [0, 100, LINES.length],
        [1, 0, LINES.length],
      ],
      [`${LINES.slice(0, 100)}[cut]`, "[cut] end"],
    ],
  ];

  test.each(cases)(
    "%s: each shows its own edits, and the tokens are those of the shown text",
    (_, cuts, expected) => {
      const bench = makeBench();
      const ids = bench.transcript.part(2).leaves.map(({ id }) => id);
      const before = bench.view.total;
      let saved = 0;
      for (const [leaf, from, to] of cuts) {
        const cut = bench.cut(replacePlan({ part: 2, leaf: ids[leaf] ?? "", from, to, text: "[cut]" }));
        if (!cut.ok) throw new Error(cut.issue.message);
        saved += cut.value.saved;
      }
      const [, , message] = bench.rewrite().messages as { content: { content: { text: string }[] }[] }[];
      expect(message?.content[0]?.content.map(({ text }) => text)).toEqual(expected);
      expect(bench.view.total).toBe(before - saved);
      const anew = new MessageBench(bench.rewrite().messages);
      expect(bench.view.total).toBe(anew.view.total);
    },
  );
});

test("a file that is replaced by text counts as that text", () => {
  const data = Buffer.alloc(3_000, 7).toString("base64");
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const bench = new MessageBench([
    { role: "user", content: [said("look"), image] },
    { role: "user", content: "on" },
  ]);
  const before = bench.view.total;
  const cut = bench.cut(replacePlan({ part: 1, leaf: "data", from: 0, to: data.length, text: "[an image]" }));
  expect(cut.ok && cut.value.saved).toBe(before - bench.view.total);
  expect(before - bench.view.total).toBeGreaterThan(100);
});

describe("a tag follows the rest of the last text, and disappears if nothing of it is left", () => {
  const output = textOf(900, 3);
  /** Cuts a span of the result, and returns the text that the agent sees. */
  const show = (from: number, to: number) => {
    const cutting: Strategy = {
      name: "cutting",
      propose: (step) =>
        step.from === 3
          ? [{ part: 2, spans: [{ leaf: "output", from, to, render: () => "[cut]" }], reason: "old" }]
          : [],
    };
    const pruner = createPruner({
      agentTools: true,
      passes: [usePass(cutting)],
      ladder: [],
      config: { schedule: { mode: "eager", ingestCap: null } },
    });
    const conversation = new Conversation().call("bash", { command: "x" }, output);
    conversation.call("bash", { command: "y" }, "short");
    const { messages, report } = pruner.prune(conversation.messages, { meta: conversation.meta });
    expect(report.edits.length).toBe(1);
    return String((messages[2] as { content: unknown }).content);
  };
  const tag = /\n<tool_hash>[0-9a-f]{6}<\/tool_hash>$/;

  test.each<[string, number, number, boolean]>([
    ["nothing is left", 0, output.length, false],
    ["the end is left", 0, output.length - 200, true],
    ["the start is left", 200, output.length, true],
    ["both are", 200, output.length - 200, true],
  ])("%s", (_, from, to, hasTag) => {
    const shown = show(from, to);
    expect(tag.test(shown)).toBe(hasTag);
    expect(shown.replace(tag, "")).toBe(`${output.slice(0, from)}[cut]${output.slice(to)}`);
  });
});
