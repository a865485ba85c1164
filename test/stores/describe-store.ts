import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addWork, NO_WORK, type WorkCounts } from "../../src/facts/work-counts.ts";
import type { JournalRow, RequestSums, Store } from "../../src/stores/store.ts";

/** An empty place in which stores can be opened. */
export interface Place {
  open(options?: { readonly now?: () => number }): Promise<Store>;
  dispose(): Promise<void>;
}

const DAY = 86_400_000;
const USAGE = { input: 12, cacheRead: 34_000, cacheWrite: 560, output: 78 };
const FULL: JournalRow = {
  key: "5f3a",
  terms: {
    time: 1_763_380_000_123,
    model: "claude-sonnet-4-5",
    window: 200_000,
    prefixTokens: 9_000.5,
    overheadTokens: 0,
    ttl: 3_600_000,
    warmedAt: 1_763_379_990_123,
    clears: { aboveTokens: 100_000, keep: 3, least: 5_000, spared: ["memory"], inputs: ["write"] },
  },
  usage: USAGE,
  answeredBy: "claude-sonnet-4-5-20250929",
  version: "0.2.0",
  config: "c0ffee",
};
const BARE: JournalRow = { key: "bare", terms: {}, version: "0.2.0", config: "c0ffee" };
/** All figures differ, so that none can be mistaken for another. */
const WORK: WorkCounts = {
  ...{ requests: 1, prompts: 2, edits: 3, missedEdits: 4, reads: 5 },
  ...{ rereads: 6, commands: 7, reruns: 8, recalls: 9 },
};
const REQUEST: RequestSums = {
  session: "s1",
  time: Date.UTC(2026, 10, 17, 12),
  client: "claude-code",
  model: "claude-sonnet-4-5",
  folder: "coppice",
  tokensWith: 1_000,
  tokensWithout: 3_000,
  costWith: 0.25,
  costWithout: 0.75,
  usage: USAGE,
  cost: 0.125,
  arm: "pruned",
  cuts: 2,
  work: WORK,
};
const SUMS = {
  requests: 1,
  tokensWith: 1_000,
  tokensWithout: 3_000,
  priced: 1,
  costWith: 0.25,
  costWithout: 0.75,
  answered: 1,
  usage: USAGE,
  paid: 1,
  cost: 0.125,
  pings: 0,
  arms: { pruned: 1, heldOut: 0 },
  cuts: 2,
  work: WORK,
};
/** The figures of unreported values. */
const UNSAID = { priced: 0, answered: 0, paid: 0, pings: 0, arms: { pruned: 0, heldOut: 0 }, work: NO_WORK };

/** Two of them that no database may treat as equal, and that must not break SQL. */
const ODD_TEXTS = [
  "",
  " ",
  "a'; DROP TABLE coppice_boundaries; --",
  '"?1 $1 %s \\ \n\r\t',
  "ключ 鍵 🗝️ é é",
  "\u0000",
  "a\u0000b",
  "a\u0000c",
  "\uD800",
  "\uDC00x",
  "\uFFFD",
  "__proto__",
  "constructor",
  "[]",
  `long ${"x".repeat(10_000)}1`,
  `long ${"x".repeat(10_000)}2`,
];

