import { describe, expect, test } from "vitest";
import type { ReasoningRule } from "../../src/models/profile.ts";
import { createPruner } from "../../src/pruner.ts";
import { explainRef } from "../../src/reports/explain-ref.ts";
import { textOf } from "../conversation.ts";

/* The cost of bound reasoning: the report says how much would have been cut without it. */

const step = (i: number, output: string) => [
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: `thought ${i}`, signature: `signed ${i}` },
      { type: "tool_use", id: `c${i}`, name: "Bash", input: { command: `make ${i}` } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: `c${i}`, content: output }] },
];

/** Ten commands, the first with a large output: the agent no longer needs each after a step. */
const messages = [
  { role: "user", content: "Fix the failing test." },
  ...Array.from({ length: 10 }, (_, i) => step(i, i < 4 ? textOf(900, i) : "ok")).flat(),
];

function play(reasoning: ReasoningRule, mode: "eager" | "rent-or-buy" | "pressure" = "eager") {
  const schedule = { mode, prices: { "*": { reasoning } } };
  const pruner = createPruner({ config: { schedule } });
  let last: ReturnType<typeof pruner.prune> | undefined;
  for (let end = 1; end <= messages.length; end += 2) last = pruner.prune(messages.slice(0, end));
  const view = pruner.agentView();
  if (!last || !view) throw new Error("nothing was sent");
  return { report: last.report, view };
}

describe("tokens that wait only because reasoning is bound", () => {
  test("equal the cuts without binding", () => {
    const free = play("signed").report;
    const { report } = play("bound");
    expect(free.tokens.saved).toBeGreaterThan(2_000);
    expect(report.tokens.saved).toBe(0);
    expect(report.bound?.tokens).toBe(free.tokens.saved);
    expect(report.bound?.share).toBeCloseTo(free.tokens.saved / report.tokens.after, 10);
    expect(report.waiting).toMatchObject(Array(4).fill({ author: "spent-results", bound: true }));
    expect(free).not.toHaveProperty("bound");
  });

  test("are explained", () => {
    const { report, view } = play("bound");
    const ref = report.waiting[0]?.ref ?? "";
    expect(explainRef(ref, report, view)).toMatch(
      /to be cut by spent-results when no reasoning is bound to it any more, saves [\d,]+ tokens: /,
    );
  });

  test("exclude cuts that would have to wait anyway", () => {
    const { report } = play("bound", "pressure");
    expect(report.waiting.length).toBeGreaterThan(0);
    expect(report).not.toHaveProperty("bound");
    expect(report.waiting[0]).not.toHaveProperty("bound");
    const { report: thrifty } = play("bound", "rent-or-buy");
    const { report: eager } = play("bound", "eager");
    expect(thrifty.bound?.tokens ?? 0).toBeLessThanOrEqual(eager.bound?.tokens ?? 0);
  });
});
