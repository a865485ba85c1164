import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { LivePrefixes } from "../../../../src/hosts/proxy/live/live-prefixes.ts";
import type { SentRequest } from "../../../../src/hosts/proxy/watcher.ts";
import { bodyOf, questionOf, Sender, type Sending } from "./sender.ts";

const TOOLS = ["read_file", "bash", "exec"].map((name) => ({ name, input_schema: { type: "object" } }));

/** Prefixes with their token counts. */
function open(options: { readonly mostSessions?: number } = {}) {
  const counted: string[] = [];
  const failed: unknown[] = [];
  const prefixes = new LivePrefixes({
    ...options,
    count: (text) => counted.push(text) && text.length,
    fail: (_, error) => failed.push(error),
  });
  const sender = new Sender();
  const send = async (body: object, sending: Sending = {}): Promise<SentRequest> => {
    const sent = await sender.send(body, sending);
    prefixes.answered(sent, sender.answer({}));
    await setImmediate();
    return sent;
  };
  return { prefixes, counted, failed, send };
}

test("a prefix is analysed once: not again as the conversation grows, nor for another session with the same beginning", async () => {
  const { prefixes, counted, send } = open();
  await send(bodyOf(1, { tools: TOOLS }));
  const pieces = counted.length;
  expect(pieces).toBe(3);
  for (const steps of [2, 3, 4]) await send(bodyOf(steps, { tools: TOOLS }));
  await send(bodyOf(1, { tools: TOOLS }), { headers: { "x-session-id": "s2" } });
  expect(counted).toHaveLength(pieces);
  expect(prefixes.of("s2")?.tokens).toBe(prefixes.of("s1")?.tokens);
  await send(bodyOf(5, { tools: TOOLS.slice(1) }));
  expect(counted).toHaveLength(pieces + 2);
  expect(prefixes.of("s1")?.tools.map(({ name }) => name)).toEqual(["bash", "exec"]);
});

test("tools count as called by the history and by the answer", async () => {
  const { prefixes, send } = open();
  const called = () =>
    prefixes
      .of("s1")
      ?.tools.flatMap(({ name, isCalled }) => (isCalled ? [name] : []))
      .sort();
  await send(bodyOf(0, { tools: TOOLS }));
  expect(called()).toEqual([]);
  await send(bodyOf(1, { tools: TOOLS }));
  expect(called()).toEqual(["read_file"]);
  const sender = new Sender();
  const sent = await sender.send(bodyOf(2, { tools: TOOLS }), { headers: { "x-session-id": "s1" } });
  const { answer, ...rest } = sender.answer({});
  prefixes.answered(sent, { ...rest, answer: answer && { ...answer, calledTools: ["bash"] } });
  await setImmediate();
  expect(called()).toEqual(["bash", "read_file"]);
});

test("a client's own question does not replace it, and an error creates none", async () => {
  const { prefixes, send, failed } = open();
  const sender = new Sender();
  const sent = await sender.send(bodyOf(1), { headers: { "x-session-id": "s3" } });
  prefixes.answered(sent, sender.answer({}, 500));
  await setImmediate();
  expect(prefixes.of("s3")).toBeUndefined();
  await send(questionOf("A title?"));
  expect(prefixes.of("s1")).toMatchObject({ toolCount: 0 });
  await send(bodyOf(1));
  await send(questionOf("A title?", { system: "You name things." }));
  expect(prefixes.of("s1")).toMatchObject({ toolCount: 1, groups: [{ group: "built-in tools" }] });
  expect(failed).toEqual([]);
});

test("a limited number of sessions is kept, those used last", async () => {
  const { prefixes, send } = open({ mostSessions: 2 });
  for (const id of ["a", "b", "a", "c"]) await send(bodyOf(1), { headers: { "x-session-id": id } });
  expect(["a", "b", "c"].filter((id) => prefixes.of(id))).toEqual(["a", "c"]);
});