/** The rules of every store. */
export function describeStore(
  name: string,
  makePlace: () => Promise<Place>,
  { isShared }: { readonly isShared: boolean },
): void {
  describe(name, () => {
    let place: Place;
    let store: Store;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.dispose();
    });

    describe("boundaries", () => {
      it.each([
        FULL,
        BARE,
        { ...BARE, terms: { window: 1 } },
        { ...BARE, usage: USAGE },
        { ...BARE, answeredBy: "m" },
      ])("come back as they were written: %j", async (row) => {
        await store.writeRequest(row);
        expect(await store.readRequests([row.key])).toStrictEqual([row]);
      });
      it.each([0, 0.1, -1, 1e-300, 1e300, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE])(
        "keep the figure %d",
        async (time) => {
          await store.writeRequest({ ...BARE, terms: { time } });
          expect(await store.readRequests([BARE.key])).toStrictEqual([{ ...BARE, terms: { time } }]);
        },
      );
      it("leave out values that are not figures", async () => {
        await store.writeRequest({
          ...BARE,
          terms: { time: Number.NaN, window: Number.POSITIVE_INFINITY },
          usage: { ...USAGE, output: Number.NaN },
        });
        expect(await store.readRequests([BARE.key])).toStrictEqual([BARE]);
      });
      it("have odd keys, each its own row", async () => {
        for (const key of ODD_TEXTS)
          await store.writeRequest({ ...BARE, key, config: `of ${ODD_TEXTS.indexOf(key)}` });
        expect(await store.readRequests(ODD_TEXTS)).toStrictEqual(
          ODD_TEXTS.map((key, i) => ({ ...BARE, key, config: `of ${i}` })),
        );
      });
      it.each(ODD_TEXTS.filter((text) => text.length < 200 && text.isWellFormed() && !text.includes("\0")))(
        "have odd names: %j",
        async (text) => {
          const row = { ...FULL, terms: { model: text }, answeredBy: text, version: text, config: text };
          await store.writeRequest(row);
          expect(await store.readRequests([row.key])).toStrictEqual([row]);
        },
      );
      it("accept names that no database could store", async () => {
        const text = `\0\uD800${"x".repeat(5_000)}`;
        await store.writeRequest({
          ...BARE,
          terms: { model: text },
          answeredBy: text,
          version: text,
          config: text,
        });
        const [row] = await store.readRequests([BARE.key]);
        for (const kept of [row?.terms.model, row?.answeredBy, row?.version, row?.config]) {
          expect(kept).toMatch(/^\uFFFD\uFFFDx+…[0-9a-f]{16}$/);
          expect(kept?.length).toBeLessThan(210);
        }
      });
      it("come in the order of the keys, each once, and only known ones", async () => {
        for (const key of ["a", "b", "c"]) await store.writeRequest({ ...BARE, key });
        const rows = await store.readRequests(["c", "unknown", "a", "c"]);
        expect(rows.map(({ key }) => key)).toEqual(["c", "a"]);
        expect(await store.readRequests([])).toEqual([]);
      });
      it("come back when 5,000 are asked for", async () => {
        const keys = Array.from({ length: 5_000 }, (_, i) => `key ${i}`);
        const known = keys.filter((_, i) => i % 10 === 0);
        for (const key of known) await store.writeRequest({ ...BARE, key });
        const rows = await store.readRequests(keys);
        expect(rows.map(({ key }) => key)).toEqual(known);
      });
    });

    describe("the first value stays", () => {
      it("for a request", async () => {
        await store.writeRequest(FULL);
        await store.writeRequest({
          key: FULL.key,
          terms: {
            ...{
              time: 1,
              model: "other",
              window: 2,
              prefixTokens: 3,
              overheadTokens: 4,
              ttl: 5,
              warmedAt: 6,
              clears: { aboveCalls: 7, keep: 8 },
            },
          },
          usage: { input: 1, cacheRead: 1, cacheWrite: 1, output: 1 },
          answeredBy: "other",
          version: "9",
          config: "other",
        });
        expect(await store.readRequests([FULL.key])).toStrictEqual([FULL]);
      });
      it("and what was missing is filled", async () => {
        const { usage: _, ...unanswered } = FULL;
        await store.writeRequest({ ...unanswered, terms: { time: 5 }, version: "first" });
        await store.writeRequest({ ...FULL, terms: { time: 6, model: "later" } });
        expect(await store.readRequests([FULL.key])).toStrictEqual([
          { ...FULL, terms: { time: 5, model: "later" }, version: "first" },
        ]);
      });
      it("for an answer", async () => {
        await store.writeRequest(BARE);
        await store.writeAnswer(BARE.key, { model: "m1" });
        await store.writeAnswer(BARE.key, { usage: USAGE, model: "m2" });
        await store.writeAnswer(BARE.key, { usage: { ...USAGE, input: 999 } });
        expect(await store.readRequests([BARE.key])).toStrictEqual([
          { ...BARE, usage: USAGE, answeredBy: "m1" },
        ]);
      });
      it("and one of zeros is missing", async () => {
        await store.writeRequest({ ...BARE, usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } });
        await store.writeAnswer(BARE.key, { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } });
        await store.writeAnswer(BARE.key, { usage: USAGE });
        expect(await store.readRequests([BARE.key])).toStrictEqual([{ ...BARE, usage: USAGE }]);
      });
      it("an answer to nothing is ignored", async () => {
        await store.writeAnswer("unknown", { usage: USAGE, model: "m" });
        expect(await store.readRequests(["unknown"])).toEqual([]);
      });
    });

    describe("sums", () => {
      it("of one request", async () => {
        await store.addRequest(REQUEST);
        const { session: id, time, client, model, folder } = REQUEST;
        expect(await store.listSessions()).toStrictEqual([
          { id, client, model, folder, startedAt: time, lastAt: time, ...SUMS },
        ]);
        expect(await store.listDays()).toStrictEqual([{ day: "2026-11-17", ...SUMS }]);
      });
      it("of a request of which little is known", async () => {
        await store.addRequest({ session: "s", time: 0, tokensWith: 1, tokensWithout: 2, cuts: 0 });
        const sums = { ...UNSAID, requests: 1, tokensWith: 1, tokensWithout: 2, cuts: 0 };
        expect(await store.listSessions()).toStrictEqual([{ id: "s", startedAt: 0, lastAt: 0, ...sums }]);
        expect(await store.listDays()).toStrictEqual([{ day: "1970-01-01", ...sums }]);
      });
      it("of many: each figure, and how many requests it is of", async () => {
        const { costWith: _, costWithout: __, ...unpriced } = REQUEST;
        const { usage: ___, ...unanswered } = REQUEST;
        for (const request of [
          unpriced,
          REQUEST,
          unanswered,
          { ...unpriced, costWith: 1 },
          { ...REQUEST, tokensWith: Number.NaN, cost: Number.NaN, arm: "heldOut" as const },
        ])
          await store.addRequest(request);
        const sums = {
          requests: 5,
          tokensWith: 4_000,
          tokensWithout: 15_000,
          priced: 3,
          costWith: 0.75,
          costWithout: 2.25,
          answered: 4,
          usage: { input: 48, cacheRead: 136_000, cacheWrite: 2_240, output: 312 },
          paid: 4,
          cost: 0.5,
          pings: 0,
          arms: { pruned: 4, heldOut: 1 },
          cuts: 10,
          work: addWork(Array<WorkCounts>(5).fill(WORK)),
        };
        expect(await store.listSessions()).toMatchObject([sums]);
        expect(await store.listDays()).toMatchObject([sums]);
      });
      it("pings add to the actual cost, and are not requests", async () => {
        const { time } = REQUEST;
        await store.addRequest(REQUEST);
        await store.addPing({ session: REQUEST.session, time: time + DAY, cost: 0.25 });
        await store.addPing({ session: REQUEST.session, time: time + DAY });
        expect(await store.listSessions()).toMatchObject([
          { ...SUMS, pings: 2, cost: 0.375, startedAt: time, lastAt: time, model: "claude-sonnet-4-5" },
        ]);
        const none = { ...UNSAID, requests: 0, tokensWith: 0, tokensWithout: 0, cuts: 0 };
        expect(await store.listDays()).toStrictEqual([
          { day: "2026-11-17", ...SUMS },
          { day: "2026-11-18", ...none, pings: 2, cost: 0.25 },
        ]);
        await store.addRequest({ ...REQUEST, time: time + DAY });
        expect(await store.listSessions()).toMatchObject([{ requests: 2, paid: 2, pings: 2, cost: 0.5 }]);
        expect((await store.listDays())[1]).toMatchObject({ requests: 1, paid: 1, pings: 2, cost: 0.375 });
      });
      it("a ping of an unknown session counts for its day, and one of unknown cost adds none", async () => {
        const { cost: _, ...unpaid } = REQUEST;
        await store.addPing({ session: "unknown", time: REQUEST.time, cost: Number.NaN });
        expect(await store.listSessions()).toEqual([]);
        expect(await store.listDays()).toMatchObject([{ requests: 0, pings: 1 }]);
        await store.addRequest(unpaid);
        await store.addPing({ session: REQUEST.session, time: REQUEST.time });
        for (const [row] of [await store.listSessions(), await store.listDays()]) {
          expect(row).toMatchObject({ requests: 1, paid: 0 });
          expect(row).not.toHaveProperty("cost");
        }
        await store.addRequest({ ...REQUEST, cost: 0 });
        expect(await store.listSessions()).toMatchObject([{ paid: 1, cost: 0, pings: 1 }]);
        await expect(store.addPing({ session: "s1", time: Number.NaN })).rejects.toThrow("NaN");
        expect(await store.listSessions()).toMatchObject([{ pings: 1 }]);
      });
      it("a session takes its name from its newest request that has one, in any order", async () => {
        const { client: _, model: __, folder: ___, ...unnamed } = REQUEST;
        const at = (hour: number) => Date.UTC(2026, 10, 17, hour);
        await store.addRequest({ ...unnamed, time: at(5), model: "m5" });
        await store.addRequest({ ...unnamed, time: at(3), model: "m3", client: "c3" });
        await store.addRequest({ ...unnamed, time: at(9), folder: "/home/somebody/secret/f9/" });
        await store.addRequest({ ...unnamed, time: at(7), folder: "C:\\Users\\f7" });
        expect(await store.listSessions()).toMatchObject([
          { client: "c3", model: "m5", folder: "f9", startedAt: at(3), lastAt: at(9), requests: 4 },
        ]);
      });
      it("sessions: the newest first, since a time, up to a limit", async () => {
        for (const [session, time] of [
          ["a", 10],
          ["b", 30],
          ["c", 20],
          ["a", 40],
          ["d", 5],
        ] as const)
          await store.addRequest({ ...REQUEST, session, time });
        const ids = async (which?: Parameters<Store["listSessions"]>[0]) =>
          (await store.listSessions(which)).map(({ id }) => id);
        expect(await ids()).toEqual(["a", "b", "c", "d"]);
        expect(await ids({ since: 20 })).toEqual(["a", "b", "c"]);
        expect(await ids({ since: 20, limit: 2 })).toEqual(["a", "b"]);
        expect(await ids({ limit: 0 })).toEqual([]);
        expect(await ids({ since: 41 })).toEqual([]);
      });
      it("have odd ids, each its own row", async () => {
        for (const session of ODD_TEXTS) await store.addRequest({ ...REQUEST, session, client: session });
        const sessions = await store.listSessions();
        expect(sessions.length).toBe(ODD_TEXTS.length);
        for (const text of ["", "__proto__", "ключ 鍵 🗝️ é é"])
          expect(sessions).toContainEqual(expect.objectContaining({ id: text, client: text }));
      });
      it("days are those of UTC, the oldest first, both ends included", async () => {
        const times = [
          "2026-11-17T23:59:59.999Z",
          "2026-11-18T00:00:00Z",
          "2024-02-29T12:00:00Z",
          "2026-12-01T01:00:00+02:00",
        ];
        for (const time of times) await store.addRequest({ ...REQUEST, time: Date.parse(time) });
        const days = async (which?: Parameters<Store["listDays"]>[0]) =>
          (await store.listDays(which)).map(({ day }) => day);
        expect(await days()).toEqual(["2024-02-29", "2026-11-17", "2026-11-18", "2026-11-30"]);
        expect(await days({ from: "2026-11-17", to: "2026-11-18" })).toEqual(["2026-11-17", "2026-11-18"]);
        expect(await days({ from: "2026-11-19" })).toEqual(["2026-11-30"]);
        expect(await days({ to: "2026-11-16" })).toEqual(["2024-02-29"]);
      });
      it("unusual times have a day too, and an invalid time is refused", async () => {
        for (const time of [-1e300, 1e300]) await store.addRequest({ ...REQUEST, time });
        expect((await store.listDays()).map(({ day }) => day)).toEqual(["1970-01-01", "9999-12-31"]);
        await expect(store.addRequest({ ...REQUEST, time: Number.NaN })).rejects.toThrow("NaN");
        expect(await store.listSessions()).toMatchObject([{ requests: 2 }]);
      });
    });

    it("many at once, from one handle", async () => {
      const keys = Array.from({ length: 200 }, (_, i) => `k${i % 50}`);
      await Promise.all(
        keys.flatMap((key, i) => [
          store.writeRequest({ ...BARE, key, terms: { time: i, window: i + 1 } }),
          store.addRequest({ ...REQUEST, session: key }),
        ]),
      );
      const rows = await store.readRequests(keys);
      expect(rows.length).toBe(50);
      for (const { terms } of rows) expect(terms.window).toBe((terms.time ?? 0) + 1);
      expect(await store.listDays()).toMatchObject([{ requests: 200, tokensWith: 200_000, costWith: 50 }]);
    });

    it("closes once, and is closed for all", async () => {
      await store.writeRequest(BARE);
      await store.close();
      await store.close();
      for (const use of [
        () => store.readRequests(["a"]),
        () => store.writeRequest(BARE),
        () => store.writeAnswer("a", {}),
        () => store.addRequest(REQUEST),
        () => store.addPing({ session: "s1", time: 0 }),
        () => store.listSessions(),
        () => store.listDays(),
      ])
        await expect(use()).rejects.toThrow("The store is closed.");
    });

    if (!isShared) return;
    describe("in one place", () => {
      it("another handle finds everything", async () => {
        await store.writeRequest(FULL);
        await store.addRequest(REQUEST);
        const other = await place.open();
        expect(await other.readRequests([FULL.key])).toStrictEqual([FULL]);
        await other.addRequest(REQUEST);
        expect(await store.listSessions()).toMatchObject([{ requests: 2 }]);
        await other.close();
        expect(await store.readRequests([FULL.key])).toStrictEqual([FULL]);
      });
      it("and so does one that is opened after the first was closed", async () => {
        await store.writeRequest(FULL);
        await store.addRequest(REQUEST);
        await store.close();
        store = await place.open();
        expect(await store.readRequests([FULL.key])).toStrictEqual([FULL]);
        expect(await store.listDays()).toStrictEqual([{ day: "2026-11-17", ...SUMS }]);
      });
      it("two handles write the same keys at once: one row, completely the first's", async () => {
        const stores = [store, await place.open()];
        const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
        await Promise.all(
          keys.flatMap((key) =>
            stores.map((each, i) =>
              each.writeRequest({ ...BARE, key, terms: { time: i, window: i + 1 }, config: `${i}` }),
            ),
          ),
        );
        const [rows, others] = await Promise.all(stores.map((each) => each.readRequests(keys)));
        expect(rows?.length).toBe(100);
        expect(others).toStrictEqual(rows);
        for (const { terms, config } of rows ?? [])
          expect(terms).toEqual({ time: Number(config), window: Number(config) + 1 });
        await stores[1]?.close();
      });
      it("ten are opened at once in an empty place", async () => {
        const fresh = await makePlace();
        const stores = await Promise.all(Array.from({ length: 10 }, () => fresh.open()));
        await Promise.all(stores.map((each) => each.addRequest(REQUEST)));
        expect(await stores[0]?.listSessions()).toMatchObject([{ requests: 10 }]);
        await Promise.all(stores.map((each) => each.close()));
        await fresh.dispose();
      });
      it("requests that nobody used for 30 days are deleted, sessions after a year, days never", async () => {
        const start = Date.UTC(2026, 10, 17);
        const openAt = (days: number) => place.open({ now: () => start + days * DAY });
        const known = async (each: Store) =>
          (await each.readRequests(["old", "read", "new"])).map(({ key }) => key);
        let other = await openAt(0);
        for (const key of ["old", "read"]) await other.writeRequest({ ...BARE, key });
        await other.addRequest(REQUEST);
        await other.close();
        other = await openAt(20);
        expect(await other.readRequests(["read"])).toMatchObject([{ key: "read" }]);
        await other.writeRequest({ ...BARE, key: "new" });
        await other.close();
        other = await openAt(40);
        expect(await known(other)).toEqual(["read", "new"]);
        expect(await other.listSessions()).toMatchObject([{ requests: 1 }]);
        await other.close();
        other = await openAt(366);
        expect(await known(other)).toEqual([]);
        expect(await other.listSessions()).toEqual([]);
        expect(await other.listDays()).toMatchObject([{ requests: 1 }]);
        await other.close();
      });
      it("a handle that stays open forgets too", async () => {
        let time = 0;
        const other = await place.open({ now: () => time });
        await other.writeRequest({ ...BARE, key: "old" });
        time = 31 * DAY;
        await other.writeRequest({ ...BARE, key: "new" });
        expect((await other.readRequests(["old", "new"])).map(({ key }) => key)).toEqual(["new"]);
        await other.close();
      });
    });
  });
}
