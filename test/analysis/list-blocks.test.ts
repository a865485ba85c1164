import { describe, expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { daysIn } from "../../src/analysis/calendar.ts";
import { listBlocks, type UsageBlock } from "../../src/analysis/list-blocks.ts";
import type { SessionAnalysis } from "../../src/analysis/session-analysis.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { mustRead } from "../recordings/parse.ts";
import { paidSession } from "./paid-session.ts";

const DAY = "2026-11-18T";
const LATER = Date.parse("2027-01-01T00:00:00Z");

/** A request at each of these times of the day. */
function session(...clocks: readonly string[]): SessionAnalysis {
  const times = clocks.map((clock) => `${DAY}${clock}Z`);
  return analyzeSession(
    mustRead(parseRecording(paidSession(times, "/w", "Go."))),
    `${clocks[0]}.jsonl`,
    DEFAULT_CONFIG,
    daysIn("UTC"),
  );
}

const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
const spans = (blocks: readonly UsageBlock[]) =>
  blocks.map(({ start, end, requests }) => `${clock(start)} ${clock(end)} ${requests}`);

describe("blocks", () => {
  test.each<[string, readonly (readonly string[])[], readonly string[]]>([
    ["begin with the hour of the first request", [["09:40:00"]], ["09:00 14:00 1"]],
    ["last five hours", [["09:40:00", "13:59:59", "14:00:00"]], ["09:00 14:00 2", "14:00 19:00 1"]],
    [
      "begin anew after five hours without a request",
      [["01:30:00", "02:00:00", "09:20:00"]],
      ["01:00 06:00 2", "09:00 14:00 1"],
    ],
    [
      "are of all sessions together",
      [["09:40:00", "15:00:00"], ["10:05:00"]],
      ["09:00 14:00 2", "15:00 20:00 1"],
    ],
  ])("%s", (_, all, expected) => {
    expect(
      spans(
        listBlocks(
          all.map((clocks) => session(...clocks)),
          LATER,
        ),
      ),
    ).toEqual(expected);
  });

  test("have the tokens and the money of their requests", () => {
    const one = session("09:40:00", "13:00:00");
    const money = one.days.flatMap(({ models }) => models);
    const [block, ...others] = listBlocks([one], LATER);
    expect(others).toEqual([]);
    expect(block).toMatchObject({
      source: "claude-code",
      sent: money.reduce((sum, { sent }) => sum + sent, 0),
      written: money.reduce((sum, { written }) => sum + written, 0),
      dollars: expect.closeTo(
        money.reduce((sum, { dollars }) => sum + dollars, 0),
        9,
      ),
      avoidable: expect.closeTo(
        money.reduce((sum, { avoidable }) => sum + avoidable, 0),
        9,
      ),
    });
    expect(block?.dollars).toBeGreaterThan(0);
  });

  test("each agent has its own", () => {
    const other: SessionAnalysis = { ...session("10:10:00"), source: "codex" };
    const blocks = listBlocks([session("09:40:00"), other], LATER);
    expect(blocks.map(({ source, start }) => `${source} ${clock(start)}`)).toEqual([
      "claude-code 09:00",
      "codex 10:00",
    ]);
  });
});

describe("the running block", () => {
  const at = (time: string) => Date.parse(`${DAY}${time}Z`);
  const one = session("09:40:00", "11:40:00");

  test("goes on as between its first and its last request", () => {
    const [block] = listBlocks([one], at("13:00:00"));
    const { sent = 0, written = 0, dollars = 0 } = block ?? {};
    // Two hours of requests, one hour to come.
    expect(block?.running).toEqual({
      tokens: Math.round((sent + written) * 1.5),
      dollars: expect.closeTo(dollars * 1.5, 9),
    });
  });

  test("with a single request there is no rate", () => {
    const [block] = listBlocks([session("09:40:00")], at("10:00:00"));
    expect(block?.running).toEqual({
      tokens: (block?.sent ?? 0) + (block?.written ?? 0),
      dollars: block?.dollars,
    });
  });

  test("has not ended", () => {
    expect(listBlocks([one], at("14:00:00"))[0]?.running).toBeUndefined();
  });
});
