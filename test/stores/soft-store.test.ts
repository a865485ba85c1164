import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { Issue } from "../../src/basics/issue.ts";
import { journalPath } from "../../src/stores/data-folder.ts";
import { loadDriver } from "../../src/stores/load-driver.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { openStore } from "../../src/stores/open-store.ts";
import { softStore } from "../../src/stores/soft-store.ts";
import type { JournalRow, Store } from "../../src/stores/store.ts";

const ROW: JournalRow = { key: "k", terms: { time: 1 }, version: "0.2.0", config: "c" };
const REQUEST = { session: "s", time: 0, tokensWith: 1, tokensWithout: 2, cuts: 0 };

/** A memory store with errors on demand. */
function makeStore() {
  const store = memoryStore();
  const state: { trouble?: () => Promise<never> } = {};
  const trouble = () => state.trouble?.();
  const guarded: Store = {
    readRequests: (keys) => trouble() ?? store.readRequests(keys),
    writeRequest: (row) => trouble() ?? store.writeRequest(row),
    writeAnswer: (key, answer) => trouble() ?? store.writeAnswer(key, answer),
    addRequest: (request) => trouble() ?? store.addRequest(request),
    addPing: (ping) => trouble() ?? store.addPing(ping),
    listSessions: (which) => trouble() ?? store.listSessions(which),
    listDays: (which) => trouble() ?? store.listDays(which),
    close: () => store.close(),
  };
  return { store: guarded, state };
}

async function useAll(store: Store): Promise<readonly unknown[]> {
  return Promise.all([
    store.readRequests(["k"]),
    store.writeRequest(ROW),
    store.writeAnswer("k", { model: "m" }),
    store.addRequest(REQUEST),
    store.addPing({ session: "s", time: 0 }),
    store.listSessions(),
    store.listDays(),
  ]);
}

const NOTHING = [[], undefined, undefined, undefined, undefined, [], []];

afterEach(() => vi.unstubAllEnvs());

it("reports once that a store fails, returns nothing, and is back when the store is", async () => {
  const { store, state } = makeStore();
  const issues: Issue[] = [];
  const soft = await softStore(async () => store, { report: (issue) => issues.push(issue), where: "here" });
  await soft.writeRequest(ROW);
  state.trouble = () => Promise.reject(new Error("disk full"));
  expect(await useAll(soft)).toEqual(NOTHING);
  expect(await useAll(soft)).toEqual(NOTHING);
  expect(issues).toEqual([
    {
      code: "store-unavailable",
      severity: "warning",
      where: "here",
      message: "The store does not work. Coppice continues without it until it works again. disk full",
    },
  ]);
  delete state.trouble;
  expect(await soft.readRequests(["k"])).toStrictEqual([ROW]);
  expect(issues.length).toBe(1);
  state.trouble = () => Promise.reject(new Error("disk full again"));
  expect(await useAll(soft)).toEqual(NOTHING);
  expect(issues.length).toBe(2);
});

it("reports once that it can't write, although it can read", async () => {
  const { store } = makeStore();
  const issues: Issue[] = [];
  const full = { ...store, writeRequest: () => Promise.reject(new Error("disk full")) };
  const soft = await softStore(async () => full, { report: (issue) => issues.push(issue) });
  for (let i = 0; i < 3; i++) {
    await soft.writeRequest({ ...ROW, key: `${i}` });
    await soft.readRequests(["k"]);
  }
  expect(issues).toHaveLength(1);
});

it("writes pending journal rows when the store is back, in order, and the first value stays", async () => {
  const { store, state } = makeStore();
  const soft = await softStore(async () => store, { report: () => {} });
  state.trouble = () => Promise.reject(new Error("gone"));
  await soft.writeRequest(ROW);
  await soft.writeRequest({ ...ROW, terms: { time: 2 } });
  await soft.writeAnswer("k", { model: "m" });
  await soft.addRequest(REQUEST);
  delete state.trouble;
  await soft.writeRequest({ ...ROW, key: "next" });
  const whole = { ...ROW, answeredBy: "m" };
  expect(await store.readRequests(["k", "next"])).toStrictEqual([whole, { ...ROW, key: "next" }]);
  // Adding twice would count twice: whether it was done is unknown.
  expect(await store.listDays()).toEqual([]);
});

it("writes data that went to memory while the store could not be opened", async () => {
  const { store } = makeStore();
  let isThere = false;
  const open = async () => {
    if (!isThere) throw new Error("not there");
    return store;
  };
  const soft = await softStore(open, { report: () => {}, pause: 0 });
  await soft.writeRequest(ROW);
  expect(await soft.readRequests(["k"])).toStrictEqual([ROW]);
  isThere = true;
  const askBoth = async () => {
    await soft.listDays();
    return store.readRequests(["k"]);
  };
  await expect.poll(askBoth).toStrictEqual([ROW]);
});

