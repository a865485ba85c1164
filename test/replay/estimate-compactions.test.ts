import { expect, test } from "vitest";
import { buildReportData } from "../../src/page/report-data.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { mustRead } from "../recordings/parse.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const MODEL = "claude-sonnet-4-5";
const SUMMARY = "We looked at the parser and found the bug in line 12. ".repeat(100);
const USAGE = {
  input_tokens: 0,
  cache_read_input_tokens: 90_000,
  cache_creation_input_tokens: 10_000,
  output_tokens: 100,
};

/** Two requests of Claude Code, a compaction some minutes later, and two more. */
function compacted(pause: number): string {
  let uuid = 0;
  let time = START;
  const line = (type: string, more: object) => {
    const parentUuid = uuid === 0 ? null : `u${uuid}`;
    const timestamp = new Date(time).toISOString();
    return { type, uuid: `u${++uuid}`, parentUuid, sessionId: "s1", timestamp, ...more };
  };
  const ask = (content: string, more: object = {}) =>
    line("user", { message: { role: "user", content }, ...more });
  const reply = (id: string) =>
    line("assistant", {
      message: {
        id,
        role: "assistant",
        model: MODEL,
        content: [{ type: "text", text: "Done." }],
        usage: USAGE,
      },
    });
  const before = [ask("Fix the parser."), reply("a1"), ask("And the lexer."), reply("a2")];
  time += pause * MINUTE;
  const summary = [
    line("system", { subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 100_000 } }),
    ask(SUMMARY, { isCompactSummary: true }),
  ];
  const after = [ask("Go on."), reply("b1"), ask("And on."), reply("b2")];
  return [...before, ...summary, ...after].map((each) => `${JSON.stringify(each)}\n`).join("");
}

const open = (text: string) => {
  const recording = mustRead(parseRecording(text));
  return { recording, book: prepareReplay(recording).book };
};

test("a compaction without usage is in the bill, and all of its money is marked as an estimate", () => {
  const { recording, book } = open(compacted(1));
  const [entry, ...more] = book.entries.filter(({ kind }) => kind === "compaction");
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ model: MODEL, estimated: { input: true, output: true } });
  expect(entry?.tokens.output).toBeGreaterThan(1_000);
  // It contains the text of the previous request, read from the cache at a tenth of the price.
  expect(entry?.tokens.cacheRead).toBeGreaterThan(90_000);
  expect(book.paid.estimated).toBeCloseTo((entry?.input ?? 0) + (entry?.output ?? 0), 10);
  expect(buildReportData(recording).bill.dollars?.estimated).toBeCloseTo(book.paid.estimated, 10);
});

test("after a long pause the cache is cold for it too", () => {
  const [warm, cold] = [1, 30].map(
    (pause) => open(compacted(pause)).book.entries.find(({ kind }) => kind === "compaction")?.input ?? 0,
  );
  expect(cold).toBeGreaterThan(10 * (warm ?? 0));
});

test("recorded data of a compaction is used, and is not an estimate", () => {
  const { recording } = open(compacted(1));
  const usage = { input: 0, cacheRead: 50_000, cacheWrite: 0, output: 500 };
  const asides = [{ kind: "compaction" as const, model: MODEL, time: START + 30_000, usage }];
  const { book } = { book: prepareReplay({ ...recording, asides }).book };
  expect(book.entries.filter(({ kind }) => kind === "compaction")).toHaveLength(1);
  expect(book.paid.estimated).toBe(0);
});

test("OpenCode: the summary comes after the compaction prompt", () => {
  const info = (id: string, created: number, more: object) => ({
    id,
    sessionID: "s",
    time: { created, completed: created },
    ...more,
  });
  const text = (content: string) => [{ id: `p${content.length}`, type: "text", text: content }];
  const answer = (id: string, created: number, tokens: object | undefined, more: object = {}) =>
    info(id, created, {
      role: "assistant",
      modelID: MODEL,
      finish: "stop",
      ...(tokens && { tokens }),
      ...more,
    });
  const tokens = { input: 10_000, output: 100, reasoning: 0, cache: { read: 0, write: 0 } };
  const session = (paid: object | undefined) =>
    JSON.stringify({
      info: { id: "s", projectID: "p" },
      messages: [
        { info: info("m1", 1, { role: "user" }), parts: text("Fix it.") },
        { info: answer("m2", 2, tokens), parts: text("Done.") },
        { info: info("m3", 3, { role: "user" }), parts: [{ id: "c", type: "compaction", auto: true }] },
        { info: answer("m4", 4, paid, { summary: true, parentID: "m3" }), parts: text(SUMMARY) },
        { info: info("m5", 5, { role: "user" }), parts: text("Go on.") },
        { info: answer("m6", 6, tokens), parts: text("Done again.") },
      ],
    });
  const unpaid = open(session(undefined)).book;
  const [entry, ...more] = unpaid.entries.filter(({ kind }) => kind === "compaction");
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ estimated: { input: true, output: true } });
  expect(entry?.tokens.output).toBeGreaterThan(1_000);
  const paid = open(session(tokens)).book;
  expect(paid.entries.filter(({ kind }) => kind === "compaction")).toHaveLength(1);
  expect(paid.paid.estimated).toBe(0);
});
