import { afterEach, describe, expect, test } from "vitest";
import { type RunningProxy, startProxy } from "../../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { softStore } from "../../../src/stores/soft-store.ts";
import type { Store } from "../../../src/stores/store.ts";
import { makeBody } from "./bodies.ts";
import { type Respond, respondWithEvents, startUpstream } from "./upstream.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(
  respond: Respond = respondWithEvents,
  store: Store & { readonly faults?: number } = memoryStore(),
): Promise<RunningProxy> {
  const upstream = await startUpstream(respond);
  const proxy = await startProxy({
    store,
    settings: { schedule: { mode: "eager" }, strategies: { pruneProtect: 500, pruneMinimum: 500 } },
    upstreams: { anthropic: upstream.url, openai: upstream.url },
    onIssue: () => {},
  });
  open.push(upstream, proxy);
  return proxy;
}

const ask = async (proxy: RunningProxy, headers: Record<string, string> = {}): Promise<string> => {
  const response = await fetch(`${proxy.url}/v1/messages`, { method: "POST", headers, body: makeBody() });
  return response.text();
};

/** `coppice_x{a="b"} 3` by its name and labels. */
async function read(proxy: RunningProxy): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${proxy.url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

describe("/metrics", () => {
  test("counts requests, tokens, money and cuts", async () => {
    const proxy = await start();
    await ask(proxy, { "x-claude-code-session-id": "s1" });
    await (await fetch(`${proxy.url}/v1/models`)).text();
    const figures = await read(proxy);
    const value = (name: string) => figures.get(`coppice_${name}`);
    expect(value('requests_total{client="claude-code",wire="anthropic-messages",status="200"}')).toBe(1);
    expect(value('tokens_total{what="sent"}')).toBeGreaterThan(0);
    expect(value('tokens_total{what="saved"}')).toBeGreaterThan(0);
    // Seven tokens of input at $3 for a million, and four of output at $15.
    expect(value('dollars_total{what="paid"}')).toBeCloseTo((7 * 3 + 4 * 15) / 1e6);
    expect(value('dollars_total{what="without"}')).toBeGreaterThan(0);
    expect(value('cuts_total{reason="eager"}')).toBe(1);
    expect(value('provider_tokens_total{kind="input"}')).toBe(7);
    expect(value('provider_tokens_total{kind="output"}')).toBe(4);
    expect(value("held_up_seconds_count")).toBe(1);
    expect(value("answers_in_flight")).toBe(0);
    expect(value("dashboard_listeners")).toBe(0);
    expect(value("sessions_in_memory")).toBe(1);
    expect(value("text_in_memory_characters")).toBe(makeBody().length);
    expect(value("passed_total")).toBe(1);
    expect(value("journal_faults_total")).toBe(0);
  });

  test("clients' names are arbitrary: if there are many, most count as one", async () => {
    const proxy = await start();
    for (let i = 0; i < 40; i++) await ask(proxy, { "user-agent": `evil-${i}` });
    const names = [...(await read(proxy)).keys()].filter((name) => name.startsWith("coppice_requests_total"));
    expect(names.length).toBe(21);
    expect(names.join()).toContain('client="other"');
  });

  test("an unusual status counts as its hundred, and no answer as none", async () => {
    const proxy = await start((_, outgoing) => void outgoing.writeHead(418).end());
    await ask(proxy, { "user-agent": "a" });
    const unreachable = await start();
    await open.at(-2)?.close();
    await ask(unreachable, { "user-agent": "a" });
    const name = (status: string) =>
      `coppice_requests_total{client="a",wire="anthropic-messages",status="${status}"}`;
    expect((await read(proxy)).get(name("4xx"))).toBe(1);
    const figures = await read(unreachable);
    expect(figures.get(name("none"))).toBe(1);
    expect(figures.get("coppice_answers_in_flight")).toBe(0);
  });

  test("an answer is in flight while it comes", async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const proxy = await start(async (_, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(": \n\n");
      await ended;
      outgoing.end();
    });
    const answer = ask(proxy);
    await expect.poll(async () => (await read(proxy)).get("coppice_answers_in_flight")).toBe(1);
    end();
    await answer;
    await expect.poll(async () => (await read(proxy)).get("coppice_answers_in_flight")).toBe(0);
  });

  test("two proxies in one process count separately", async () => {
    const [one, two] = [await start(), await start()];
    await ask(one, { "user-agent": "a" });
    expect((await read(two)).get("coppice_held_up_seconds_count")).toBe(0);
  });

  test("a store that fails is counted", async () => {
    const broken: Store = { ...memoryStore(), writeRequest: () => Promise.reject(new Error("disk full")) };
    const store = await softStore(async () => broken, { report: () => {} });
    const proxy = await start(respondWithEvents, store);
    expect((await read(proxy)).get("coppice_journal_faults_total")).toBe(0);
    await ask(proxy);
    await ask(proxy);
    expect((await read(proxy)).get("coppice_journal_faults_total")).toBeGreaterThanOrEqual(2);
  });
});
