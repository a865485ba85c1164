import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { JournalRow, Store } from "../../src/stores/store.ts";
import type { Writers } from "../../test/stores/writer-process.ts";
import { answerTo, rowOf } from "../../test/stores/written.ts";

/** After this many, the place is a new one: some are killed while they make it. */
const KILLS_IN_ONE_PLACE = 25;
const AT_ONCE = 3;
/** In milliseconds, from its start (one in four) or from the opening of its store. */
const LONGEST_START = 300;
const LONGEST_LIFE = 100;

export interface KillPlan {
  readonly writers: Writers;
  readonly kills: number;
  readonly makePlace: (n: number) => Promise<string>;
  readonly open: (place: string) => Promise<{ readonly store: Store; readonly keys: readonly string[] }>;
}

/** Kills writers at random moments. Their data must not be torn, and acknowledged data must not be lost. */
export async function killWriters({ writers, kills, makePlace, open }: KillPlan): Promise<object> {
  const random = createRandom(20_261_117);
  const all: Killed[] = [];
  for (let n = 0; all.length < kills; n++) {
    const place = await makePlace(n);
    const here: Killed[] = [];
    const plans = Array.from(
      { length: KILLS_IN_ONE_PLACE },
      (_, i) => [`w${i}`, random(), random()] as const,
    );
    const carryOut = async () => {
      for (let plan = plans.shift(); plan; plan = plans.shift())
        here.push(await killOne(writers, place, ...plan));
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
  expect(figures.kills).toBe(kills);
  expect(figures.whileWriting).toBeGreaterThan(kills / 2);
  return figures;
}

interface Killed {
  readonly name: string;
  readonly lines: readonly string[];
}

async function killOne(
  writers: Writers,
  place: string,
  name: string,
  when: number,
  life: number,
): Promise<Killed> {
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
  const rows = new Map((await store.readRequests(keys)).map((row) => [row.key, row]));
  const sessions = new Map((await store.listSessions()).map((session) => [session.id, session]));
  let found = 0;
  for (const { name, lines } of killed) {
    const count = (what: string) => lines.filter((line) => line.startsWith(`${what} `)).length;
    const [written, answered, added] = [count("row"), count("answer"), count("request")];
    // One more of each may have been done, with its confirmation lost.
    for (let i = 0; i <= written; i++) {
      const row = rows.get(`${name}/${i}`);
      if (!row) {
        expect(i, `${name}: a row that was acknowledged is lost`).toBe(written);
        continue;
      }
      found++;
      const bare: JournalRow = rowOf(name, i);
      const full: JournalRow = { ...bare, usage: answerTo(i).usage, answeredBy: answerTo(i).model };
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
