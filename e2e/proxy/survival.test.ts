import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { ask as askPostgres, type PostgresServer, startPostgres } from "../stores/postgres-server.ts";
import { Agent, ask, type Trials } from "./agent.ts";
import { findPort, type Kept, type Programs, preparePrograms, untilServed } from "./processes.ts";
import { createRandom } from "./random.ts";

const KILLS = Number(process.env.KILLS ?? 40);
const SEED = Number(process.env.SEED ?? 20_261_117);
const AGENTS = 4;
/** After this many kills there is a pause for checks; then new conversations begin. */
const KILLS_AT_A_TIME = 20;
/** For each conversation, before anything is killed. */
const STEPS_IN_PEACE = 6;
/** The longest time that all is well, in milliseconds. */
const LONGEST_LIFE = 500;
/** A second is ten minutes: pauses of half a second let a cache expire. */
const SPEED = 600;

let programs: Programs;
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  programs = await preparePrograms();
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), "coppice-survival-"));
});
afterAll(async () => {
  programs?.dispose();
  await server?.dispose();
  rmSync(folder, { recursive: true });
});

interface Arrived {
  readonly id: string;
  readonly hash: string;
  readonly bytes: number;
  readonly refusal?: string;
}

test(
  `${KILLS} kills of proxy, store and provider in the middle of streams: agents continue, and nothing is lost`,
  async () => {
    console.log(`seed ${SEED}`);
    const random = createRandom(SEED);
    const log = join(folder, "arrived");
    const store = await server.createSchema();
    const [providerPort, proxyPort] = [await findPort(), await findPort()];
    const url = `http://127.0.0.1:${proxyPort}`;
    const provider = programs.keep("provider-main", providerPort, log);
    const upstream = `http://127.0.0.1:${providerPort}`;
    const proxy = programs.keep("proxy-main", proxyPort, store, upstream, SPEED);
    const killed = { proxy: 0, provider: 0, store: 0 };
    let killedAt = 0;
    const down: [number, number][] = [];
    const figures = {
      conversations: 0,
      steps: 0,
      requests: 0,
      refused: 0,
      cut: 0,
      rows: 0,
      lost: 0,
      shortened: 0,
    };
    const cold = new ColdProxies(store, upstream);
    try {
      await untilServed(url);
      for (let round = 0; round * KILLS_AT_A_TIME < KILLS; round++) {
        const agents = Array.from(
          { length: AGENTS },
          (_, i) => new Agent(`r${round}a${i}`, createRandom(SEED + i)),
        );
        let isOver = false;
        const live = async (agent: Agent) => {
          while (!isOver) {
            await agent.step(url, () => killedAt);
            if (random() < 0.15) await wait(300 + random() * 400);
          }
        };
        const lives = Promise.all(agents.map(live));
        const orFail = <T>(work: Promise<T>) => Promise.race([work, lives.then(() => work)]);
        while (agents.some(({ steps }) => steps < STEPS_IN_PEACE)) await orFail(wait(20));
        for (let i = 0; i < KILLS_AT_A_TIME; ) {
          // Most are killed at work, when somebody was answered since; some while they start.
          if (random() < 0.65) {
            await orFail(Promise.all([untilServed(url), untilServed(upstream)]));
            while (!agents.some(({ times }) => (times.at(-1)?.[1] ?? 0) > killedAt)) await orFail(wait(20));
          }
          await wait(random() * LONGEST_LIFE);
          const what = random();
          if (what < 0.5) i += kill("proxy", proxy);
          else if (what < 0.75) i += kill("provider", provider);
          else i += await killBackend();
        }
        isOver = true;
        await lives;
        await Promise.all([untilServed(url), untilServed(upstream), untilStored()]);
        for (const agent of agents) await look(agent);
        figures.conversations += agents.length;
      }
      console.log({ killed, ...figures });
      expect(killed.proxy + killed.provider + killed.store).toBeGreaterThanOrEqual(KILLS);
      expect(Math.min(killed.proxy, killed.provider, killed.store)).toBeGreaterThan(0);
      expect(figures.cut).toBeGreaterThan(0);
      // Otherwise nothing was shown about cuts.
      expect(figures.shortened).toBeGreaterThan(0);
      expect(readArrived().filter(({ refusal }) => refusal !== undefined)).toEqual([]);
      for (const { errors } of [provider, proxy]) expect(errors()).not.toMatch(/ended with|Error:|TypeError/);
    } catch (error) {
      console.log({ killed, ...figures }, provider.errors().slice(-2_000), proxy.errors().slice(-5_000));
      throw error;
    } finally {
      await Promise.all([provider.end(), proxy.end(), cold.end()]);
    }

    function kill(name: "proxy" | "provider", kept: Kept): number {
      killed[name]++;
      killedAt = Date.now();
      kept.kill();
      return 1;
    }

    /** One of the processes that serve the proxy; PostgreSQL ends all of them then, and recovers. */
    async function killBackend(): Promise<number> {
      const others = await askPostgres(
        store,
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      ).catch(() => []);
      const pid = Number(others[Math.floor(random() * others.length)]?.pid);
      if (!(pid > 1)) return 0;
      const from = Date.now();
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It was already gone.
        return 0;
      }
      killed.store++;
      killedAt = Date.now();
      // Again as long as the proxy leaves alone a store that it could not open.
      void untilStored().then(() => down.push([from, Date.now() + 5_000]));
      return 1;
    }

    async function untilStored(): Promise<void> {
      while (!(await askPostgres(store, "SELECT 1").catch(() => undefined))) await wait(20);
    }

    /** The journal has a row of every request, and the next request equals that of a new proxy. */
    async function look(agent: Agent): Promise<void> {
      const trials: Trials = { requests: 0, refused: 0, cut: 0 };
      const next = agent.body;
      const ids = ["live", "cold", "again"].map((kind) => `${agent.name}-${agent.steps}${kind}`);
      const addresses = [url, await cold.start(), url];
      for (const [i, id] of ids.entries()) expect(await ask(addresses[i] ?? "", next, id, trials)).toBe(true);
      const arrived = readArrived();
      const [live, fresh, again] = ids.map((id) => arrived.find((each) => each.id === id));
      expect(fresh?.hash, `${agent.name}: what a cold proxy sends`).toBe(live?.hash);
      expect(again?.hash).toBe(live?.hash);
      if ((live?.bytes ?? 0) < Buffer.byteLength(next)) figures.shortened++;
      const { missing } = createPruner().open(agent.messages, { format: "anthropic-messages" });
      expect(missing.length).toBe(agent.steps + 1);
      const found = await askPostgres(
        store,
        `SELECT key FROM coppice_boundaries WHERE key IN (${missing.map((key) => `'${key}'`).join()})`,
      );
      // A proxy that is killed while the store is down loses its pending writes.
      const rows = new Set(found.map(({ key }) => key));
      const lost = agent.times.filter((_, i) => !rows.has(missing[i]));
      const isExcused = ([from, to]: readonly [number, number]) => down.some(([a, b]) => a < to && from < b);
      expect(lost.filter((when) => !isExcused(when))).toEqual([]);
      figures.rows += found.length;
      figures.steps += agent.steps;
      figures.lost += lost.length;
      figures.requests += agent.trials.requests;
      figures.refused += agent.trials.refused;
      figures.cut += agent.trials.cut;
    }

    function readArrived(): readonly Arrived[] {
      return readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as Arrived);
    }
  },
  60_000 + KILLS * 6_000,
);

/** Each is started only for one request. */
class ColdProxies {
  readonly #store: string;
  readonly #upstream: string;
  #last: Kept | undefined;

  constructor(store: string, upstream: string) {
    this.#store = store;
    this.#upstream = upstream;
  }

  async start(): Promise<string> {
    await this.end();
    const port = await findPort();
    this.#last = programs.keep("proxy-main", port, this.#store, this.#upstream, SPEED);
    const url = `http://127.0.0.1:${port}`;
    await untilServed(url);
    return url;
  }

  async end(): Promise<void> {
    await this.#last?.end();
  }
}
