import { describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/config/defaults.ts";
import type { ReplacePlan } from "../../../src/edits/cut-plan.ts";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import type { Rung } from "../../../src/strategies/rung.ts";
import { aggressiveShakeRung, shakeRung } from "../../../src/strategies/shake/shake-rung.ts";
import { textOf } from "../../conversation.ts";
import { replacePlan } from "../../plans.ts";
import { type Item, writeMessages } from "./write-messages.ts";

const settings = DEFAULT_CONFIG.strategies.shake;
const fence = (tokens: number, seed = 0) => `\`\`\`ts\n${textOf(tokens, seed)}\n\`\`\``;
const bash = (output: string): Item => ["call", "bash", { command: "npm test" }, output];
const items: readonly Item[] = [
  ["user", `Look:\n${fence(500, 1)}\n${fence(500, 2)}`],
  bash(textOf(4_000, 3)),
  ["call", "skill", { name: "pdf" }, textOf(500, 4)],
  ["call", "context_recall", { ref: "a1b2c3" }, textOf(500, 5)],
  bash(textOf(16_000, 6)),
  ["user", "Go on."],
];

class Bench extends MessageBench<unknown> {
  readonly shown = {
    tokens: this.view.tokens,
    isCut: (part: number) => this.ledger.isCut(this.transcript.key(part)),
  };

  /** What a rung proposes now, as `part leaf from`. */
  proposals(rung: Rung): readonly ReplacePlan[] {
    return [...rung.propose(this.facts, this.shown)].flatMap((each) => ("drop" in each ? [] : [each]));
  }

  cutAll({ part, spans }: ReplacePlan, text?: string): void {
    for (const { leaf, from, to, render: rendered } of spans) {
      const ref = this.facts.refs.refOf({ part: this.transcript.key(part), leaf, from, to });
      const cut = this.cut(replacePlan({ part, leaf, from, to, text: text ?? rendered(ref) }));
      expect(cut.ok).toBe(true);
    }
  }
}

const makeBench = (list: readonly Item[] = items) => new Bench(writeMessages("openai-chat", list));
const partsOf = (proposals: readonly ReplacePlan[]) =>
  proposals.map(({ part, spans: [{ from }] }) => [part, from]);

describe("shakeRung", () => {
  it("proposes old text, oldest first, each region by itself", () => {
    const bench = makeBench();
    const proposals = bench.proposals(shakeRung(settings));
    expect(partsOf(proposals)).toEqual([
      [0, 6],
      [0, 6 + fence(500, 1).length + 1],
      [2, 0],
    ]);
    for (const proposal of proposals) bench.cutAll(proposal);
    const [first, , result] = bench.rewrite().messages as readonly { content: string }[];
    expect(first?.content).toMatch(/^Look:(\n\[shaken ~\d+ tokens · recall [0-9a-f]{6}\]){2}$/);
    expect(result?.content).toMatch(/^\[shaken ~\d+ tokens · recall [0-9a-f]{6}\]$/);
  });

  it("proposes nothing once all of it is done", () => {
    const bench = makeBench();
    for (const proposal of bench.proposals(shakeRung(settings))) bench.cutAll(proposal);
    expect(bench.proposals(shakeRung(settings))).toEqual([]);
  });

  it("leaves a result alone that was cut before", () => {
    const bench = makeBench();
    const [one, two, result] = bench.proposals(shakeRung(settings));
    if (!one || !two || !result) throw new Error("three were expected");
    bench.cutAll(result, textOf(300));
    const proposals = bench.proposals(shakeRung({ ...settings, minSavings: 0 }));
    expect(partsOf(proposals)).toEqual(partsOf([one, two]));
  });

  it.each([0, 1])(
    "of two blocks the other one still goes when block %i is cut, and what that saved counts once",
    (first) => {
      const bench = makeBench();
      const blocks = bench.proposals(shakeRung(settings)).slice(0, 2);
      bench.cutAll(blocks[first] as ReplacePlan);
      const saves = (minSavings: number) =>
        bench.proposals(shakeRung({ ...settings, minSavings })).filter(({ part }) => part === 0).length > 0;
      const other = (bench.transcript.tokens[2] ?? 0) + 520;
      expect([saves(other - 100), saves(other + 100)]).toEqual([true, false]);
      bench.cutAll(blocks[1 - first] as ReplacePlan);
      expect(JSON.stringify(bench.rewrite().messages[0]).match(/shaken/g)).toHaveLength(2);
    },
  );

  it("names tools as the configuration does", () => {
    const toolsOf = (protectedTools: readonly string[]) => {
      const rung = shakeRung({ protectTokens: 0, minSavings: 0, fenceMinTokens: 400, protectedTools });
      return partsOf(makeBench().proposals(rung)).flatMap(([part]) => (part === 0 ? [] : part));
    };
    expect(toolsOf(["skill"])).toEqual([2, 8]);
    expect(toolsOf(["skill", "ba*"])).toEqual([]);
    expect(toolsOf([])).toEqual([2, 4, 8]);
  });

  it("with `skill` protects reads of skill files too", () => {
    const read: Item = ["call", "read", { filePath: ".agents/pdf/SKILL.md" }, textOf(500)];
    const proposed = (protectedTools: readonly string[]) =>
      makeBench([read, ["user", "Go on."]]).proposals(aggressiveShakeRung({ protectedTools })).length;
    expect(proposed(["skill"])).toBe(0);
    expect(proposed([])).toBe(1);
  });
});

describe("aggressiveShakeRung", () => {
  it("spares no young text", () => {
    expect(partsOf(makeBench().proposals(aggressiveShakeRung(settings))).map(([part]) => part)).toEqual([
      0, 0, 2, 8,
    ]);
  });

  it.each<[string, string, boolean]>([
    ["a summary becomes a placeholder", textOf(300), true],
    ["a marker that is no larger stays", "[superseded: newer call · a1b2c3]", false],
  ])("%s", (_, summary, isProposed) => {
    const bench = makeBench();
    const result = bench.proposals(shakeRung(settings)).find(({ part }) => part === 2);
    if (!result) throw new Error("the result was expected");
    bench.cutAll(result, summary);
    const again = bench.proposals(aggressiveShakeRung(settings)).filter(({ part }) => part === 2);
    expect(again).toHaveLength(isProposed ? 1 : 0);
    for (const proposal of again) bench.cutAll(proposal);
    expect(JSON.stringify(bench.rewrite().messages[2])).toContain(isProposed ? "[shaken ~" : summary);
  });
});
