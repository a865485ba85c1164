import { afterEach, describe, expect, test } from "vitest";
import { type Provider, startProvider } from "./provider.ts";

type Fields = Record<string, unknown>;

const MINUTE = 60_000;
const MARK = { cache_control: { type: "ephemeral" } };
const HOUR_MARK = { cache_control: { type: "ephemeral", ttl: "1h" } };
/** Some 2,000 tokens. */
const LONG = "One more word. ".repeat(500);

let provider: Provider | undefined;
let now = 0;
afterEach(() => provider?.close());

/** The cost of each of these requests, with this much time before it. */
async function bill(path: string, requests: readonly (readonly [body: object, after?: number])[]) {
  provider = await startProvider(
    () => ({ text: "Yes." }),
    () => now,
  );
  for (const [body, after = 0] of requests) {
    now += after;
    await fetch(`${provider.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  }
  expect(provider.refused).toEqual([]);
  return provider.billed.map(({ input, cacheRead, cacheWrite }) => ({ input, cacheRead, cacheWrite }));
}

function text(text: string, more: Fields = {}): Fields {
  return { type: "text", text, ...more };
}

function user(...content: readonly Fields[]): Fields {
  return { role: "user", content };
}

describe("Anthropic", () => {
  const path = "/v1/messages";
  const model = "claude-sonnet-4-5";
  const ask = (...messages: readonly Fields[]) => ({ model, system: [text(LONG, MARK)], messages });

  test("text after the last mark is plain input, text before it is written once and then read", async () => {
    const [first, second] = await bill(path, [[ask(user(text("Hi.")))], [ask(user(text("Hello there.")))]]);
    expect(first).toMatchObject({ cacheRead: 0, cacheWrite: expect.closeTo(2_000, -3) });
    expect(first?.input).toBeLessThan(20);
    expect(second).toMatchObject({ cacheRead: first?.cacheWrite, cacheWrite: 0 });
  });

  test("without a mark nothing is cached", async () => {
    const body = { model, system: LONG, messages: [user(text("Hi."))] };
    const [first, second] = await bill(path, [[body], [body]]);
    expect(first).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
    expect(second).toEqual(first);
  });

  test("tools come before the system text, and a mark there is one as well", async () => {
    const tool = { name: "read", description: LONG, input_schema: { type: "object" } };
    const body = (system: string) => ({
      ...{ model, system, messages: [user(text("Hi."))] },
      tools: [{ ...tool, ...MARK }],
    });
    const [first, second] = await bill(path, [[body("One.")], [body("Two.")]]);
    expect(second).toMatchObject({ cacheRead: first?.cacheWrite, cacheWrite: 0 });
  });

  test("a mark inside a tool's result, and one of the whole request, are at the end of that block", async () => {
    const call = { role: "assistant", content: [{ type: "tool_use", id: "c", name: "read", input: {} }] };
    const result = (more: Fields) =>
      user({ type: "tool_result", tool_use_id: "c", content: [text(LONG, more)] });
    const messages = [user(text("Read.")), call];
    const [first, second] = await bill(path, [
      [{ model, messages: [...messages, result(MARK)] }],
      [{ model, messages: [...messages, result({})], ...MARK }],
    ]);
    expect(first?.cacheWrite).toBeGreaterThan(1_024);
    expect(second).toEqual({ input: 0, cacheRead: first?.cacheWrite, cacheWrite: 0 });
  });

  test("fewer than 1,024 tokens are never cached", async () => {
    const body = { model, messages: [user(text(LONG.slice(0, 3_000), MARK))] };
    const [, second] = await bill(path, [[body], [body]]);
    expect(second).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
  });

  test.each([
    ["19 blocks before the mark", 19, true],
    ["20 blocks before the mark", 20, false],
  ])("an entry %s", async (_, added, isFound) => {
    const more = Array.from({ length: added }, (__, i) => text(`Block ${i}.`));
    const marked = more.with(-1, text("The last.", MARK));
    const [first, second] = await bill(path, [
      [{ model, messages: [user(text(LONG, MARK))] }],
      [{ model, messages: [user(text(LONG), ...marked)] }],
    ]);
    expect(second?.cacheRead).toBe(isFound ? first?.cacheWrite : 0);
  });

  test("a change before an entry: text before the change is read if an entry ends there", async () => {
    const [first, second] = await bill(path, [
      [ask(user(text(LONG)), user(text("The end.", MARK)))],
      [ask(user(text(`${LONG}!`)), user(text("The end.", MARK)))],
    ]);
    expect(first?.cacheWrite).toBeGreaterThan(3_000);
    expect(second?.cacheRead).toBeLessThan(2_500);
    expect(second?.cacheRead).toBeGreaterThan(1_024);
  });

  test.each([
    ["five minutes", MARK, 5 * MINUTE, true],
    ["a second more", MARK, 5 * MINUTE + 1_000, false],
    ["an hour, asked for", HOUR_MARK, 60 * MINUTE, true],
    ["a second more than an hour", HOUR_MARK, 60 * MINUTE + 1_000, false],
  ])("after %s", async (_, mark, after, isThere) => {
    const body = { model, system: [text(LONG, mark)], messages: [user(text("Hi."))] };
    const [, second] = await bill(path, [[body], [body, after]]);
    expect(second?.cacheRead === 0).toBe(!isThere);
  });

  test("a use keeps an entry alive", async () => {
    const body = ask(user(text("Hi.")));
    const [first, , third] = await bill(path, [[body], [body, 4 * MINUTE], [body, 4 * MINUTE]]);
    expect(third?.cacheRead).toBe(first?.cacheWrite);
  });

  test("each model has its own cache", async () => {
    const body = ask(user(text("Hi.")));
    const [, second] = await bill(path, [[body], [{ ...body, model: "claude-opus-4-5" }]]);
    expect(second?.cacheRead).toBe(0);
  });

  const thought = { type: "thinking", thinking: "Hm.", signature: "s", ...MARK };
  const answer = { role: "assistant", content: [thought, text("Yes.")] };
  test.each([
    ["five", ask(user(...["a", "b", "c", "d"].map((each) => text(each, MARK)))), "maximum of 4"],
    ["for an hour behind five minutes", ask(user(text("Hi.", HOUR_MARK))), "must not come after"],
    ["on thinking", ask(user(text("Hi.")), answer, user(text("Go on."))), "thinking blocks"],
    ["on an empty text", { ...ask(user(text("Hi."))), system: [text("", MARK)] }, "empty text"],
  ])("refuses marks: %s", async (_, body, said) => {
    provider = await startProvider(() => ({ text: "Yes." }));
    const request = { method: "POST", body: JSON.stringify(body) };
    expect((await fetch(`${provider.url}${path}`, request)).status).toBe(400);
    expect(provider.refused).toEqual([expect.stringContaining(said)]);
  });
});

describe.each([
  [
    "Chat Completions",
    "/v1/chat/completions",
    (words: string) => ({ model: "gpt-5.5", messages: [{ role: "user", content: words }] }),
    10 * MINUTE,
  ],
  ["Responses", "/v1/responses", (words: string) => ({ model: "gpt-5.5", input: words }), 10 * MINUTE],
  [
    "Gemini",
    "/v1beta/models/gemini-3-pro-preview:generateContent",
    (words: string) => ({ contents: [{ role: "user", parts: [{ text: words }] }] }),
    5 * MINUTE,
  ],
])("%s: all beginnings are cached", (_, path, body, life) => {
  test("in steps of 128 tokens", async () => {
    const [first, second] = await bill(path, [[body(LONG)], [body(`${LONG}And now?`)]]);
    expect(first).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
    expect(second?.cacheRead).toBe(Math.floor((first?.input ?? 0) / 128) * 128);
  });

  test("from 1,024 tokens on", async () => {
    const [, second] = await bill(path, [[body(LONG.slice(0, 3_600))], [body(LONG.slice(0, 3_600))]]);
    expect(second?.cacheRead).toBe(0);
  });

  test("for some minutes after the last use", async () => {
    const asked = body(LONG);
    const bills = await bill(path, [[asked], [asked, life], [asked, life + 1_000]]);
    expect(bills.map(({ cacheRead }) => cacheRead > 0)).toEqual([false, true, false]);
  });
});
