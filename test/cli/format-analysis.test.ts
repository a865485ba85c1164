import pc from "picocolors";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { daysIn } from "../../src/analysis/calendar.ts";
import { type Grouping, groupAnalyses } from "../../src/analysis/group-analyses.ts";
import type { SessionAnalysis } from "../../src/analysis/session-analysis.ts";
import { sumAnalyses } from "../../src/analysis/sum-analyses.ts";
import { type AnalysisView, formatAnalysis, shortenHome } from "../../src/cli/format-analysis.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { paidSession } from "../analysis/paid-session.ts";
import { mustRead } from "../recordings/parse.ts";
import { SESSIONS } from "./sessions.ts";

const analyze = (text: string, path: string): SessionAnalysis =>
  analyzeSession(mustRead(parseRecording(text)), path, DEFAULT_CONFIG, daysIn("UTC"));
const times = ["2026-10-31T12:00:00Z", "2026-11-16T12:00:00Z", "2026-11-17T12:00:00Z"];
const sessions: readonly SessionAnalysis[] = [
  analyze(
    paidSession(
      times,
      "/work/商店前端",
      "修复登录页面的错误，然后运行所有测试 👩‍👩‍👧‍👦 and tell me what you did, step by step",
    ),
    "/s/a.jsonl",
  ),
  analyze(paidSession(times.slice(1), "/work/shop", "Fix\u001b[31m the login\u202e"), "/s/b.jsonl"),
  analyze(SESSIONS["codex.jsonl"] ?? "", "/s/codex.jsonl"),
];

function format(columns: number, isTerminal = false, by?: Grouping): string {
  const analysis = sumAnalyses(sessions);
  const view: AnalysisView = {
    zone: "UTC",
    today: "2026-11-17",
    top: 10,
    groups: groupAnalyses(sessions, by ?? "day"),
    months: groupAnalyses(sessions, "month"),
    ...(by && { by }),
  };
  return formatAnalysis(analysis, view, { columns, isTerminal, paint: pc.createColors(isTerminal) });
}

describe("formatAnalysis", () => {
  it.each([60, 80, 120, 200])("fits %i columns, on a terminal and in a file", (columns) => {
    for (const isTerminal of [false, true])
      for (const line of format(columns, isTerminal).split("\n"))
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });
  it("is plain in a file: no colours, no bars; and obeys no session", () => {
    const text = format(120);
    for (const sign of ["\u001b", "\u202e", "█", "▌", "▏"]) expect(text).not.toContain(sign);
    expect(format(120, true)).toContain("█");
    expect(text).toContain("Fix [31m the login");
  });
  it("names models whose cache prices are assumed, and marks their money", () => {
    const text = paidSession(times.slice(1), "/work/shop", "Fix it").replaceAll(
      "claude-sonnet-4-5",
      "gpt-5-pro",
    );
    const pro = [analyze(text, "/s/pro.jsonl")];
    const groups = groupAnalyses(pro, "day");
    const view = { zone: "UTC", today: "2026-11-17", top: 10, groups, months: [] };
    const shown = formatAnalysis(sumAnalyses(pro), view, {
      columns: 120,
      isTerminal: false,
      paint: pc.createColors(false),
    });
    expect(shown).toContain(
      "Cache prices assumed, as no price list has them: gpt-5-pro. Set schedule.prices.",
    );
    expect(shown).toMatch(/≈\$[\d.]+ paid/);
    expect(format(120)).not.toContain("Cache prices");
  });
  it("shows the newest seven days, and the number of hidden ones", () => {
    const show = (days: number): string => {
      const times = Array.from({ length: days }, (_, i) =>
        new Date(Date.UTC(2026, 9, 1 + i, 12)).toISOString(),
      );
      const many = [analyze(paidSession(times), "/s/many.jsonl")];
      const groups = groupAnalyses(many, "day");
      const view = { zone: "UTC", today: "2026-11-17", top: 10, groups, months: [] };
      const canvas = { columns: 80, isTerminal: false, paint: pc.createColors(false) };
      return formatAnalysis(sumAnalyses(many), view, canvas);
    };
    expect(show(38)).toMatch(/By day[\s\S]*2026-11-07.*\n {2}31 earlier days not shown: --by day\n/);
    expect(show(38)).not.toContain("2026-10-31 ");
    expect(show(8)).toContain("1 earlier day not shown: --by day");
    expect(show(7)).not.toContain("not shown");
  });
  it("has a line for the budget, in the month of today", () => {
    const dollars = (3_000 + 3_000 + 7_500 + 1_500) / 1e6;
    expect(format(120)).toContain(
      `This month $${(4 * dollars).toFixed(2)}, $0.00 of it avoidable; last month $0.01.`,
    );
  });
  it("marks estimates, and nothing else", () => {
    const lines = format(120, false, "agent").split("\n");
    expect(lines.find((line) => line.includes("codex ") && line.includes("$"))).toMatch(/≈\$/);
    expect(lines.find((line) => line.trim().startsWith("claude-code "))).not.toContain("≈");
    expect(lines.join("\n")).toMatch(
      /≈ marks estimates, where no usage was recorded or a price is assumed: \$[\d.]+ in total/,
    );
  });
  it.each([
    ["day", /2026-10-31 .*\n.*2026-11-16 .*\n.*2026-11-17 /],
    ["month", /2026-10 .*\n.*2026-11 /],
    ["model", /claude-sonnet-4-5 .*\n.*gpt-5 /],
    ["project", /\/work\/商店前端 [\s\S]*\/work\/shop /],
  ] as const)("by %s alone if requested", (by, rows) => {
    const text = format(120, false, by);
    expect(text).toMatch(rows);
    expect(text).toContain(`By ${by}`);
    expect(text).not.toContain("by tool");
  });
  it("shows the time zone of the days", () => {
    expect(format(120)).toContain("By day, in the time zone UTC");
    expect(format(120, false, "model")).not.toContain("time zone");
  });
});

it("shortens the home folder, and no other with the same beginning", () => {
  expect(shortenHome("/home/ada/shop", "/home/ada")).toBe("~/shop");
  expect(shortenHome("/home/ada", "/home/ada")).toBe("~");
  expect(shortenHome("/home/adam/shop", "/home/ada")).toBe("/home/adam/shop");
  expect(shortenHome("/work/shop", "/")).toBe("/work/shop");
});
