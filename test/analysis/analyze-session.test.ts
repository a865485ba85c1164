import { describe, expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { daysIn } from "../../src/analysis/calendar.ts";
import { groupAnalyses } from "../../src/analysis/group-analyses.ts";
import type { SessionAnalysis } from "../../src/analysis/session-analysis.ts";
import { sumAnalyses } from "../../src/analysis/sum-analyses.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { SESSIONS } from "../cli/sessions.ts";
import { mustRead } from "../recordings/parse.ts";
import { paidSession } from "./paid-session.ts";

const read = (name: string): Recording => mustRead(parseRecording(SESSIONS[name] ?? ""));
const analyze = (recording: Recording, zone = "UTC"): SessionAnalysis =>
  analyzeSession(recording, "s", DEFAULT_CONFIG, daysIn(zone));
const near = (value: number) => expect.closeTo(value, 6);
const total = (list: readonly { readonly dollars: number }[]) =>
  list.reduce((sum, { dollars }) => sum + dollars, 0);

describe("analyzeSession", () => {
  test.each(Object.keys(SESSIONS))("%s: money is that of the book, and its kinds add up to it", (name) => {
    const recording = read(name);
    const bench = prepareReplay(recording);
    const sum = sumAnalyses([analyze(recording)]);
    expect(sum).toMatchObject({
      requests: bench.book.paid.requests + bench.book.entries.filter(({ unpriced }) => unpriced).length,
      dollars: near(bench.book.paid.dollars),
      estimated: near(bench.book.paid.estimated),
      avoidable: near(
        bench.book.paid.dollars === 0
          ? 0
          : bench.book.paid.dollars - (bench.run(coppicePolicy({ config: DEFAULT_CONFIG })).dollars ?? 0),
      ),
    });
    expect(total(sum.kinds)).toEqual(near(sum.dollars));
    expect(total(sum.tools)).toBeLessThanOrEqual(sum.dollars);
  });

  test("a file that is read three times was read again twice, and old reads are stale", () => {
    const sum = sumAnalyses([analyze(read("claude-code.jsonl"))]);
    expect(sum.rereads).toMatchObject([{ file: "src/values.ts", times: 2, sessions: 1 }]);
    expect(sum.stale.tokens).toBeGreaterThan(0);
    expect(sum.stale.tokens).toBeLessThan(sum.sent);
    expect(sum.stale.dollars).toBeGreaterThan(0);
    expect(sum.stale.dollars).toBeLessThan(sum.dollars);
  });

  test("a pause longer than the cache lives is a cold start", () => {
    const text = SESSIONS["claude-code.jsonl"] ?? "";
    const late = text.replaceAll(/2026-01-01T00:00:0([567])/g, "2026-01-01T09:00:0$1");
    expect(sumAnalyses([analyze(read("claude-code.jsonl"))]).coldStarts.count).toBe(0);
    const { coldStarts } = sumAnalyses([analyze(mustRead(parseRecording(late)))]);
    expect(coldStarts.count).toBe(1);
    expect(coldStarts.dollars).toBeGreaterThan(0);
  });

  test("an unknown model has requests and no money", () => {
    const recording = mustRead(
      parseRecording((SESSIONS["openai-request.json"] ?? "").replace("gpt-5", "house-model")),
    );
    const sum = sumAnalyses([analyze(recording)]);
    expect(sum).toMatchObject({ dollars: 0, avoidable: 0, unpriced: sum.requests });
    expect(sum.sent).toBeGreaterThan(0);
    expect(sumAnalyses([analyze(read("openai-request.json"))]).unpriced).toBe(0);
  });

  test("requests belong to the day on which they were made, in the user's time zone", () => {
    const recording = mustRead(
      parseRecording(paidSession(["2026-11-16T22:30:00Z", "2026-11-16T23:30:00Z", "2026-11-17T23:30:00Z"])),
    );
    const daysOf = (zone: string) =>
      analyze(recording, zone).days.map(({ day, models }) => [day, models[0]?.requests]);
    expect(daysOf("UTC")).toEqual([
      ["2026-11-16", 2],
      ["2026-11-17", 1],
    ]);
    expect(daysOf("Europe/Berlin")).toEqual([
      ["2026-11-16", 1],
      ["2026-11-17", 1],
      ["2026-11-18", 1],
    ]);
  });

  test("recorded usage is not an estimate: Sonnet at $3 and $15 a million", () => {
    const sum = sumAnalyses([analyze(mustRead(parseRecording(paidSession(["2026-11-16T22:30:00Z"]))))]);
    expect(sum).toMatchObject({
      estimated: 0,
      dollars: near((1_000 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 100 * 15) / 1e6),
      sent: 13_000,
      written: 100,
    });
  });
});

describe("sums", () => {
  const one = analyze(
    mustRead(parseRecording(paidSession(["2026-11-09T12:00:00Z", "2026-11-17T12:00:00Z"]))),
  );
  const { project: _, ...elsewhere } = one;
  const sessions: readonly SessionAnalysis[] = [
    { ...one, path: "a", project: "/work/shop" },
    { ...one, path: "b", project: "/work/shop", source: "pi" },
    { ...elsewhere, path: "c" },
  ];
  const each = sumAnalyses([one]).dollars / 2;

  test("add up, with the most avoidable first", () => {
    const [day] = one.days;
    if (!day) throw new Error("no day");
    const worse: SessionAnalysis = {
      ...one,
      path: "worse",
      days: [{ ...day, models: day.models.map((model) => ({ ...model, avoidable: 1 })) }],
    };
    const sum = sumAnalyses([...sessions, worse]);
    expect(sum.sessions.map(({ path }) => path)).toEqual(["worse", "a", "b", "c"]);
    expect(sum.dollars).toEqual(near(7 * each));
    expect(sum.sources).toEqual({ "claude-code": 3, pi: 1 });
  });

  test("only count days in the range", () => {
    const sum = sumAnalyses(sessions, { since: "2026-11-10" });
    expect(sum.dollars).toEqual(near(3 * each));
    expect(total(sum.kinds)).toEqual(near(3 * each));
    expect(sum.sessions).toHaveLength(3);
    expect(sumAnalyses(sessions, { until: "2026-11-01" }).sessions).toEqual([]);
  });

  test.each([
    ["day", ["2026-11-09", "2026-11-17"]],
    ["week", ["2026-11-09", "2026-11-16"]],
    ["month", ["2026-11"]],
    ["model", ["claude-sonnet-4-5"]],
    ["project", ["/work/shop", undefined]],
    ["agent", ["claude-code", "pi"]],
  ] as const)("by %s", (by, names) => {
    const groups = groupAnalyses(sessions, by);
    expect(groups.map(({ name }) => name)).toEqual(names);
    expect(total(groups)).toEqual(near(6 * each));
    expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(6);
  });

  test("files are summed over the sessions of a project", () => {
    const [day] = one.days;
    if (!day) throw new Error("no day");
    const reading = (path: string, project: string, file = "src/a.ts"): SessionAnalysis => ({
      ...one,
      path,
      project,
      days: [{ ...day, rereads: [{ file, times: 2, tokens: 10 }] }],
    });
    const sum = sumAnalyses([reading("a", "/p"), reading("b", "/p", "/p/src/a.ts"), reading("c", "/q")]);
    expect(sum.rereads).toEqual([
      { file: "src/a.ts", project: "/p", times: 4, tokens: 20, sessions: 2 },
      { file: "src/a.ts", project: "/q", times: 2, tokens: 10, sessions: 1 },
    ]);
  });

  test("with no sessions they are empty, and nothing is divided by zero", () => {
    expect(sumAnalyses([])).toMatchObject({ dollars: 0, avoidable: 0, sessions: [] });
    expect(groupAnalyses([], "day")).toEqual([]);
  });
});

test("lost caches are found in a recording, on the day of the request that lost them", () => {
  const lines = paidSession(["2026-11-16T23:50:00Z", "2026-11-17T00:10:00Z"]).trimEnd().split("\n");
  const last = (lines.at(-1) ?? "").replace('"cache_read_input_tokens":10000', '"cache_read_input_tokens":0');
  const text = [...lines.slice(0, -1), last].join("\n");
  const { days } = analyze(mustRead(parseRecording(text)));
  expect(days.map(({ day, caches }) => [day, caches.losses.map(({ cause }) => cause)])).toEqual([
    ["2026-11-16", []],
    ["2026-11-17", ["a pause longer than the cache lives"]],
  ]);
  const { caches } = sumAnalyses([analyze(mustRead(parseRecording(text)))]);
  expect(caches.losses).toMatchObject([{ count: 1, tokens: 3_000 }]);
  expect(caches.lives).toMatchObject({ requests: 2, wantLong: 0 });
});
