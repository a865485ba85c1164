import { describe, expect, it } from "vitest";
import { SentRequests } from "../../../src/hosts/plugin/sent-requests.ts";
import { makeEmptyReport, type Report } from "../../../src/reports/report.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import type { Store } from "../../../src/stores/store.ts";
import { makeCut } from "../../reports/make-cut.ts";

const NOON = Date.UTC(2026, 10, 17, 12);
/** A dollar for a token of plain input. */
const PRICES = { m: { dollarsPerMillion: 1_000_000, read: 0.1, write: 1.25 } };
const USAGE = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };

function reportOf(key: string, more: Partial<Report> = {}): Report {
  return {
    ...makeEmptyReport({ code: "empty-input", message: "", severity: "info" }),
    key,
    model: { id: "m", known: true },
    tokens: { before: 100, after: 60, saved: 40 },
    cut: { reason: "eager", message: 0, edits: [makeCut("result:1#1", 40), makeCut("result:2#1", 1)] },
    bill: {
      with: 900,
      without: 900,
      breaks: 0,
      newest: { with: 6, without: 10, dollars: { with: 0.25, without: 0.5 } },
    },
    ...more,
  };
}

function open(store: Store = memoryStore()) {
  let opened = 0;
  const requests = new SentRequests({
    client: "opencode",
    folder: "/home/somebody/work",
    prices: PRICES,
    clock: () => NOON,
    open: async () => {
      opened++;
      return store;
    },
  });
  return { requests, store, opened: () => opened };
}

describe("a request is counted", () => {
  it("when its answer arrives, with its usage, in its session and its day", async () => {
    const { requests, store } = open();
    requests.sent("s1", reportOf("a"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.listSessions()).toEqual([]);
    requests.answered("s1", "msg1", USAGE);
    await requests.ended("s1");
    const sums = {
      requests: 1,
      tokensWith: 60,
      tokensWithout: 100,
      priced: 1,
      // 1 + 2 * 0.1 + 3 * 1.25 for input, and 4 * 5 for output.
      costWith: expect.closeTo(24.95, 9),
      // The model costs 10 in our tokens. The provider counted 6 where we count 60.
      costWithout: expect.closeTo(10 * 0.1 + 20, 9),
      answered: 1,
      usage: USAGE,
      cuts: 1,
    };
    expect(await store.listSessions()).toMatchObject([
      { id: "s1", client: "opencode", model: "m", folder: "work", startedAt: NOON, lastAt: NOON, ...sums },
    ]);
    expect(await store.listDays()).toMatchObject([{ day: "2026-11-17", ...sums }]);
  });

  it("once, however often it is made and its answer reported", async () => {
    const { requests, store, opened } = open();
    requests.sent("s1", reportOf("a"));
    requests.sent("s1", reportOf("a"));
    for (let i = 0; i < 3; i++) requests.answered("s1", "msg1", USAGE);
    requests.sent("s1", reportOf("a"));
    requests.sent("s1", reportOf("b"));
    requests.answered("s1", "msg1", USAGE);
    requests.answered("s1", "msg2", USAGE);
    await requests.ended("s1");
    expect(await store.listSessions()).toMatchObject([
      { requests: 2, answered: 2, usage: { input: 2, output: 8 } },
    ]);
    expect(opened()).toBe(1);
  });

  it("even if its answer is reported after the next request, and if its usage is unknown", async () => {
    const { requests, store } = open();
    for (const key of ["a", "b"]) requests.sent("s1", reportOf(key));
    requests.answered("s1", "msg1", USAGE);
    requests.answered("s1", "msg2", undefined);
    await requests.ended("s1");
    expect(await store.listSessions()).toMatchObject([{ requests: 2, answered: 1, usage: USAGE }]);
  });

  it("when it is made again, if it failed at first, and not if there is never an answer", async () => {
    const { requests, store } = open();
    requests.sent("s1", reportOf("a"));
    requests.failed("s1", "msg1");
    requests.failed("s1", "msg1");
    requests.sent("s1", reportOf("a"));
    requests.answered("s1", "msg2", USAGE);
    requests.sent("s1", reportOf("b"));
    await requests.ended("s1");
    requests.answered("s1", "msg3", USAGE);
    await requests.ended("s1");
    expect(await store.listSessions()).toMatchObject([{ requests: 1, answered: 1, usage: USAGE }]);
  });

  it("separately in each session", async () => {
    const { requests, store } = open();
    requests.sent("s1", reportOf("a"));
    requests.sent("s2", reportOf("a"));
    requests.answered("s2", "msg1", USAGE);
    requests.answered("unknown", "msg2", USAGE);
    await requests.ended("s2");
    expect(await store.listSessions()).toMatchObject([{ id: "s2", answered: 1 }]);
    requests.answered("s1", "msg3", USAGE);
    await requests.ended("s1");
    expect((await store.listSessions()).map(({ id }) => id)).toEqual(["s1", "s2"]);
  });

  it.each([
    ["off", { tokensWith: 100, cuts: 0 }],
    ["shadow", { tokensWith: 100, cuts: 0 }],
  ] as const)("as it was sent where Coppice is %s", async (status, sums) => {
    const { requests, store } = open();
    requests.sent("s1", reportOf("a", { status }));
    requests.answered("s1", "msg1", USAGE);
    await requests.ended("s1");
    const paid = expect.closeTo(24.95, 9);
    expect(await store.listSessions()).toMatchObject([
      { tokensWithout: 100, costWith: paid, costWithout: paid, ...sums },
    ]);
  });

  it("not if nothing is known of it", async () => {
    const { requests, store, opened } = open();
    requests.sent("s1", reportOf(""));
    requests.answered("s1", "msg1", USAGE);
    await requests.ended("s1");
    expect(await store.listSessions()).toEqual([]);
    expect(opened()).toBe(0);
  });
});

it.each<[string, () => Promise<Store | undefined>]>([
  ["does not exist", async () => undefined],
  ["can't be opened", () => Promise.reject(new Error("no disk"))],
  ["rejects", async () => ({ ...memoryStore(), addRequest: () => Promise.reject(new Error("no disk")) })],
])("nothing happens if the store %s", async (_, open) => {
  const requests = new SentRequests({ client: "pi", folder: "f", prices: {}, open });
  requests.sent("s1", reportOf("a"));
  requests.answered("s1", "msg1", USAGE);
  requests.sent("s1", reportOf("b"));
  await requests.ended("s1");
});