it("does not wait for a store that gives no answer, and leaves it alone for a while", async () => {
  const { store, state } = makeStore();
  const issues: Issue[] = [];
  const soft = await softStore(async () => store, {
    report: (issue) => issues.push(issue),
    patience: 50,
    pause: 300,
  });
  await soft.writeRequest(ROW);
  let asked = 0;
  state.trouble = () => {
    asked++;
    return new Promise(() => {});
  };
  expect(await useAll(soft)).toEqual(NOTHING);
  const requestedFirst = asked;
  expect(await useAll(soft)).toEqual(NOTHING);
  expect(asked).toBe(requestedFirst);
  expect(issues).toMatchObject([{ message: expect.stringContaining("no answer within 0.05 s") }]);
  delete state.trouble;
  await expect.poll(() => soft.readRequests(["k"])).toStrictEqual([ROW]);
});

it("keeps data in memory until a store can be opened", async () => {
  const { store } = makeStore();
  const issues: Issue[] = [];
  let attempts = 0;
  const open = async () => {
    if (++attempts < 3) throw new Error("not yet");
    return store;
  };
  const soft = await softStore(open, { report: (issue) => issues.push(issue), pause: 20 });
  await soft.writeRequest(ROW);
  expect(await soft.readRequests(["k"])).toStrictEqual([ROW]);
  expect(issues).toMatchObject([{ message: expect.stringMatching(/can't be opened.*in memory.*not yet/) }]);
  await expect
    .poll(async () => {
      await soft.writeRequest({ ...ROW, key: "late" });
      return store.readRequests(["late"]);
    })
    .toMatchObject([{ key: "late" }]);
  expect(issues.length).toBe(1);
  expect(attempts).toBe(3);
});

it("uses a store that opens slowly, and closes one that opens too late", async () => {
  for (const isClosed of [false, true]) {
    const { store } = makeStore();
    const close = vi.spyOn(store, "close");
    let finish = (_: Store) => {};
    const open = () =>
      new Promise<Store>((resolve) => {
        finish = resolve;
      });
    const issues: Issue[] = [];
    const soft = await softStore(open, { report: (issue) => issues.push(issue), patience: 20 });
    expect(issues.length).toBe(1);
    if (isClosed) await soft.close();
    finish(store);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await soft.writeRequest(ROW);
    if (isClosed) expect(close).toHaveBeenCalledOnce();
    else expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
  }
});

it("never rejects, whatever throws", async () => {
  const open = () => {
    throw new Error("at once");
  };
  const report = vi.fn(() => {
    throw new Error("nobody listens");
  });
  const soft = await softStore(open, { report });
  expect(report).toHaveBeenCalledOnce();
  await soft.writeRequest(ROW);
  expect(await soft.readRequests(["k"])).toStrictEqual([ROW]);
});

it("reports nothing after it is closed, and closes more than once", async () => {
  const issues: Issue[] = [];
  const soft = await openStore({ kind: "memory" }, { report: (issue) => issues.push(issue) });
  await soft.writeRequest(ROW);
  await soft.close();
  await soft.close();
  expect(await useAll(soft)).toEqual(NOTHING);
  expect(issues).toEqual([]);
});

it("an invalid time affects one request, not the agent", async () => {
  const issues: Issue[] = [];
  const soft = await openStore({ kind: "memory" }, { report: (issue) => issues.push(issue) });
  await soft.addRequest({ ...REQUEST, time: Number.NaN });
  expect(issues.length).toBe(1);
  expect(await soft.listSessions()).toEqual([]);
});

it("reports why it can't be opened, in the host's own words", async () => {
  const issues: Issue[] = [];
  const open = () => Promise.reject(new Error("no disk"));
  await softStore(open, { report: (issue) => issues.push(issue), meanwhile: "nothing is counted" });
  expect(issues.map(({ message }) => message)).toEqual([
    "The store can't be opened, and nothing is counted. no disk",
  ]);
});

it("names the package to install if a driver is missing", async () => {
  const missing = loadDriver("SQLite", "libsql", () => import("libsql-is-not-here" as string));
  await expect(missing).rejects.toThrow("SQLite needs the package libsql: npm install libsql");
});

it("keeps the journal in the user's data folder", async () => {
  expect(journalPath({ XDG_DATA_HOME: "/data" })).toBe("/data/coppice/journal.db");
  expect(journalPath({})).toMatch(/\/\.local\/share\/coppice\/journal\.db$/);
  const folder = mkdtempSync(join(tmpdir(), "coppice-data-"));
  vi.stubEnv("XDG_DATA_HOME", folder);
  const issues: Issue[] = [];
  for (const expected of [[], [ROW]]) {
    const store = await openStore({ kind: "sqlite" }, { report: (issue) => issues.push(issue) });
    expect(await store.readRequests(["k"])).toStrictEqual(expected);
    await store.writeRequest(ROW);
    await store.close();
  }
  expect(issues).toEqual([]);
  rmSync(folder, { recursive: true });
});

it.each<[unknown, string]>([
  [{ kind: "redis" }, '"redis"'],
  [{}, "nothing"],
  [undefined, "nothing"],
  ["sqlite", "nothing"],
])("refuses an unknown kind: %j", async (settings, kind) => {
  await expect(openStore(settings as never, { report: () => {} })).rejects.toThrow(
    `Unknown store ${kind}: use memory, sqlite or postgres.`,
  );
});
