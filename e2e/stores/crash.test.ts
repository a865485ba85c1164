import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresStore } from "../../src/stores/postgres-store.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { BoundaryRow, Store } from "../../src/stores/store.ts";
import { prepareWriters, type Writers } from "../../test/stores/writer-process.ts";
import { answerTo, rowOf } from "../../test/stores/written.ts";
import { ask, type PostgresServer, startPostgres } from "./postgres-server.ts";

const KILLS = 200;
/** After so many the place is a new one: some are killed while they make it. */
const KILLS_IN_ONE_PLACE = 25;
const AT_ONCE = 3;
/** In milliseconds, from its start (one in four) or from the opening of its store. */
const LONGEST_START = 300;
const LONGEST_LIFE = 100;

let writers: Writers;
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  writers = await prepareWriters();
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), "coppice-crash-"));
});
afterAll(async () => {
  writers?.dispose();
  await server?.dispose();
  rmSync(folder, { recursive: true });
});

describe(`writers that are killed ${KILLS} times leave nothing torn, and lose nothing that was acknowledged`, () => {
  it("SQLite", async () => {
    const figures = await killAll(
      async (n) => join(folder, `${n}.db`),
      async (path) => {
        const store = await sqliteStore({ path });
        const database = new Database(path);
        expect(database.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
        const keys = database.prepare("SELECT key FROM coppice_boundaries").all() as {
          readonly key: string;
        }[];
        database.close();
        return { store, keys: keys.map(({ key }) => key) };
      },
    );
    console.log("SQLite", figures);
  });
  it("PostgreSQL", async () => {
    const figures = await killAll(
      () => server.createSchema(),
      async (url) => {
        const store = await postgresStore({ url });
        // A server may still be busy with a statement of a writer that is no more.
        const busy =
          "SELECT 1 FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        await expect.poll(() => ask(url, busy)).toEqual([]);
        const keys = await ask(url, "SELECT key FROM coppice_boundaries");
        return { store, keys: keys.map(({ key }) => String(key)) };
      },
    );
    console.log("PostgreSQL", figures);
  });
});

interface Killed {
  readonly name: string;
  readonly lines: readonly string[];
}

async function killAll(
  makePlace: (n: number) => Promise<string>,
  open: (place: string) => Promise<{ readonly store: Store; readonly keys: readonly string[] }>,
) {
  const random = createRandom(20_261_117);
  const all: Killed[] = [];
  for (let n = 0; all.length < KILLS; n++) {
    const place = await makePlace(n);
    const here: Killed[] = [];
    const plans = Array.from(
      { length: KILLS_IN_ONE_PLACE },
      (_, i) => [`w${i}`, random(), random()] as const,
    );
    const carryOut = async () => {
      for (let plan = plans.shift(); plan; plan = plans.shift()) here.push(await killOne(place, ...plan));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, carryOut));
    const { store, keys } = await open(place);
    await checkPlace(store, keys, here);
    await store.close();
    all.push(...here);
  }
  const figures = {
    kills: all.length,
    whileStarting: all.filter(({ lines }) => lines.length === 0).length,
    whileWriting: all.filter(({ lines }) => lines.length > 1).length,
    acknowledged: all.reduce((sum, { lines }) => sum + lines.length, 0),
  };
  expect(figures.kills).toBe(KILLS);
  expect(figures.whileWriting).toBeGreaterThan(KILLS / 2);
  return figures;
}

async function killOne(place: string, name: string, when: number, life: number): Promise<Killed> {
  const { process, ended } = writers.start(place, name, "1000000");
  if (when < 0.25) await wait(life * LONGEST_START);
  else {
    if (process.stdout) await Promise.race([once(process.stdout, "data"), ended]);
    await wait(life * LONGEST_LIFE);
  }
  process.kill("SIGKILL");
  const { lines, code, errors } = await ended;
  expect({ code, errors }).toEqual({ code: null, errors: "" });
  return { name, lines };
}

async function checkPlace(store: Store, keys: readonly string[], killed: readonly Killed[]): Promise<void> {
  const rows = new Map((await store.readBoundaries(keys)).map((row) => [row.key, row]));
  const sessions = new Map((await store.listSessions()).map((session) => [session.id, session]));
  let found = 0;
  for (const { name, lines } of killed) {
    const count = (what: string) => lines.filter((line) => line.startsWith(`${what} `)).length;
    const [written, answered, added] = [count("row"), count("answer"), count("request")];
    // One more of each may have been done, and the word of it lost.
    for (let i = 0; i <= written; i++) {
      const row = rows.get(`${name}/${i}`);
      if (!row) {
        expect(i, `${name}: a row that was acknowledged is lost`).toBe(written);
        continue;
      }
      found++;
      const bare: BoundaryRow = rowOf(name, i);
      const full: BoundaryRow = { ...bare, usage: answerTo(i).usage, answeredBy: answerTo(i).model };
      expect(row).toEqual(i < answered || row.usage ? full : bare);
    }
    const { requests = 0, ...sums } = sessions.get(name) ?? {};
    expect([added, added + 1]).toContain(requests);
    if (requests > 0)
      expect(sums).toMatchObject({
        tokensWith: requests,
        tokensWithout: requests * 2,
        priced: requests,
        costWith: requests / 4,
        costWithout: requests / 2,
        answered: requests,
        usage: { input: requests, cacheRead: requests * 2, cacheWrite: requests * 3, output: requests * 4 },
        cuts: requests,
      });
  }
  expect(found).toBe(keys.length);
  const total = (list: readonly { readonly requests: number }[]) =>
    list.reduce((sum, each) => sum + each.requests, 0);
  expect(total(await store.listDays())).toBe(total([...sessions.values()]));
}

/** mulberry32: the same delays at every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
