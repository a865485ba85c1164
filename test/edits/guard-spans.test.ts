import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { replacePlan } from "../plans.ts";

const word = fc.constantFrom("const", " ", "\n", "\n\n", "x9", "größte", "👩‍🚀", "((", "Total", "\t");
const texts = fc.array(word, { minLength: 40, maxLength: 120 }).map((words) => words.join(""));

const plan = (from: number, to: number, text = "") => replacePlan({ part: 0, leaf: "text", from, to, text });

function plansOf(text: string, cuts: readonly number[], replacement: string) {
  const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return points.slice(1).flatMap((to, i) => (i % 2 === 0 ? [plan(points[i] ?? 0, to, replacement)] : []));
}

describe("many spans of one leaf at once", () => {
  it("each one that is let through saves what `cut` would say, give or take the rounding", () => {
    let passed = 0;
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.nat(300), { minLength: 4, maxLength: 12 }),
        fc.constantFrom("", "[x]"),
        (text, cuts, replacement) => {
          const messages = [{ role: "user", content: text }];
          const plans = plansOf(text, cuts, replacement);
          if (plans.length < 2) return;
          const bench = new MessageBench(messages, { format: "openai-chat" });
          const checked = bench.cutSpans(plans);
          const before = new MessageBench(messages).view.total;
          let saved = 0;
          for (const [i, each] of checked.entries()) {
            if (!each.ok) continue;
            passed++;
            saved += each.value.saved;
            const alone = new MessageBench(messages).cut(plans[i] as (typeof plans)[number]);
            expect(alone.ok && Math.abs(alone.value.saved - each.value.saved)).toBeLessThanOrEqual(2);
          }
          const count = checked.filter(({ ok }) => ok).length;
          expect(Math.abs(before - bench.view.total - saved)).toBeLessThanOrEqual(2 * count);
        },
      ),
      { numRuns: 300 },
    );
    expect(passed).toBeGreaterThan(100);
  });

  it("refuses what overlaps, what is no span, what splits a character and what is protected", () => {
    const content = `${"word ".repeat(50)}👩‍🚀${" word".repeat(50)}`;
    const plans = [plan(0, 100), plan(50, 150), plan(120, 251), plan(255, 400), plan(400, 9_999)];
    const why = (bench: MessageBench<unknown>) =>
      bench.cutSpans(plans).map((each) => (each.ok ? "ok" : each.issue.message.split(": ")[1]));
    const messages = [{ role: "user", content }];
    expect(why(new MessageBench(messages))).toEqual([
      "ok",
      "it overlaps the one before it",
      "it would split a character",
      "ok",
      expect.stringContaining("not a span"),
    ]);
    expect(why(new MessageBench(messages, { protectedFrom: () => "no" }))).toContain("no");
  });
});
