import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { EditId } from "../../src/edits/edit.ts";
import type { LedgerEntry } from "../../src/edits/ledger.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { TEXT_PROTOCOLS } from "../../src/formats/text-protocols/text-protocols.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import type { PartData, ReportData } from "../../src/page/data.ts";
import { readSegment } from "../../src/page/read-segment.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import { SegmentLog } from "../../src/page/segment-log.ts";
import { readRecording } from "../../src/recordings/files.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { coppicePolicy, noPruning, prepareReplay } from "../../src/replay/index.ts";
import { measurePressure } from "../../src/schedule/pressure.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import { answer, call, makeRecording, makeSegment, result, user } from "../replay/make-recording.ts";

const EAGER = { schedule: { mode: "eager" } } as const;
const MODEL = { model: "claude-sonnet-4-5" } as const;
const page = (word: string): string => `${`the ${word} of the file, in many words\n`.repeat(40)}end`;

/** Reads a file twice, so that the first read goes, and answers. */
function readTwice(): Recording {
  return makeRecording([
    user("look at a.ts", 1_000),
    call("c1", "read", { path: "a.ts" }),
    result("c1", page("text"), 2_000),
    call("c2", "read", { path: "a.ts" }),
    result("c2", page("newer text"), 3_000),
    answer("done", MODEL),
    user("thanks", 4_000),
    answer("you are welcome", MODEL),
  ]);
}

function originalOf({ leaves }: PartData): readonly string[] {
  return leaves.map(({ pieces }) => pieces.map(({ text }) => text).join(""));
}

