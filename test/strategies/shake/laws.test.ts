import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggressiveShakeRung, shakeRung } from "../../../src/strategies/shake/shake-rung.ts";
import { textOf } from "../../conversation.ts";
import { render, type Script, scripts } from "../../generate.ts";
import { askLaws, runLive } from "../../laws.ts";

const fence = (tokens: number, seed: number) => `\`\`\`ts\n${textOf(tokens, seed)}\n\`\`\``;

describe("the laws", () => {
  const withBlocks = (script: Script): Script => ({
    turns: script.turns.map((turn, i) => ({
      ...turn,
      prompt: `${turn.prompt}\n${fence(100, i)}\nand\n<doc n="${i}">\n${textOf(100, i)}\n</doc>`,
    })),
  });

  it.each(["openai-chat", "anthropic-messages", "opencode"] as const)("hold in %s", (format) => {
    const seen = new Set<string>();
    const ladder = [
      shakeRung({ protectTokens: 1_000, minSavings: 0, fenceMinTokens: 50, protectedTools: ["skill"] }),
      aggressiveShakeRung({ protectedTools: ["skill"] }),
    ];
    fc.assert(
      fc.property(
        scripts({ reasoning: "signed" }),
        fc.constantFrom("rent-or-buy" as const, "eager" as const),
        (script, mode) => {
          const config = {
            schedule: { mode, prices: { "*": { reasoning: "signed" as const } } },
            strategies: { trim: { reservedOutputTokens: 100 } },
            window: 4_000,
          };
          const options = { passes: [], ladder, config, prefixTokens: 500 };
          const run = runLive(render(withBlocks(script), format), options, "signed");
          // Law 8 knows edited messages by the ids of their calls: a text has none. Law 9 knows of passes only.
          askLaws(run, (name) => !/^[89] /.test(name));
          for (const { edit } of run.requests.at(-1)?.result.report.edits ?? [])
            if (edit.type === "replace")
              seen.add(`${edit.author} ${edit.part.slice(0, edit.part.indexOf(":"))}`);
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
    expect([...seen].sort()).toEqual(["aggressive-shake result", "shake result", "shake text"]);
  });
});
