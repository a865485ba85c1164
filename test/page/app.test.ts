import fc from "fast-check";
import { expect, test } from "vitest";
import { clipText } from "../../src/page/app/clip-text.ts";
import * as format from "../../src/page/app/format.ts";
import { sayEdits } from "../../src/page/app/say-edits.ts";
import { makeMatcher, splitMatches } from "../../src/page/app/search.ts";
import { countMechanisms, type Filter, selectParts } from "../../src/page/app/select-parts.ts";
import type { EditData, PartData, ReportData } from "../../src/page/data.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import { answer, makeRecording, user } from "../replay/make-recording.ts";

const base = buildReportData(makeRecording([user("a"), answer("b")]));

function part(text: string, over: Partial<PartData> = {}): PartData {
  const leaves = [{ name: "text", pieces: [{ text }] }];
  return {
    segment: 0,
    kind: "text",
    role: "user",
    title: "",
    tokens: 1,
    shown: 1,
    leaves,
    edits: [],
    ...over,
  };
}

function edit(over: Partial<EditData> = {}): EditData {
  return {
    ref: "a1b2c3",
    type: "replace",
    mechanism: "file",
    reason: "why",
    request: 0,
    saved: 5,
    parts: [],
    ...over,
  };
}

const data: ReportData = {
  ...base,
  parts: [
    part("alpha [x]"),
    part("", {
      leaves: [{ name: "output", pieces: [{ text: "Beta", cut: { edit: 0, instead: "gone" } }] }],
      edits: [0],
      title: "read a.ts",
    }),
    part("gamma", { edits: [1] }),
    part("delta", { edits: [0, 1] }),
  ],
  edits: [edit(), edit({ mechanism: "hash", ref: "ffffff", reason: "the same again", saved: 7 })],
};

test.each<[string, Filter, readonly number[]]>([
  ["no filter", { show: "everything", query: "" }, [0, 1, 2, 3]],
  ["blanks are no query", { show: "everything", query: "  " }, [0, 1, 2, 3]],
  ["only what was edited", { show: "edits", query: "" }, [1, 2, 3]],
  ["one mechanism", { show: "file", query: "" }, [1, 3]],
  ["text in any case", { show: "everything", query: "ALPHA" }, [0]],
  ["a cut original", { show: "everything", query: "beta" }, [1]],
  ["what stands in its place", { show: "everything", query: "gone" }, [1]],
  ["a title", { show: "everything", query: "a.ts" }, [1]],
  ["a ref", { show: "everything", query: "ffffff" }, [2, 3]],
  ["a reason", { show: "hash", query: "same again" }, [2, 3]],
  ["signs mean themselves", { show: "everything", query: "[x]" }, [0]],
  ["both must hold", { show: "file", query: "gamma" }, []],
])("selectParts: %s", (_, filter, expected) => {
  expect(selectParts(data, filter)).toEqual(expected);
});

test("countMechanisms counts active edits, in the order of statistics", () => {
  const undone = edit({ undone: { request: 1, reason: "" } });
  expect(countMechanisms([...data.edits, edit({ saved: 1 }), undone])).toEqual([
    { mechanism: "hash", edits: 1, saved: 7 },
    { mechanism: "file", edits: 2, saved: 6 },
  ]);
  expect(countMechanisms([])).toEqual([]);
});

test.each([
  ["aXbxc", "x", ["a", "X", "b", "x", "c"]],
  ["xx", "x", ["x", "x"]],
  ["abc", "z", ["abc"]],
  ["İx", "x", ["İ", "x"]],
])("splitMatches(%j, %j)", (text, query, expected) => {
  expect(splitMatches(text, makeMatcher(query)).map((stretch) => stretch.text)).toEqual(expected);
});

