import { expect, test } from "vitest";
import { LiveSessions } from "../../../../src/hosts/proxy/live/live-sessions.ts";
import { bodyOf, FIGURES, Sender } from "./sender.ts";

const idOf = (id: string) => ({ headers: { "x-session-id": id } });

test("never more sessions, requests and text than the limits; the oldest are removed, and listeners are told", async () => {
  const sender = new Sender();
  const live = new LiveSessions({ ...FIGURES, mostSessions: 3 });
  const complaints: string[] = [];
  live.listen(({ id }) => complaints.push(id));
  for (const id of ["a", "b", "c", "a", "d"]) live.sent(await sender.send(bodyOf(1), idOf(id)));
  expect(live.list().map(({ id }) => id)).toEqual(["d", "a", "c"]);
  expect(complaints).toEqual(["a", "b", "c", "a", "d", "b"]);
  expect(live.find("b")).toBeUndefined();

  const few = new LiveSessions({ ...FIGURES, mostRequests: 5 });
  for (let i = 0; i < 4; i++)
    for (const id of ["a", "b", "c"]) few.sent(await sender.send(bodyOf(i + 1), idOf(id)));
  expect(few.list().flatMap(({ id }) => few.requestsOf(id)).length).toBeLessThanOrEqual(5);
  expect(few.count).toBeGreaterThan(0);

  const mostText = 2.5 * JSON.stringify(bodyOf(2)).length;
  const short = new LiveSessions({ ...FIGURES, mostText });
  for (const id of ["a", "b", "c"]) short.sent(await sender.send(bodyOf(2), idOf(id)));
  expect(short.list().map(({ isOpen }) => isOpen)).toEqual([true, true, false]);
  expect(short.textSize).toBeLessThanOrEqual(mostText);
  expect(short.open("a")).toBeUndefined();
  expect(short.requestsOf("a")).toHaveLength(1);
});

test("an answer finds its request, and an answer for a removed session does no harm", async () => {
  const sender = new Sender();
  const live = new LiveSessions({ ...FIGURES, mostSessions: 1 });
  const first = await sender.send(bodyOf(1), idOf("a"));
  live.sent(first);
  live.sent(await sender.send(bodyOf(1), idOf("b")));
  live.answered(first, sender.answer({ input: 10 }));
  live.failed(first);
  expect(live.list().map(({ id, underWay }) => [id, underWay])).toEqual([["b", 1]]);
});

test("a token count is not a request", async () => {
  const sender = new Sender();
  const live = new LiveSessions(FIGURES);
  live.sent(await sender.send(bodyOf(1), { path: "/v1/messages/count_tokens" }));
  expect(live.count).toBe(0);
});

test("ids, models and reasons of any length need little memory, and a folder is found once", async () => {
  const sender = new Sender();
  const live = new LiveSessions(FIGURES);
  const long = "x".repeat(50_000);
  const system = "Working directory: /home/ada/shop\n";
  const sent = await sender.send(bodyOf(3, { model: long, system }), idOf(long));
  live.sent(sent);
  const [session] = live.list();
  expect(session?.id.length).toBeLessThan(300);
  expect(session?.model?.length).toBeLessThan(300);
  expect(live.folderOf(long)).toBe("shop");
  expect(JSON.stringify(session).length).toBeLessThan(3_000);
});

test("no stored data contains a credential", async () => {
  const sender = new Sender();
  const live = new LiveSessions(FIGURES);
  live.sent(await sender.send(bodyOf(2)));
  const opened = live.open("s1");
  const kept = JSON.stringify([
    live.list(),
    live.requestsOf("s1"),
    opened?.state,
    [...(opened?.texts ?? [])],
  ]);
  expect(kept).toContain("f0.ts");
  expect(kept).not.toContain("sk-secret");
});
