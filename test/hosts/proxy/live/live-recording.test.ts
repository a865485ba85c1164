import { expect, test } from "vitest";
import { findTerms, recordLive } from "../../../../src/hosts/proxy/live/live-recording.ts";
import { LiveSessions } from "../../../../src/hosts/proxy/live/live-sessions.ts";
import { buildReportData } from "../../../../src/page/report-data.ts";
import type { Recording } from "../../../../src/recordings/recording.ts";
import { bodyOf, FIGURES, Sender } from "./sender.ts";

const CONFIG = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 500, pruneMinimum: 500 },
} as const;

async function play(
  bodies: readonly object[],
): Promise<{ live: LiveSessions; recording: Recording; terms: ReturnType<typeof findTerms> }> {
  const sender = new Sender();
  const live = new LiveSessions(FIGURES);
  for (const body of bodies) {
    const sent = await sender.send(body);
    live.sent(sent);
    live.answered(sent, sender.answer({ input: 100, cacheRead: 500 }));
  }
  const opened = live.open("s1");
  if (!opened) throw new Error("not in memory");
  return { live, recording: recordLive(opened), terms: findTerms(opened.state, CONFIG) };
}

test("the report of a live session shows its requests with and without pruning, and its cuts", async () => {
  const bodies = Array.from({ length: 9 }, (_, i) => bodyOf(i));
  const { live, recording, terms } = await play(bodies);
  const data = buildReportData(recording, terms);
  const shown = live.requestsOf("s1");
  expect(shown.some(({ cut }) => cut)).toBe(true);
  expect(data.requests.map(({ raw, pruned, time, cut }) => [raw, pruned, time, cut?.edits.length])).toEqual(
    shown.map(({ raw, pruned, time, cut }) => [raw, pruned, time, cut?.edits]),
  );
  expect(data.session).toMatchObject({ id: "s1", models: ["claude-sonnet-4-5"] });
  expect(data.session.segments).toHaveLength(1);
  expect(data.bill.dollars).toBeDefined();
});

test("a compaction is one in the report too", async () => {
  const summary = [
    { role: "user", content: "Summary." },
    { role: "assistant", content: "Yes." },
    { role: "user", content: "Go on." },
  ];
  const { recording, terms } = await play([bodyOf(0), bodyOf(1), bodyOf(0, { messages: summary })]);
  const data = buildReportData(recording, terms);
  expect(data.requests.map(({ segment }) => segment)).toEqual([0, 0, 1]);
  expect(data.session.segments.map(({ continues }) => continues)).toEqual([false, true]);
});

test("a second conversation next to one that continues, such as a subagent's, is not a compaction", async () => {
  const subagent = [{ role: "user", content: "Look for the tests." }];
  const { recording } = await play([bodyOf(0), bodyOf(1), bodyOf(0, { messages: subagent }), bodyOf(2)]);
  expect(buildReportData(recording).session.segments).toMatchObject([
    { continues: false },
    { continues: false, prompt: "Look for the tests." },
  ]);
});

test("if the client went back, abandoned requests are not in the report", async () => {
  const { messages } = bodyOf(2);
  const other = [
    ...messages.slice(0, -1),
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "other" }] },
  ];
  const { recording, terms } = await play([
    bodyOf(0),
    bodyOf(1),
    bodyOf(2),
    bodyOf(3),
    bodyOf(0, { messages: other }),
  ]);
  const [segment] = recording.segments;
  expect(segment?.meta).toHaveLength(segment?.messages.length ?? 0);
  expect(buildReportData(recording, terms).requests).toHaveLength(3);
});

test("a conversation that began before the proxy has a price for all of it", async () => {
  const { recording, terms } = await play([bodyOf(5), bodyOf(6)]);
  const data = buildReportData(recording, terms);
  expect(data.requests).toHaveLength(7);
  expect(data.requests.every(({ dollars }) => dollars)).toBe(true);
});

test("a client that asks for a cache of an hour has one in the report", async () => {
  const marked = (steps: number) =>
    bodyOf(steps, { system: [{ type: "text", text: "s", cache_control: { type: "ephemeral", ttl: "1h" } }] });
  const { terms } = await play([marked(0), marked(1)]);
  expect(terms.config?.schedule?.prices).toEqual({ "claude-sonnet-4-5": { ttl: 3_600_000, write: 2 } });
  expect((await play([bodyOf(0)])).terms.config?.schedule?.prices).toEqual({});
});