test("a clipped text is a stretch of the text, at most ten lines long, and contains the first match", () => {
  const texts = fc
    .array(fc.oneof(fc.constant("\n"), fc.constant("needle"), fc.string({ maxLength: 300 })), {
      maxLength: 40,
    })
    .map((pieces) => pieces.join(" "));
  fc.assert(
    fc.property(texts, fc.constantFrom("", "needle", "a"), (text, query) => {
      const matcher = makeMatcher(query);
      const clipped = clipText(text, matcher);
      expect(clipped.before + clipped.text.length + clipped.after).toBe(text.length);
      expect(text.slice(clipped.before, clipped.before + clipped.text.length)).toBe(clipped.text);
      expect(clipped.text.length).toBeLessThanOrEqual(900);
      expect(clipped.text.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
      if (matcher && text.search(matcher) >= 0)
        expect(clipped.text.search(matcher)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("short texts are not clipped", () => {
  expect(clipText("one\ntwo\n")).toEqual({ before: 0, text: "one\ntwo\n", after: 0 });
  expect(clipText("x\n".repeat(11))).toEqual({ before: 0, text: "x\n".repeat(10).trimEnd(), after: 3 });
});

test.each([
  [format.formatPercent(1), "100%"],
  [format.formatPercent(0.99999), "99.9%"],
  [format.formatPercent(0.889), "88.9%"],
  [format.formatChange(100, 58.8), "−41.2%"],
  [format.formatChange(100, 103), "+3.0%"],
  [format.formatChange(100, 100), "±0%"],
  [format.formatChange(0, 5), "±0%"],
  [format.formatSaved(12_345), "−12,345"],
  [format.formatSaved(-5), "+5"],
  [format.formatDollars(0.0123), "$0.0123"],
  [format.formatDollars(1_234.5), "$1,234.50"],
  [format.formatDollars(0.0123, 5), "$0.01"],
  [format.formatCents(1_234.5, false), "$1,234.50"],
  [format.formatCents(0.42, true), "≈ $0.42"],
  [format.formatCents(0.001, true), "< $0.01"],
  [format.formatCents(0, false), "$0.00"],
  [format.formatCents(-0.02, false), "−$0.02"],
  [format.formatTime(Date.UTC(2026, 0, 20, 9, 14, 7)), "2026-01-20 09:14 UTC"],
  [format.formatDay(Date.UTC(2026, 0, 20, 23, 59)), "Tue 20 Jan 2026"],
  [
    format.formatSpan(Date.UTC(2026, 0, 20, 9, 14), Date.UTC(2026, 0, 20, 12, 26)),
    "Tue 20 Jan 2026, 09:14 to 12:26 UTC (3 h 12 min)",
  ],
  [
    format.formatSpan(Date.UTC(2026, 0, 20, 23), Date.UTC(2026, 0, 21, 1)),
    "Tue 20 Jan 2026, 23:00 to Wed 21 Jan 2026, 01:00 UTC (2 h 0 min)",
  ],
  [format.formatSpan(0, 0), "Thu 1 Jan 1970, 00:00 UTC"],
  [format.formatDuration(48_000 / 2), "24 s"],
  [format.formatDuration(40 * 60_000), "40 min"],
  [format.formatDuration(192 * 60_000), "3 h 12 min"],
])("%s", (shown, expected) => {
  expect(shown).toBe(expected);
});

test("the total of all cuts and the reduction of the last request are two separate figures", () => {
  const request = { ...(base.requests[0] ?? expect.fail("no request")), raw: 40_000, pruned: 11_162 };
  const cut = { ...data, requests: [request], edits: [edit({ saved: 100_000 }), edit({ saved: 19_316 })] };
  expect(sayEdits(cut)).toBe(
    "2 edits took out 119,316 tokens in all, by Coppice's estimate. The last request is 28,838 tokens smaller.",
  );
  const segments = [{ continues: false }, { continues: true }];
  const compacted = { ...cut, session: { ...data.session, segments } };
  expect(sayEdits(compacted)).toContain("28,838 tokens smaller, by cuts since the last compaction.");
  expect(sayEdits({ ...cut, requests: [{ ...request, pruned: 40_000 }] })).toContain(
    "The last request is not smaller.",
  );
  expect(sayEdits({ ...cut, edits: [] })).toBe("No cut would have paid for itself.");
});
