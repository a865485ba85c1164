import { afterAll, describe, test } from "vitest";
import { CLAUDE_CODE } from "../claude-code.ts";
import type { Client } from "../client.ts";
import { CODEX_PLAIN } from "../codex.ts";
import { GEMINI_CLI } from "../gemini-cli.ts";
import { QWEN_CODE } from "../qwen-code.ts";
import { recordSession } from "./record-session.ts";
import { type Replayed, replaySession } from "./replay-session.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

/** A session that is stopped anywhere may cost at most this much of its cost without Coppice, in percent. */
const MOST = 101;

/** The final line may differ from the real savings by this much, in points. */
const NEAR = 2;

interface Case {
  readonly client: Client;
  /** With a known price; the client's default unless given. */
  readonly model?: string;
  readonly scenario: Scenario;
}

const CASES: readonly (readonly [title: string, session: Case])[] = [
  { client: CLAUDE_CODE, model: "claude-sonnet-4-5", scenarios: SCENARIOS },
  // Its own model binds reasoning to the text before it, so cuts differ.
  { client: CLAUDE_CODE, scenarios: SCENARIOS.filter(({ name }) => name === "edits" || name === "pause") },
  { client: CODEX_PLAIN, scenarios: SCENARIOS },
  { client: GEMINI_CLI, scenarios: SCENARIOS },
  { client: QWEN_CODE, scenarios: SCENARIOS },
].flatMap(({ scenarios, ...rest }) =>
  scenarios.map((scenario) => [
    [rest.client.name, ...(rest.model === undefined ? [] : [rest.model]), scenario.name].join(", "),
    { ...rest, scenario },
  ]),
);

const HEAD = ["session", "pauses", "requests", "bill %", "worst stop %", "saved %", "said %"];
const rows: (readonly string[])[] = [];
afterAll(() => {
  const table = [HEAD, ...rows.toSorted(([a = ""], [b = ""]) => a.localeCompare(b))];
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  process.stdout.write(`${lines.join("\n")}\n`);
});

describe.concurrent.each(CASES)("%s", (title, { client, model, scenario }) => {
  test("wherever it stops, it costs no more than without Coppice, and the final line is right", async ({
    expect,
  }) => {
    const recorded = await recordSession(client, scenario, model);
    for (const pace of scenario.paces) {
      const replayed = await replaySession(recorded, pace);
      const { straight, through, sums, complaints } = replayed;
      const { shares, worst, bill, said } = measure(replayed);
      const at = shares.indexOf(worst) + 1;
      rows.push([
        ...[title, pace.name, `${recorded.length}`],
        ...[bill, worst, 100 - bill, said].map((share) => share.toFixed(1)),
      ]);
      expect(straight.refused).toEqual([]);
      expect(through.refused).toEqual([]);
      expect(complaints).toEqual([]);
      expect(sums).toMatchObject({ requests: recorded.length, priced: recorded.length });
      expect(sums.paid).toBeCloseTo(through.after.at(-1) ?? 0, 6);
      expect(worst, `stopped after request ${at} of ${recorded.length}`).toBeLessThanOrEqual(MOST);
      expect(Math.abs(said - (100 - bill)), `said ${said}, the bill is ${bill}`).toBeLessThanOrEqual(NEAR);
    }
  });
});

/** In percent. */
function measure({ straight, through, sums }: Replayed) {
  const shares = through.after.map((sum, index) => (100 * sum) / (straight.after[index] ?? 0));
  return {
    /** Shares of the bill without Coppice, after each request. */
    shares,
    worst: Math.max(...shares),
    bill: shares.at(-1) ?? 0,
    /** The proxy's figure for the savings. */
    said: (100 * (sums.without - sums.paid)) / sums.without,
  };
}
