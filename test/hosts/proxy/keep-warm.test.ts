import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { isSubscription } from "../../../src/hosts/proxy/keep-warm.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { makeBody } from "./bodies.ts";
import { EAGER, post, setStage } from "./stage.ts";
import type { Respond } from "./upstream.ts";

/** A cache that lasts half a second: a ping after 450 ms. */
const SHORT = {
  ...EAGER,
  schedule: { mode: "eager", prices: { "*": { ttl: 500, minimumPrefix: 0, write: 1.25, read: 0.1 } } },
} as const;
/** Long enough for every possible ping. */
const PAUSE = 1_500;

/** The proxy's time stands still unless a test moves it, so that no ping comes too late on a busy machine. */
let now = Date.UTC(2026, 10, 17);
const clock = () => now;

const answering =
  (cacheRead: number, more: object = {}): Respond =>
  (_, outgoing) => {
    const usage = { input_tokens: 1, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: 4_000 };
    const events = [
      { type: "message_start", message: { model: "claude-sonnet-4-5", usage } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", ...more } },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
    ];
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  };

describe("a conversation that pauses", () => {
  test("has its last request sent again, byte for byte, while that pays; the pings are counted", async () => {
    const store = memoryStore();
    const { upstream, proxy } = await setStage(answering(9_000), {
      keepWarm: true,
      settings: SHORT,
      store,
      clock,
    });
    await post(`${proxy.url}/v1/messages`, ["x-api-key", "sk-1", "x-session-id", "s"], makeBody());
    await vi.waitFor(() => expect(upstream.arrived).toHaveLength(3), { timeout: 10_000 });
    await wait(PAUSE);
    // A fifth of the rewrite is worth two pings at these prices.
    expect(upstream.arrived).toHaveLength(3);
    const [first, ...pings] = upstream.arrived;
    for (const ping of pings) {
      expect(ping.body).toEqual(first?.body);
      expect(ping.headers["x-api-key"]).toBe("sk-1");
    }
    const [row] = await store.listSessions();
    expect(row).toMatchObject({ requests: 1, pings: 2 });
  });

  test("continues as with a warm cache: text that was kept warm is not cut", async () => {
    const patient = {
      schedule: { ...SHORT.schedule, mode: "rent-or-buy" },
      strategies: EAGER.strategies,
    } as const;
    const bodies = async (keepWarm: boolean) => {
      const { upstream, proxy } = await setStage(answering(9_000), { keepWarm, settings: patient, clock });
      await post(`${proxy.url}/v1/messages`, [], makeBody(9));
      now += 400;
      if (keepWarm) await vi.waitFor(() => expect(upstream.arrived).toHaveLength(2), { timeout: 10_000 });
      now += 400;
      await post(`${proxy.url}/v1/messages`, [], makeBody(10));
      return upstream.arrived.at(-1)?.body.length ?? 0;
    };
    expect(await bodies(false)).toBeLessThan(await bodies(true));
  });

  test("gets at most one ping if it is not requested, not paid by the token, not useful or refused", async () => {
    type WarmRequest = readonly [Parameters<typeof setStage>[1], readonly string[], Respond];
    const cases: Readonly<Record<string, WarmRequest>> = {
      "it is not asked for": [{}, [], answering(9_000)],
      "a subscription pays": [
        { keepWarm: true },
        ["authorization", "Bearer sk-ant-oat01-x"],
        answering(9_000),
      ],
      "nothing comes from the cache": [{ keepWarm: true }, [], answering(0)],
      "the provider answers with an error": [
        { keepWarm: true },
        [],
        (_, outgoing) => void outgoing.writeHead(529).end(),
      ],
    };
    // All at the same time: they only wait.
    const arrived = await Promise.all(
      Object.entries(cases).map(async ([what, [options, headers, respond]]) => {
        const { upstream, proxy } = await setStage(respond, { settings: SHORT, clock, ...options });
        await post(`${proxy.url}/v1/messages`, headers, makeBody());
        await wait(PAUSE);
        return [what, upstream.arrived.length];
      }),
    );
    expect(Object.fromEntries(arrived)).toEqual({
      "it is not asked for": 1,
      "a subscription pays": 1,
      "nothing comes from the cache": 2,
      "the provider answers with an error": 1,
    });
  });

  test("if the client accepts packed answers, the cost of a ping is still read", async () => {
    const store = memoryStore();
    const respond: Respond = (request, outgoing) => {
      if (!request.headers["accept-encoding"]?.includes("gzip")) return answering(9_000)(request, outgoing);
      const usage = { input_tokens: 1, cache_read_input_tokens: 9_000 };
      const event = { type: "message_start", message: { model: "claude-sonnet-4-5", usage } };
      outgoing.writeHead(200, { "content-encoding": "gzip" });
      return void outgoing.end(gzipSync(`data: ${JSON.stringify(event)}\n\n`));
    };
    const { proxy } = await setStage(respond, { keepWarm: true, settings: SHORT, clock, store });
    await post(`${proxy.url}/v1/messages`, ["accept-encoding", "gzip"], makeBody());
    const before = (await store.listDays())[0]?.cost ?? 0;
    await vi.waitFor(async () => expect((await store.listDays())[0]?.pings).toBe(1), { timeout: 10_000 });
    expect((await store.listDays())[0]?.cost).toBeGreaterThan(before);
  });

  test("gets one with a subscription if that is set explicitly", async () => {
    const options = { settings: SHORT, clock, keepWarm: "with-subscriptions" } as const;
    const { upstream, proxy } = await setStage(answering(9_000), options);
    await post(`${proxy.url}/v1/messages`, ["chatgpt-account-id", "a"], makeBody());
    await post(`${proxy.url}/v1/messages`, ["authorization", "Bearer sk-ant-oat01-x"], makeBody(3));
    await vi.waitFor(() => expect(upstream.arrived.length).toBeGreaterThan(2), { timeout: 10_000 });
  });

  test("gets none after the proxy has ended", async () => {
    const { upstream, proxy } = await setStage(answering(9_000), { keepWarm: true, settings: SHORT, clock });
    await post(`${proxy.url}/v1/messages`, [], makeBody());
    await proxy.close();
    await wait(PAUSE);
    expect(upstream.arrived).toHaveLength(1);
  });
});

test.each<[readonly string[], boolean]>([
  [["X-Api-Key", "sk-ant-api03-x"], false],
  [["Authorization", "Bearer sk-proj-x"], false],
  [["Authorization", "Bearer sk-or-v1-x"], false],
  [["Authorization", "Bearer sk-ant-oat01-x"], true],
  [["Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."], true],
  [["authorization", "Bearer ya29.x"], true],
  [["authorization", "Bearer gho_x"], true],
  [["anthropic-beta", "oauth-2025-04-20,claude-code-20250219"], true],
  [["ChatGPT-Account-ID", "a"], true],
])("%s: a subscription? %s", (headers, expected) => {
  expect(isSubscription(headers)).toBe(expected);
});
