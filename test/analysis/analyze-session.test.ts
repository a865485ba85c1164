import { describe, expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { sumAnalyses } from "../../src/analysis/sum-analyses.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { SESSIONS } from "../cli/sessions.ts";

const read = (name: string): Recording => {
  const parsed = parseRecording(SESSIONS[name] ?? "");
  if (!parsed.ok) throw new Error(parsed.issue.message);
  return parsed.value;
};
const analyze = (recording: Recording) => analyzeSession(recording, "s", DEFAULT_CONFIG);
const near = (value: number) => expect.closeTo(value, 3);

describe("analyzeSession", () => {
  test.each(Object.keys(SESSIONS))(
    "%s: the bill is that of the replay, and its kinds add up to it",
    (name) => {
      const recording = read(name);
      const { unpruned } = prepareReplay(recording);
      const analysis = analyze(recording);
      const sum = (pick: "bill" | "sent") => analysis.kinds.reduce((total, kind) => total + kind[pick], 0);
      expect(analysis).toMatchObject({
        requests: unpruned.requests.length,
        sent: unpruned.sent,
        peak: unpruned.peak,
        bill: near(unpruned.bill),
      });
      expect(sum("bill")).toEqual(near(analysis.bill));
      expect(sum("sent")).toBe(analysis.sent);
    },
  );

  test("a file that is read three times was read again, and two of the results are stale in the end", () => {
    const { rereads, tools, stale, presets, sent } = analyze(read("claude-code.jsonl"));
    expect(rereads).toEqual([{ file: "src/values.ts", reads: 3, again: expect.any(Number) }]);
    const results = tools.find(({ name }) => name === "read")?.tokens ?? 0;
    expect(rereads[0]?.again).toBeGreaterThan(results / 2);
    expect(stale).toBeGreaterThan(0);
    expect(stale).toBeLessThan(sent);
    for (const share of Object.values(presets)) expect(share).toBeLessThanOrEqual(1.000001);
  });

  test("a pause longer than the cache lives is a cold start", () => {
    const text = SESSIONS["claude-code.jsonl"] ?? "";
    const late = text
      .replace("2026-01-01T00:00:05", "2026-01-01T09:00:05")
      .replace("2026-01-01T00:00:06", "2026-01-01T09:00:06");
    const parsed = parseRecording(late.replace("2026-01-01T00:00:07", "2026-01-01T09:00:07"));
    expect(analyze(read("claude-code.jsonl")).coldStarts.count).toBe(0);
    expect(parsed.ok && analyze(parsed.value).coldStarts).toMatchObject({ count: 1 });
  });

  test("an unknown model has a bill and no dollars", () => {
    const parsed = parseRecording((SESSIONS["openai-request.json"] ?? "").replace("gpt-5", "house-model"));
    expect(parsed.ok && analyze(parsed.value).dollars).toBe(undefined);
    expect(analyze(read("openai-request.json")).dollars).toBeGreaterThan(0);
  });
});

describe("sumAnalyses", () => {
  test("adds up, and puts the worst first", () => {
    const one = analyze(read("claude-code.jsonl"));
    const cheap = {
      ...one,
      path: "cheap",
      bill: one.bill / 2,
      presets: { compact: 1, balanced: 1, verbose: 1 },
    };
    const dear = { ...one, path: "dear", presets: { compact: 0.5, balanced: 0.5, verbose: 1 } };
    const sum = sumAnalyses([cheap, dear], DEFAULT_CONFIG);
    expect(sum.sessions.map(({ path }) => path)).toEqual(["dear", "cheap"]);
    expect(sum.requests).toBe(2 * one.requests);
    expect(sum.bill).toEqual(near(1.5 * one.bill));
    expect(sum.presets.map(({ saved }) => saved)).toEqual([near(1 / 3), near(1 / 3), 0]);
    expect(sum.tools[0]?.tokens).toBe(2 * (one.tools[0]?.tokens ?? 0));
  });

  test("of no sessions is nothing, and divides by nothing", () => {
    expect(sumAnalyses([], DEFAULT_CONFIG)).toMatchObject({ staleShare: 0, bill: 0, dollars: 0 });
  });
});
