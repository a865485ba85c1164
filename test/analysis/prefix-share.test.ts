import { describe, expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { addCaches } from "../../src/analysis/cache-figures.ts";
import { daysIn } from "../../src/analysis/calendar.ts";
import { type PrefixCost, sharePrefix } from "../../src/analysis/prefix-share.ts";
import type { SessionAnalysis } from "../../src/analysis/session-analysis.ts";
import { sumAnalyses } from "../../src/analysis/sum-analyses.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import type { InventoryItem } from "../../src/prefix/inventory.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { withSubagents } from "../../src/recordings/with-subagents.ts";
import { SESSIONS } from "../cli/sessions.ts";
import { mustRead } from "../recordings/parse.ts";
import { paidSession } from "./paid-session.ts";

const near = (value: number) => expect.closeTo(value, 9);

function session(over: Partial<SessionAnalysis>, prefix: PrefixCost): SessionAnalysis {
  const nothing = { tokens: 0, dollars: 0 };
  const caches = addCaches([]);
  const day = { models: [], tools: [], kinds: [], stale: nothing, coldStarts: { ...nothing, count: 0 } };
  return {
    ...{ path: "s", source: "claude-code", project: "/p", models: [], peak: 0, called: [] },
    ...{ assumedCaches: [], skipped: 0, days: [{ ...day, rereads: [], work: NO_WORK, prefix, caches }] },
    ...over,
  };
}
const cost = (dollars: number, bill: number): PrefixCost => ({ tokens: 1_000, dollars, bill });
const tool = (name: string, tokens: number): InventoryItem => ({
  ...{ group: "built-in tools", name, tokens, isTool: true },
});
const ITEMS: readonly InventoryItem[] = [
  { group: "system prompt", name: "Style", tokens: 500 },
  tool("Bash", 100),
  tool("Agent", 400),
  { ...tool("later", 9_000), group: "deferred tools", isHidden: true },
];

describe("the prefix's share of the bill", () => {
  test("is a share of all money, and by agent with the largest bill first", () => {
    const sessions = [
      session({ source: "codex", project: "/q" }, cost(1, 2)),
      session({}, cost(1, 10)),
      session({}, cost(3, 10)),
      session({ source: "pi" }, cost(0, 0)),
    ];
    expect(sharePrefix(sessions, () => undefined)).toEqual({
      ...{ tokens: 4_000, dollars: 5, bill: 22, share: near(5 / 22) },
      agents: [
        { agent: "claude-code", tokens: 2_000, dollars: 4, bill: 20, share: near(0.2) },
        { agent: "codex", tokens: 1_000, dollars: 1, bill: 2, share: near(0.5) },
      ],
    });
    expect(sharePrefix(sessions.slice(3), () => undefined)).toBeUndefined();
    expect(sharePrefix([], () => undefined)).toBeUndefined();
  });

  test("a tool is unused if no session of its agent and project called it; deferred ones are ignored", () => {
    const sessions = [
      session({ called: ["Bash"] }, cost(1, 10)),
      session({ called: [] }, cost(1, 10)),
      session({ project: "/q", called: ["Agent"] }, cost(6, 10)),
      session({ source: "codex", called: ["Agent"] }, cost(5, 10)),
    ];
    const known = (agents: readonly string[], projects: readonly string[]) =>
      sharePrefix(sessions, (agent, project) =>
        agents.includes(agent) && projects.includes(project) ? ITEMS : undefined,
      );
    expect(known(["claude-code"], ["/p"])?.unused).toEqual({
      ...{ share: near(0.4), dollars: near(0.8), sessions: 2 },
    });
    // 2 dollars of 40 %, and 6 of 10 %.
    expect(known(["claude-code"], ["/p", "/q"])?.unused).toEqual({
      ...{ share: near(1.4 / 8), dollars: near(1.4), sessions: 3 },
    });
    expect(known(["claude-code"], ["/p"])?.agents.map(({ unused }) => unused?.sessions)).toEqual([
      2,
      undefined,
    ]);
    expect(known([], ["/p"])?.unused).toBeUndefined();
  });
});

describe("of recorded sessions", () => {
  const analyze = (recording: Recording): SessionAnalysis =>
    analyzeSession(recording, "s", DEFAULT_CONFIG, daysIn("UTC"));
  const paid = mustRead(parseRecording(paidSession(["2026-11-16T12:00:00Z", "2026-11-17T12:00:00Z"])));

  test("equals the prefix share in the kinds of text", () => {
    const sum = sumAnalyses([analyze(paid)]);
    const [kind] = sum.kinds.filter(({ name }) => name === "system prompt and tool definitions");
    expect(kind?.dollars).toBeGreaterThan(0);
    expect(sum.prefix).toMatchObject({ dollars: near(kind?.dollars ?? 0), bill: near(sum.dollars) });
    // All but a few words of each request is its prefix: 13,000 tokens of input, 100 of output.
    expect(sum.prefix?.share).toBeGreaterThan(0.8);
    expect(sum.prefix?.tokens).toBeGreaterThan(25_000);
  });

  test("only days in the range count", () => {
    const half = sumAnalyses([analyze(paid)], { since: "2026-11-17" });
    expect(half.prefix?.bill).toBe(half.dollars);
    expect(half.prefix?.tokens).toBeLessThan(14_000);
  });

  test("without usage it is unknown", () => {
    expect(sumAnalyses([analyze(mustRead(parseRecording(SESSIONS["openai.json"] ?? "")))]).prefix).toBe(
      undefined,
    );
  });

  test("a session whose usage shows no prefix adds nothing, not even its bill", () => {
    const lost = paidSession(["2026-11-16T12:00:00Z"], "/work/shop", "many words ".repeat(9_000));
    const { prefix, dollars } = sumAnalyses([analyze(mustRead(parseRecording(lost)))]);
    expect(dollars).toBeGreaterThan(0);
    expect(prefix).toBeUndefined();
  });

  test("calls of subagents count", () => {
    const other = mustRead(parseRecording(SESSIONS["claude-code.jsonl"] ?? ""));
    const { called } = analyze(other);
    expect(called.length).toBeGreaterThan(0);
    expect(analyze(paid).called).toEqual([]);
    expect(analyze(withSubagents(paid, [other])).called).toEqual(called);
  });
});
