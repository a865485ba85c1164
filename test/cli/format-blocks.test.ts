import pc from "picocolors";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { UsageBlock } from "../../src/analysis/list-blocks.ts";
import { formatBlocks } from "../../src/cli/format-blocks.ts";

const at = (time: string) => Date.parse(`2026-11-${time}Z`);
const block = (day: string, from: number, to: number, more: Partial<UsageBlock> = {}): UsageBlock => {
  const hour = (hours: number) => at(`${day}T${String(hours).padStart(2, "0")}:00:00`);
  return {
    source: "claude-code",
    start: hour(from),
    end: hour(from) + 5 * 3_600_000,
    first: hour(from) + 600_000,
    last: hour(to),
    ...{
      requests: 120,
      sent: 11_000_000,
      written: 300_000,
      dollars: 8.5,
      estimated: 0,
      avoidable: 1.25,
      unpriced: 0,
    },
    ...more,
  };
};
const blocks = [
  block("16", 9, 13),
  block("17", 8, 12, { estimated: 1 }),
  block("17", 13, 15, { requests: 4, unpriced: 4, dollars: 0, avoidable: 0 }),
  block("18", 9, 11, { running: { tokens: 22_000_000, dollars: 17 } }),
];
const show = (columns = 80, isTerminal = false, top = 10, all: readonly UsageBlock[] = blocks) =>
  formatBlocks(
    all,
    { zone: "UTC", now: at("18T12:48:00"), top },
    { columns, isTerminal, paint: pc.createColors(false) },
  );

describe("blocks as text", () => {
  test("with the gaps between them, and the projected end of the running one", () => {
    expect(show()).toBe(
      [
        "Five-hour blocks, in the time zone UTC",
        "  block                        requests  tokens   money  avoidable",
        "  2026-11-16 09:00 to 14:00         120   11.3M   $8.50      $1.25",
        "  no requests for 19 h 10 min",
        "  2026-11-17 08:00 to 13:00         120   11.3M  ≈$8.50      $1.25",
        "  2026-11-17 13:00 to 18:00           4   11.3M       ?          ?",
        "  no requests for 18 h 10 min",
        "  2026-11-18 09:00 to 14:00 *       120   11.3M   $8.50      $1.25",
        "",
        "* Running until 14:00, 1 h 12 min from now: 11.3M tokens and $8.50 so far, 22.0M",
        "tokens and $17.00 by its end at this rate.",
        "",
        "A block begins with the hour of its first request. Coppice does not know the",
        "limits of your plan.",
        "",
      ].join("\n"),
    );
  });

  test("only the newest", () => {
    const text = show(80, false, 1);
    expect(text).toContain("  3 earlier blocks not shown: --top 4\n");
    expect(text).not.toContain("2026-11-17");
  });

  test("with the agent, where there are several", () => {
    const text = show(80, false, 10, [
      ...blocks,
      block("18", 10, 11, { source: "codex", running: { tokens: 1, dollars: 1 } }),
    ]);
    expect(text).toContain("2026-11-18 10:00 to 15:00 *  codex ");
    expect(text).toContain("* codex: running until 15:00");
    expect(text).toMatch(/^ {2}no requests for 18 h 10 min +claude-code$/m);
  });

  test.each([60, 80, 120])("fits %i columns", (columns) => {
    for (const isTerminal of [false, true])
      for (const line of show(columns, isTerminal).split("\n"))
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });
});
