import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningProxy, startProxy } from "../../src/hosts/proxy/proxy.ts";
import { createPruner } from "../../src/pruner.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { openStore } from "../../src/stores/open-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { type PostgresServer, startPostgres } from "../stores/postgres-server.ts";
import { Agent } from "./agent.ts";
import { createRandom } from "./random.ts";

const MINUTE = 60_000;
const STEPS = 24;
/** Small, so that the window is sometimes full: then usage counts. */
const SETTINGS = {
  strategies: { pruneProtect: 1_000, pruneMinimum: 500, compactThreshold: 0.6 },
  window: 12_000,
} as const;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.dispose());

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** The shared time; it moves only when the test moves it. */
const now = { time: 1_790_000_000_000 };
/** The same pauses for all: some are longer than a cache lives. */
const PAUSES = Array.from({ length: STEPS }, (_, i) => (i % 7 === 6 ? 11 * MINUTE : 20_000));

async function makeProvider(): Promise<Provider> {
  const provider = await startProvider(
    () => ({ text: "I read on." }),
    () => now.time,
  );
  open.push(provider);
  return provider;
}

async function makeReplica(
  store: Store,
  provider: Provider,
  complaints: string[] = [],
): Promise<RunningProxy> {
  const proxy = await startProxy({
    store,
    settings: SETTINGS,
    upstreams: { anthropic: provider.url },
    clock: () => now.time,
    onIssue: (_, text) => complaints.push(text),
  });
  open.push({ close: () => store.close() }, proxy);
  return proxy;
}

async function openPostgres(url: string, complaints: string[] = []): Promise<Store> {
  return openStore({ kind: "postgres", url }, { report: ({ message }) => complaints.push(message) });
}

/** Continues a conversation, each step with the next of these replicas. */
async function goOn(
  agent: Agent,
  replicas: readonly RunningProxy[],
  steps: number,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  for (let i = 0; i < steps; i++) {
    await before();
    await agent.step(replicas[agent.steps % replicas.length]?.url ?? "");
    now.time += PAUSES[(agent.steps - 1) % STEPS] ?? 0;
  }
}

function newAgent(): Agent {
  now.time = 1_790_000_000_000;
  return new Agent("a", createRandom(7));
}

/** The requests of one proxy that is never ended. */
async function sendByOne(): Promise<readonly string[]> {
  const provider = await makeProvider();
  await goOn(newAgent(), [await makeReplica(memoryStore(), provider)], STEPS);
  return provider.received.map(({ raw }) => raw);
}

