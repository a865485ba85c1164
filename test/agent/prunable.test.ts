import { describe, expect, test } from "vitest";
import { listPrunable } from "../../src/agent/prunable.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { textOf } from "../conversation.ts";
import { AgentSession } from "./agent-session.ts";

const line = (seed: number, i: number) =>
  `  const value${seed} = compute(order, ${seed * 31 + i}); // keep this`;

/** A thought, a remark and two results, and a small one; nothing requested is cut at once, except in eager mode. */
function play(mode: "eager" | "rent-or-buy", settings: object = {}): AgentSession {
  const config = {
    schedule: { mode, requestedLimit: 0, ingestCap: null },
    strategies: { spent: { enabled: false } },
    tools: { settings },
  } as const;
  return new AgentSession({ config })
    .step({
      thinking: { text: textOf(300, 8), signed: false },
      text: textOf(300, 9),
      calls: [["bash", { command: "a" }, textOf(900, 1)]],
    })
    .call("bash", { command: "b" }, textOf(900, 2))
    .call("bash", { command: "ls" }, "a.ts")
    .call("read", { filePath: "c.ts" }, textOf(3_000, 3));
}

/** What is listed, in order: the thought, the remark, results by their number. */
function list(session: AgentSession): readonly string[] {
  session.prune();
  const { facts } = session.view();
  const results = facts.transcript.parts.flatMap(({ kind }, i) => (kind === "result" ? [i] : []));
  return listPrunable(session.view()).map(({ part, kind, ref }) => {
    expect(ref).toBe(facts.partRef(part));
    return kind === "tool" ? `result ${results.indexOf(part)}` : kind;
  });
}

const ALL = ["reasoning", "message", "result 0", "result 1", "result 3"];
const without = (...names: readonly string[]) => ALL.filter((name) => !names.includes(name));

test.each<[string, object, readonly string[]]>([
  ["all that is worth it, oldest first", {}, ALL],
  ["messages turned off", { enableAssistantMessagePruning: false }, without("message")],
  ["reasoning turned off", { enableReasoningPruning: false }, without("reasoning")],
])("parts that may be cut: %s", (_, settings, expected) => {
  expect(new Set(list(play("rent-or-buy", settings)))).toEqual(new Set(expected));
});

describe.each(["eager", "rent-or-buy"] as const)("parts that are cut or wait for it, %s", (mode) => {
  const kinds = { reasoning: ["reasoning", 0], message: ["text", 0], "result 1": ["result", 1] } as const;
  test.each(Object.entries(kinds))("%s is not offered again, other parts are", (name, [kind, n]) => {
    const session = play(mode);
    expect(session.ask("discard", [[session.ref(kind, n)]])).toContain("✓");
    expect(new Set(list(session))).toEqual(new Set(without(name)));
  });

  test.each([
    ["the start", 0, 8],
    ["the middle", 4, 12],
    ["the end", 56, 64],
  ])("%s of a result: the rest may be cut", (_, from, to) => {
    const session = play(mode);
    expect(textOf(900, 2).split("\n").length).toBe(65);
    const answer = session.ask("replace", [[line(2, from), line(2, to), "…"]]);
    expect(answer).toContain("replace ✓");
    expect(list(session)).toContain("result 1");
  });
});

test("the agent may cut parts that a pass will cut later", () => {
  const later: Strategy = {
    name: "later",
    propose: (step, { transcript }) =>
      step.completed.flatMap(({ use, result }) => {
        const [leaf] = transcript.part(result - 2).leaves;
        if (use.name !== "read" || !leaf) return [];
        const whole = { leaf: leaf.id, from: 0, to: leaf.text.length, render: () => "[later]" };
        return [
          { part: result - 2, spans: [whole], reason: "old", batch: { name: "later", minimum: 1_000_000 } },
        ];
      }),
  };
  const session = new AgentSession({ passes: [usePass(later)], config: { schedule: { ingestCap: null } } })
    .call("bash", { command: "a" }, textOf(900, 1))
    .call("read", { filePath: "c.ts" }, textOf(900, 2));
  expect(session.prune().report.waiting.map(({ author }) => author)).toEqual(["later"]);
  expect(list(session)).toEqual(["result 0", "result 1"]);
});
