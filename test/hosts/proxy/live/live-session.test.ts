import { describe, expect, test } from "vitest";
import {
  describeLive,
  listTrend,
  noteAnswered,
  noteFailed,
  noteSent,
  openSession,
  type SessionState,
} from "../../../../src/hosts/proxy/live/live-session.ts";
import type { SentRequest, WatchedAnswer } from "../../../../src/hosts/proxy/watcher.ts";
import { bodyOf, FIGURES, questionOf, Sender, type Sending } from "./sender.ts";

const open = (sent: SentRequest): SessionState => openSession(sent.session, sent, undefined);
const note = (session: SessionState, sent: SentRequest): SessionState => noteSent(session, sent, FIGURES);
const answer = (session: SessionState, sent: SentRequest, answered: WatchedAnswer): SessionState =>
  noteAnswered(session, sent, answered);

/** Sends all of them and answers each. */
async function play(sender: Sender, bodies: readonly object[], sending?: Sending): Promise<SessionState> {
  let session: SessionState | undefined;
  for (const body of bodies) {
    const sent = await sender.send(body, sending);
    session = answer(note(session ?? open(sent), sent), sent, sender.answer({ input: 100 }));
  }
  if (!session) throw new Error("nothing was sent");
  return session;
}

describe("a session's figures", () => {
  test("grow with its requests, and a cut has its time, reason and subject", async () => {
    const session = await play(new Sender(), [bodyOf(2), bodyOf(4), bodyOf(8)]);
    const live = describeLive(session, true);
    expect(live).toMatchObject({ requests: 3, segments: 1, underWay: 0, questions: 0, isOpen: true });
    expect(live.model).toBe("claude-sonnet-4-5");
    expect(live.pruned).toBeLessThan(live.raw);
    expect(session.requests.map(({ shown }) => shown.number)).toEqual([1, 2, 3]);
    const [, second] = session.requests;
    expect(second?.shown.cut).toMatchObject({ reason: "eager", edits: 1, saved: expect.any(Number) });
    expect(second?.shown.cut?.largest[0]).toMatchObject({ what: "read_file f0.ts", mechanism: "file" });
    expect(live.cuts).toBe(2);
    expect(listTrend(session).at(-1)).toEqual([live.raw, live.pruned]);
  });

  test("count money only when there is an answer", async () => {
    const sender = new Sender();
    const sent = await sender.send(bodyOf(3));
    const waiting = note(open(sent), sent);
    expect(describeLive(waiting, true)).toMatchObject({ underWay: 1 });
    expect(waiting.dollars).toBeUndefined();
    const refused = answer(waiting, sent, sender.answer(undefined, 429));
    expect(refused.dollars).toBeUndefined();
    expect(refused.requests[0]?.shown).toMatchObject({ state: "failed", status: 429 });
    expect(describeLive(noteFailed(waiting, sent.serial), true)).toMatchObject({ underWay: 0, requests: 1 });
    const answered = answer(waiting, sent, sender.answer({ input: 100_000, cacheRead: 50_000 }));
    expect(answered.dollars?.without).toBeGreaterThan(0);
    // $3 per million, a tenth of it for reads from the cache, and five tokens of output.
    expect(answered.dollars?.with).toBeCloseTo(0.315, 3);
  });

  test("distinguish hits from misses by the expected cache content", async () => {
    const sender = new Sender();
    let session: SessionState | undefined;
    for (const [steps, usage] of [
      [10, { input: 10, cacheWrite: 9_000 }],
      [11, { input: 10, cacheRead: 9_000, cacheWrite: 900 }],
      [12, { input: 10_000 }],
    ] as const) {
      const sent = await sender.send(bodyOf(steps, {}), { isHeldOut: true });
      session = answer(note(session ?? open(sent), sent), sent, sender.answer(usage));
    }
    expect(session?.requests.map(({ shown }) => shown.cache)).toEqual(["new", "hit", "miss"]);
    expect(session).toMatchObject({ hits: 1, misses: 1 });
  });

  test("a held-out session shows no cuts, and its cost without pruning", async () => {
    const session = await play(new Sender(), [bodyOf(2), bodyOf(8)], { isHeldOut: true });
    expect(session.cuts).toBe(0);
    for (const { shown } of session.requests) expect(shown.pruned).toBe(shown.raw);
    expect(session.dollars?.with).toBe(session.dollars?.without);
  });
});

describe("conversations of a session", () => {
  test("a question without tools is counted and not drawn", async () => {
    const sender = new Sender();
    const session = await play(sender, [
      questionOf("A title?"),
      bodyOf(2),
      questionOf("Summary?"),
      bodyOf(3),
    ]);
    expect(describeLive(session, true)).toMatchObject({
      requests: 2,
      questions: 2,
      segments: 1,
      model: "claude-sonnet-4-5",
    });
    expect(listTrend(session)).toHaveLength(2);
  });

  test("so is one about the conversation itself: its messages and a prompt, without tools", async () => {
    const { messages } = bodyOf(3);
    const asked = questionOf("", { messages: [...messages, { role: "user", content: "Summarise." }] });
    const session = await play(new Sender(), [bodyOf(2), bodyOf(3), asked]);
    expect(describeLive(session, true)).toMatchObject({ requests: 2, questions: 1, segments: 1 });
  });

  test("people who chat have no tools, and are shown from their second request on", async () => {
    const say = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: `word ${i}` }));
    const bodies = [1, 3, 5].map((n) => questionOf("", { messages: say(n) }));
    const session = await play(new Sender(), bodies);
    expect(describeLive(session, true)).toMatchObject({ requests: 2, questions: 1, segments: 1 });
  });

  test("a repeated request for a title is not a chat", async () => {
    const session = await play(new Sender(), [questionOf("A title?"), questionOf("A title?")]);
    expect(describeLive(session, true)).toMatchObject({ requests: 0, questions: 2, segments: 0 });
  });

  test("a client's compaction starts another segment, and an older conversation continues in its own", async () => {
    const summary = { messages: [{ role: "user", content: "Summary: all is well. Go on." }] };
    const session = await play(new Sender(), [bodyOf(2), bodyOf(0, summary), bodyOf(3)]);
    expect(session.requests.map(({ shown }) => shown.segment)).toEqual([0, 1, 0]);
    expect(describeLive(session, true).segments).toBe(2);
  });

  test("a subagent knows who started it", async () => {
    const headers = { "x-claude-code-session-id": "main", "x-claude-code-agent-id": "a1" };
    const session = await play(new Sender(), [bodyOf(1)], { headers, client: "claude-code" });
    expect(session).toMatchObject({ id: "main/a1", parent: "main", client: "claude-code" });
  });
});