describe("replicas on one PostgreSQL", () => {
  test.each([2, 3])("%d in turn send the same as one", async (count) => {
    const expected = await sendByOne();
    // Otherwise nothing was cut, and nothing is shown.
    expect(expected.some((raw, i) => raw.length < (expected[i - 1]?.length ?? 0))).toBe(true);
    const url = await server.createSchema();
    const provider = await makeProvider();
    const replicas: RunningProxy[] = [];
    for (let i = 0; i < count; i++) replicas.push(await makeReplica(await openPostgres(url), provider));
    await goOn(newAgent(), replicas, STEPS);
    expect(provider.refused).toEqual([]);
    expect(provider.received.map(({ raw }) => raw)).toEqual(expected);
  });

  test("a replica whose record of an answer comes late", async () => {
    const expected = await sendByOne();
    const url = await server.createSchema();
    const provider = await makeProvider();
    const replicas: RunningProxy[] = [];
    const late: (() => Promise<void>)[] = [];
    for (let i = 0; i < 2; i++) {
      const store = await openPostgres(url);
      const slow: Store = {
        ...store,
        writeAnswer: async (key, answer) => void late.push(() => store.writeAnswer(key, answer)),
      };
      replicas.push(await makeReplica(slow, provider));
    }
    // Each answer's usage is in the journal only when the request after the next is made.
    const due: (() => Promise<void>)[] = [];
    await goOn(newAgent(), replicas, STEPS, async () => {
      for (const write of due.splice(0)) await write();
      due.push(...late.splice(0));
    });
    expect(provider.received.map(({ raw }) => raw)).toEqual(expected);
  });

  test("gone and back: agents continue, it is reported once, and the journal has everything from meanwhile", async () => {
    const expected = await sendByOne();
    const url = await server.createSchema();
    const provider = await makeProvider();
    const complaints: string[] = [];
    const first = await makeReplica(await openPostgres(url, complaints), provider);
    const agent = newAgent();
    await goOn(agent, [first], 8);
    await server.stop("SIGQUIT");
    await goOn(agent, [first], 2);
    // Requests that were open when it went may still have worked; then the next failure is reported once more.
    const atFirst = complaints.length;
    expect(atFirst).toBeGreaterThan(0);
    await goOn(agent, [first], 4);
    expect(complaints).toHaveLength(atFirst);
    await server.start();
    await goOn(agent, [first], 1);
    const second = await makeReplica(await openPostgres(url), provider);
    await goOn(agent, [second, first], STEPS - agent.steps);
    expect(provider.received.map(({ raw }) => raw)).toEqual(expected);
  });

  test("a replica that was started while it was gone sends the same as the others once it is back", async () => {
    const expected = await sendByOne();
    const url = await server.createSchema();
    const provider = await makeProvider();
    const agent = newAgent();
    await goOn(agent, [await makeReplica(await openPostgres(url), provider)], 12);
    await server.stop("SIGINT");
    const second = await makeReplica(
      await openStore({ kind: "postgres", url }, { report: () => {} }),
      provider,
    );
    await goOn(agent, [second], 2);
    await server.start();
    // It is tried again from time to time.
    const key = createPruner().open(agent.messages.slice(0, 1), { format: "anthropic-messages" }).missing[0];
    expect(key).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    await fetch(`${second.url}/v1/messages`, { method: "POST", body: "{}" });
    await expect
      .poll(async () => {
        const { body } = agent;
        await (await fetch(`${second.url}/v1/messages`, { method: "POST", body })).text();
        return provider.received.at(-1)?.raw === expected[agent.steps];
      })
      .toBe(true);
    await goOn(agent, [second], STEPS - agent.steps);
    expect(provider.received.at(-1)?.raw).toBe(expected.at(-1));
  });
});

test("a disk that fills up and is freed again: agents continue, and a restart sends the same", async () => {
  const expected = await sendByOne();
  const disk = mkdtempSync(join(tmpdir(), "coppice-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "coppice-disk", disk]);
  open.push({
    async close() {
      execFileSync("umount", ["--lazy", disk]);
      rmSync(disk, { recursive: true });
    },
  });
  const path = join(disk, "journal.db");
  const complaints: string[] = [];
  const start = async (to: Provider) =>
    makeReplica(
      await openStore({ kind: "sqlite", path }, { report: ({ message }) => complaints.push(message) }),
      to,
    );
  const provider = await makeProvider();
  const agent = newAgent();
  const proxy = await start(provider);
  await goOn(agent, [proxy], 4);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize));
  // The file has some free room of its own.
  const others = new Agent("b", createRandom(8));
  const time = now.time;
  for (let i = 0; i < 400 && complaints.length === 0; i++)
    await (
      await fetch(`${proxy.url}/v1/messages`, {
        method: "POST",
        body: others.body.replace("of b", `of ${i}`),
      })
    ).text();
  now.time = time;
  expect(complaints.join()).toMatch(/full|I\/O/);
  const seen = provider.received.length;
  await goOn(agent, [proxy], 8);
  expect(complaints).toHaveLength(1);
  expect(provider.received.slice(seen).map(({ raw }) => raw)).toEqual(expected.slice(4, 12));
  rmSync(join(disk, "filler"));
  await goOn(agent, [proxy], 1);
  const again = await start(provider);
  await goOn(agent, [again], STEPS - agent.steps);
  expect(provider.received.slice(-(STEPS - 13)).map(({ raw }) => raw)).toEqual(expected.slice(13));
});