function shownOf({ leaves, dropped }: PartData): readonly string[] {
  if (dropped !== undefined) return [];
  return leaves.map(({ pieces }) => pieces.map(({ text, cut }) => cut?.instead ?? text).join(""));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

test("a cut in its place: original, replacement, mechanism, reason, ref and request", () => {
  const data = buildReportData(readTwice(), { config: EAGER });
  const part = data.parts[2] as PartData;
  expect(part).toMatchObject({ kind: "result", tool: "read", title: "read a.ts", status: "ok", request: 1 });
  expect(originalOf(part)).toEqual([page("text")]);
  const [edit] = part.edits.map((i) => data.edits[i]);
  expect(edit).toMatchObject({ type: "replace", mechanism: "file", request: 2, parts: [2] });
  expect(edit?.ref).toMatch(/^[0-9a-f]{6}$/);
  expect(edit?.reason).not.toBe("");
  expect(shownOf(part)[0]).toContain(edit?.ref);
  expect(part.shown).toBe(part.tokens - (edit?.saved ?? 0));
  expect(data.requests[2]?.cut).toEqual({ reason: "eager", edits: [0], saved: edit?.saved });
  expect(data.requests.filter(({ cut }) => cut)).toHaveLength(1);
});

test("the answer to the last request is shown, and belongs to no request", () => {
  const data = buildReportData(readTwice());
  expect(data.parts.map(originalOf).at(-1)).toEqual(["you are welcome"]);
  expect(data.parts.map(({ request }) => request)).toEqual([0, 1, 1, 2, 2, 3, 3, undefined]);
});

test("figures are those of the replay", () => {
  const recording = readTwice();
  const data = buildReportData(recording, { config: EAGER });
  const bench = prepareReplay(recording);
  const pruned = bench.run(coppicePolicy({ config: EAGER }));
  const unpruned = bench.run(noPruning);
  expect(data.requests.map((request) => request.pruned)).toEqual(pruned.requests.map(({ tokens }) => tokens));
  expect(data.requests.map((request) => request.raw)).toEqual(unpruned.requests.map(({ tokens }) => tokens));
  expect(data.requests.map((request) => request.cached)).toEqual(pruned.requests.map(({ cached }) => cached));
  expect(data.bill).toMatchObject({ with: pruned.bill, without: unpruned.bill });
  expect(data.bill.breaks).toEqual({ with: pruned.breaks, without: unpruned.breaks });
  expect(data.evidence).toEqual(pruned.evidence);
  expect(pruned.bill).not.toBe(unpruned.bill);
});

test("dollars are there when every model has a price", () => {
  const lines = [user("a"), answer("b", MODEL), user("c"), answer("d", MODEL)];
  const priced = buildReportData(makeRecording(lines));
  const { dollarsPerMillion = 0 } = profileFor(MODEL.model);
  expect(dollarsPerMillion).toBeGreaterThan(0);
  const { dollars } = priced.bill;
  expect(dollars?.input.with).toBeCloseTo((priced.bill.with * dollarsPerMillion) / 1e6, 12);
  expect(dollars?.with).toBeCloseTo((dollars?.input.with ?? 0) + (dollars?.output ?? 0), 12);
  expect(dollars?.output).toBeGreaterThan(0);
  const mixed = buildReportData(makeRecording([...lines, user("e"), answer("f", { model: "house-model" })]));
  expect(mixed.bill.dollars).toBeUndefined();
  expect(mixed.requests.map(({ dollars }) => dollars !== undefined)).toEqual([true, true, false]);
});

test("window and threshold are those of the configuration", () => {
  const config = { window: 50_000, strategies: { compactThreshold: 0.5 } };
  const [request] = buildReportData(readTwice(), { config }).requests;
  expect(request).toMatchObject({ window: 50_000, threshold: 25_000 });
});

test("in shadow mode too, the report shows the effect of pruning", () => {
  const config = { ...EAGER, shadow: true };
  expect(buildReportData(readTwice(), { config }).edits).toHaveLength(1);
});

test("tokens by tool are those of calls and results, by kind those of everything", () => {
  const { tokens, parts } = buildReportData(readTwice(), { config: EAGER });
  expect(tokens.tools.map(({ name, parts: count }) => [name, count])).toEqual([["read", 4]]);
  expect(tokens.kinds.map(({ name }) => name)).toEqual(["results", "calls", "user text", "assistant text"]);
  expect(sum(tokens.kinds.map(({ raw }) => raw))).toBe(sum(parts.map((part) => part.tokens)));
  expect(sum(tokens.kinds.map(({ pruned }) => pruned))).toBe(sum(parts.map(({ shown }) => shown)));
});

test("a result that answers no call is of an unknown tool", () => {
  const { tokens } = buildReportData(makeRecording([user("a"), result("c9", "lost"), answer("b")]));
  expect(tokens.tools.map(({ name }) => name)).toEqual(["unknown tool"]);
});

test("a host's compaction starts a segment; parts, edits and requests continue counting", () => {
  const first = readTwice();
  const again = readTwice().segments[0] ?? makeSegment([]);
  const data = buildReportData({ ...first, segments: [...first.segments, again] }, { config: EAGER });
  expect(data.session.segments).toEqual([{ continues: false, prompt: "look at a.ts" }, { continues: true }]);
  expect(data.edits).toMatchObject([
    { parts: [2], request: 2 },
    { parts: [10], request: 6 },
  ]);
  expect(data.parts[10]).toMatchObject({ segment: 1, request: 5, edits: [1] });
  expect(data.parts[10]?.leaves[0]?.pieces[0]?.cut?.edit).toBe(1);
  expect(data.requests.map(({ segment }) => segment)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
});

test("another conversation in the same file is separate, with its first prompt", () => {
  const other = makeSegment([user("something else"), answer("yes")]);
  const data = buildReportData({
    ...readTwice(),
    project: "/home/ada/shop",
    segments: [...readTwice().segments, { ...other, separate: true }],
  });
  expect(data.session).toMatchObject({
    project: "/home/ada/shop",
    prompt: "look at a.ts",
    start: 1_000,
    end: 4_000,
    segments: [{ continues: false }, { continues: false, prompt: "something else" }],
  });
});

test("a dropped part, and one that was cut and restored", () => {
  const segment = makeSegment([
    user("a"),
    answer("first"),
    user("b"),
    answer("second"),
    user("c"),
    answer("third"),
  ]);
  const format = formatByName("openai-chat");
  const transcript = new Transcript();
  for (const [i, message] of segment.messages.entries())
    transcript.append(format.decode(message).parts, i, false);
  const edit = (index: number, id: string) => ({
    id: id as EditId,
    ref: id.slice(0, 6) as never,
    author: "trim-groups",
    mechanism: "trim" as const,
    reason: "an old turn",
    needs: [],
    saved: 5,
    type: "drop" as const,
    part: transcript.key(index),
    parts: [transcript.key(index)],
  });
  const dropped: LedgerEntry = { edit: edit(1, "aaaaaa.1"), request: 1 };
  const brief: LedgerEntry = { edit: edit(0, "bbbbbb.1"), request: 1 };
  const back: LedgerEntry = {
    edit: { type: "undo", target: "bbbbbb.1" as EditId, author: "agent", reason: "restored", saved: 0 },
    request: 2,
  };
  const log = new SegmentLog();
  const report = (edits: readonly LedgerEntry[]) => ({
    edits,
    cut: undefined,
    pressure: measurePressure(1, 10),
  });
  log.add(report([]), { index: 4, meta: [{}] });
  log.add(report([dropped, brief]), { index: 5, meta: [{}, {}, {}] });
  log.add(report([dropped, brief, back]), { index: 6, meta: [{}, {}, {}, {}, {}] });
  const place = { segment: 0, parts: 100, edits: 10 };
  const { parts, edits } = readSegment(segment, log, place, {
    format,
    kinds: createToolKinds(),
    textProtocols: TEXT_PROTOCOLS,
  });
  expect(edits).toMatchObject([
    { ref: "aaaaaa", mechanism: "trim", request: 5, parts: [101] },
    { ref: "bbbbbb", request: 5, parts: [100], undone: { request: 6, reason: "restored" } },
  ]);
  expect(parts[1]).toMatchObject({ dropped: 10, shown: 0 });
  expect(originalOf(parts[1] as PartData)).toEqual(["first"]);
  expect(parts[0]).toMatchObject({ edits: [11], shown: parts[0]?.tokens });
  expect(parts[0]?.dropped).toBeUndefined();
});

test("data of images and of unknown blocks is named, not shown", () => {
  const data = "iVBORw0KGgo".repeat(400);
  const recording = makeRecording([user("look"), answer("ok")]);
  const message = {
    role: "user",
    content: [
      { type: "text", text: "this" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
      { type: "unheard_of", blob: data },
    ],
  };
  const [segment] = recording.segments;
  const messages = [message, ...(segment?.messages.slice(1) ?? [])];
  const report = buildReportData({ ...recording, segments: [{ messages, meta: [{}, {}], carried: 0 }] });
  expect(report.parts.map(({ kind }) => kind)).toEqual(["text", "file", "opaque", "text"]);
  expect(JSON.stringify(report)).not.toContain(data.slice(0, 100));
  expect(originalOf(report.parts[1] as PartData)[0]).toMatch(/^\[image\/png, [\d,]+ bytes\]$/);
  expect(originalOf(report.parts[2] as PartData)).toContain("[4,400 characters of data]");
});

test("numbers and switches of an input are shown next to its texts", () => {
  const { parts } = buildReportData(
    makeRecording([
      user("a"),
      call("c1", "read", { path: "a.ts", limit: 20, raw: false }),
      result("c1", "x"),
    ]),
  );
  expect(parts[1]?.leaves.map(({ name, pieces }) => [name, pieces[0]?.text])).toEqual([
    ["input/path", "a.ts"],
    ["input/limit", "20"],
    ["input/raw", "false"],
  ]);
});

test.each<[string, Recording, Partial<ReportData>]>([
  ["nothing at all", { ...makeRecording([]), segments: [] }, { requests: [], parts: [], edits: [] }],
  ["a question that nobody answered", makeRecording([user("hello")]), { requests: [], edits: [] }],
])("%s gives a report", (_, recording, expected) => {
  const data = buildReportData(recording);
  expect(data).toMatchObject(expected);
  expect(data.bill.dollars).toBeUndefined();
});

test("the bill is the recorded one, with estimates marked, and requests add up to it", () => {
  const usage = { input: 100, cacheRead: 2_000, cacheWrite: 300, output: 50 };
  const asked = (text: string, time: number) => [
    user(text, time),
    answer("yes", { ...MODEL, usage, time: time + 5 }),
  ];
  const aside = { kind: "subagent", time: 1_500, model: MODEL.model, usage } as const;
  const recorded = { ...makeRecording([...asked("a", 1_000), ...asked("b", 2_000)]), asides: [aside] };
  const { bill, requests } = buildReportData(recorded);
  // Input at 3 dollars for a million tokens, cached at a tenth, written at 1.25; answers at 15.
  const each = (100 * 3 + 2_000 * 0.3 + 300 * 3.75 + 50 * 15) / 1e6;
  expect(bill.dollars?.without).toBeCloseTo(3 * each, 12);
  expect(bill.dollars).toMatchObject({ estimated: 0 });
  expect(bill.dollars?.beside).toBeCloseTo(each, 12);
  expect(requests.map(({ estimated }) => estimated)).toEqual([undefined, undefined]);
  expect(requests.map(({ beside }) => beside !== undefined)).toEqual([false, true]);
  for (const side of ["with", "without"] as const)
    expect(sum(requests.map(({ dollars, beside = 0 }) => (dollars?.[side] ?? 0) + beside))).toBeCloseTo(
      bill.dollars?.[side] ?? 0,
      12,
    );

  const partly = buildReportData({
    ...recorded,
    segments: makeRecording([...asked("a", 1_000), user("b", 2_000), answer("no usage", MODEL)]).segments,
  });
  expect(partly.bill.dollars?.estimated).toBeGreaterThan(0);
  expect(partly.bill.dollars?.estimated).toBeLessThan(partly.bill.dollars?.without ?? 0);
  expect(partly.requests.map(({ estimated }) => estimated)).toEqual([undefined, true]);
});

test("the bill explains lost caches, by inferred cause; empty if none was lost", () => {
  const asked = (minutes: number, cacheRead: number, cacheWrite: number) => [
    user("go on", minutes * 60_000),
    answer("yes", { ...MODEL, usage: { input: 0, cacheRead, cacheWrite, output: 10 } }),
  ];
  const losses = (recording: Recording) => buildReportData(recording).bill.losses;
  const first = asked(0, 0, 30_000);
  expect(losses(makeRecording([...first, ...asked(1, 30_000, 500)]))).toEqual([]);
  const later = makeRecording([...first, ...asked(10, 0, 31_000), ...asked(11, 0, 32_000)]);
  // Written at 3.75 dollars per million tokens instead of read at 0.3.
  expect(losses(later)).toEqual([
    { cause: "within the cache's life", count: 1, tokens: 31_000, dollars: expect.closeTo(0.10695, 10) },
    {
      cause: "a pause longer than the cache lives",
      count: 1,
      tokens: 30_000,
      dollars: expect.closeTo(0.1035, 10),
    },
  ]);
  const next = makeSegment(asked(1, 0, 31_000));
  expect(losses(makeRecording(first, next))).toMatchObject([{ cause: "a compaction", count: 1 }]);
  expect(losses(makeRecording(first, { ...next, separate: true }))).toEqual([]);
});

test("the sample: parts, edits and requests agree with each other", async () => {
  const read = await readRecording(resolve("samples/discount-service.jsonl"));
  if (!read.ok) throw new Error(read.issue.message);
  // A fixed prefix: then requests are counted as parts are.
  const prefix = 8_000;
  const data = buildReportData(read.value, { prefixTokens: prefix });
  expect(data.edits.length).toBeGreaterThan(5);
  const sent = data.parts.filter(({ request }) => request !== undefined);
  const last = data.requests.at(-1);
  // An emptied input counts as the "—" that other texts would show there.
  const emptied = sent.filter(({ kind, edits }) => kind === "call" && edits.length > 0).length;
  const counted = sum(sent.map(({ shown }) => shown)) + prefix;
  expect(Math.abs(counted - (last?.pruned ?? 0))).toBeLessThanOrEqual(emptied);
  expect(sum(sent.map(({ tokens }) => tokens)) + prefix).toBe(last?.raw);
  const cutEdits = data.requests.flatMap(({ cut }) => cut?.edits ?? []);
  expect(cutEdits.toSorted((a, b) => a - b)).toEqual([...data.edits.keys()]);
  for (const [i, edit] of data.edits.entries())
    for (const part of edit.parts) expect(data.parts[part]?.edits).toContain(i);
  expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  expect(buildReportData(read.value, { prefixTokens: prefix })).toEqual(data);
});

test("text that had to stay only because reasoning is bound to it, as a share of all sent text", () => {
  const think = (i: number, content: readonly unknown[]) => ({
    role: "assistant",
    content: [{ type: "thinking", thinking: "hm", signature: `signed ${i}` }, ...content],
  });
  const messages = [
    { role: "user", content: "go" },
    ...Array.from({ length: 9 }, (_, i) => [
      think(i, [{ type: "tool_use", id: `c${i}`, name: "Bash", input: { command: `make ${i}` } }]),
      { role: "user", content: [{ type: "tool_result", tool_use_id: `c${i}`, content: page(`step ${i}`) }] },
    ]).flat(),
    think(9, [{ type: "text", text: "done" }]),
  ];
  const recording: Recording = {
    ...makeRecording([]),
    format: "anthropic-messages",
    segments: [{ messages, meta: messages.map(() => ({})), carried: 0 }],
  };
  const build = (reasoning: "signed" | "bound") =>
    buildReportData(recording, { config: { schedule: { mode: "eager", prices: { "*": { reasoning } } } } });
  expect(build("signed")).not.toHaveProperty("bound");
  const [free, bound] = [build("signed"), build("bound")];
  const sent = (data: ReportData) => sum(data.requests.map(({ pruned }) => pruned));
  // If nothing is bound, exactly that is cut.
  expect((bound.bound ?? 0) * sent(bound)).toBeCloseTo(sent(bound) - sent(free), -2);
  expect(bound.bound).toBeGreaterThan(0.05);
});

test("the largest context before a compaction is not used as the window", () => {
  const recording = { ...makeRecording([user("a"), answer("b")]), window: 90_000 };
  expect(buildReportData(recording).requests[0]?.window).toBe(90_000);
  const compacted = { ...recording, isCompactionPeak: true } as const;
  expect(buildReportData(compacted).requests[0]?.window).toBe(200_000);
});
