import fc from "fast-check";
import { expect, test } from "vitest";
import type { FormatName } from "../../src/formats/format.ts";
import { render, scripts } from "../generate.ts";
import { askLaws, runLive } from "../laws.ts";
import { isCertain } from "../own-seed.ts";

/** So small that most generated sessions have old and oversized results. */
const SMALL = { pruneProtect: 300, pruneMinimum: 0 };

const RUNS = Number(process.env.LAW_RUNS ?? 15);

test.each<FormatName>(["anthropic-messages", "openai-chat", "opencode"])(
  "every law holds if results are summarized and capped: %s",
  (format) => {
    const authors = new Map<string, number>();
    fc.assert(
      fc.property(
        scripts({ reasoning: "plain" }),
        fc.constantFrom("rent-or-buy", "eager", "pressure"),
        fc.boolean(),
        fc.constantFrom(150, 400, null),
        (script, mode, intelligentPruning, ingestCap) => {
          const summaries = [{ tool: "myst*", keep: { first: 2, last: 1 } }];
          const run = runLive(
            render(script, format),
            {
              config: {
                schedule: { mode, ingestCap },
                strategies: { ...SMALL, intelligentPruning, spent: { enabled: false } },
                summaries,
                window: 12_000,
              },
              ladder: [],
              prefixTokens: 2_000,
            },
            "none",
          );
          askLaws(run);
          for (const { edit } of run.requests.at(-1)?.result.report.edits ?? [])
            authors.set(edit.author, (authors.get(edit.author) ?? 0) + 1);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    if (!isCertain(RUNS, 100)) return;
    expect(authors.get("summarize-results")).toBeGreaterThan(10);
    expect(authors.get("cap-results")).toBeGreaterThan(1);
  },
);
