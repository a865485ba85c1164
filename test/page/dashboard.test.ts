import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import { applyChanges, type Board, takeSnapshot } from "../../src/page/app/dashboard/board.ts";
import { filterRows, listRows } from "../../src/page/app/dashboard/list-rows.ts";
import { mergeRequests } from "../../src/page/app/dashboard/merge-requests.ts";
import { formatMoney, nameClient, sayContext, sayWhen } from "../../src/page/app/dashboard/names.ts";
import { sayUnused } from "../../src/page/app/say-unused.ts";
import type { LiveRequest, LiveSession } from "../../src/page/dashboard-data.ts";
import { addUpDays } from "../../src/page/day-sums.ts";
import { fromAddress, toAddress } from "../../src/page/session-address.ts";
import type { SessionRow } from "../../src/stores/store.ts";

const NOW = 1_790_000_000_000;
const MINUTE = 60_000;

function live(id: string, over: Partial<LiveSession> = {}): LiveSession {
  return {
    id,
    startedAt: NOW - 10 * MINUTE,
    lastAt: NOW - MINUTE,
    requests: 0,
    questions: 0,
    underWay: 0,
    segments: 1,
    cuts: 0,
    raw: 100,
    pruned: 80,
    window: 1_000,
    waits: 0,
    waiting: [],
    hits: 0,
    misses: 0,
    isHeldOut: false,
    isOpen: true,
    ...over,
  };
}

function request(number: number, over: Partial<LiveRequest> = {}): LiveRequest {
  return {
    number,
    segment: 0,
    time: NOW,
    state: "answered",
    raw: number * 10,
    pruned: number * 5,
    window: 1_000,
    threshold: 750,
    waits: 0,
    ...over,
  };
}

function stored(id: string, lastAt: number, over: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    startedAt: lastAt,
    lastAt,
    requests: 1,
    tokensWith: 1,
    tokensWithout: 2,
    priced: 0,
    answered: 0,
    paid: 0,
    pings: 0,
    arms: { pruned: 0, heldOut: 0 },
    cuts: 0,
    work: NO_WORK,
    ...over,
  };
}

function boardOf(sessions: readonly LiveSession[], rows: readonly SessionRow[] = []): Board {
  return takeSnapshot(
    {
      version: "1",
      startedAt: NOW,
      time: NOW,
      sessions: sessions.map((session) => ({ ...session, trend: [] })),
      stored: rows,
      days: [],
    },
    NOW,
  );
}

describe("the board", () => {
  test("a session's chart continues with its requests, and an answer does not draw one twice", () => {
    const tell = (board: Board, number: number, state: LiveRequest["state"]): Board =>
      applyChanges(
        board,
        {
          time: NOW,
          sessions: [{ ...live("a", { requests: number }), changed: [request(number, { state })] }],
        },
        NOW,
      );
    let board = boardOf([live("a")]);
    for (let number = 1; number <= 40; number++)
      for (const state of ["sent", "answered"] as const) board = tell(board, number, state);
    const { trend = [] } = board.live.get("a") ?? {};
    expect(trend).toHaveLength(32);
    expect(trend[0]).toEqual([90, 45]);
    expect(trend.at(-1)).toEqual([400, 200]);
    board = tell(board, 40, "answered");
    expect(board.live.get("a")?.trend).toEqual(trend);
  });

  test("new sessions appear, others disappear, and rows of the store are replaced", () => {
    const board = applyChanges(
      boardOf([live("a"), live("b")], [stored("x", 1)]),
      {
        time: NOW + 5_000,
        sessions: [{ ...live("c", { requests: 1 }), changed: [request(1)] }],
        gone: ["a"],
        stored: [stored("x", 2)],
      },
      NOW,
    );
    expect([...board.live.keys()]).toEqual(["b", "c"]);
    expect(board.live.get("c")?.trend).toEqual([[10, 5]]);
    expect(board.stored.get("x")?.lastAt).toBe(2);
    expect(board.ahead).toBe(5_000);
  });
});

describe("the list", () => {
  const ids = (board: Board) => listRows(board, NOW).map(({ id, isUnder }) => (isUnder ? `>${id}` : id));

  test("current ones, the newest first, each with those that it started; then earlier ones, the last used first", () => {
    const board = boardOf(
      [
        live("old", { startedAt: 1 }),
        live("new", { startedAt: 9 }),
        live("child", { startedAt: 5, parent: "old" }),
        live("grandchild", { startedAt: 6, parent: "child" }),
        live("orphan", { startedAt: 2, parent: "nobody" }),
        live("rested", { lastAt: NOW - 31 * MINUTE }),
        live("long answer", { startedAt: 0, lastAt: NOW - 90 * MINUTE, underWay: 1 }),
      ],
      [stored("pi", NOW - 50 * MINUTE), stored("old", 1), stored("today", NOW - 2 * MINUTE)],
    );
    expect(ids(board)).toEqual([
      "new",
      "orphan",
      "old",
      ">child",
      ">grandchild",
      "long answer",
      "today",
      "rested",
      "pi",
    ]);
  });

  test("for any parent ids from clients, every session is listed once", () => {
    const session = fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e"),
      parent: fc.option(fc.constantFrom("a", "b", "c", "d", "e", "", "x"), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(session, { selector: ({ id }) => id }), (sessions) => {
        const board = boardOf(
          sessions.map(({ id, parent }) => live(id, parent === undefined ? {} : { parent })),
        );
        expect(
          listRows(board, NOW)
            .map(({ id }) => id)
            .sort(),
        ).toEqual(sessions.map(({ id }) => id).sort());
      }),
    );
  });

  test.each([
    [{ show: "now", query: "" }, ["a"]],
    [{ show: "before", query: "" }, ["b"]],
    [{ show: "all", query: " SHOP " }, ["a"]],
    [{ show: "all", query: "gpt" }, ["b"]],
    [{ show: "all", query: "nothing" }, []],
  ] as const)("%j", (filter, found) => {
    const board = boardOf([live("a", { folder: "shop" })], [stored("b", 1, { model: "gpt-5.4" })]);
    expect(filterRows(listRows(board, NOW), filter).map(({ id }) => id)).toEqual(found);
  });
});

test("fetched requests never undo newer events", () => {
  const told = mergeRequests([], [request(2), request(3, { state: "sent" })]);
  const merged = mergeRequests(told, [
    request(1),
    request(2, { state: "sent" }),
    request(3, { state: "sent", raw: 1 }),
  ]);
  expect(merged.map(({ number, state }) => [number, state])).toEqual([
    [1, "answered"],
    [2, "answered"],
    [3, "sent"],
  ]);
  expect(mergeRequests(merged, [request(3, { state: "failed" })]).at(-1)?.state).toBe("failed");
});

test("an address gives its id back, is one harmless name, and no other text gives an id", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (id) => {
      const address = toAddress(id);
      const href = `http://127.0.0.1/coppice/sessions/${address}`;
      expect(new URL(href).href).toBe(href);
      expect(fromAddress(address)).toBe(id);
    }),
  );
  for (const address of ["..", "a/b", "%41", "~%", "~\u{1F600}"])
    expect(fromAddress(address)).toBeUndefined();
});

test("days without a price are counted in tokens", () => {
  const {
    id: _,
    startedAt: _start,
    lastAt: _last,
    ...sums
  } = stored("", 0, { tokensWith: 10, tokensWithout: 30 });
  const day = { ...sums, day: "2026-11-17" };
  expect(addUpDays([{ ...day, priced: 0 }])).toEqual({ requests: 1, tokens: { with: 10, without: 30 } });
  const priced = { ...day, priced: 1, costWith: 1, costWithout: 3 };
  expect(addUpDays([{ ...day, priced: 0 }, priced]).dollars).toEqual({ with: 1, without: 3 });
});

test.each([
  [0, "$0.00"],
  [0.42, "$0.42"],
  [0.0031, "$0.0031"],
  [0.00001, "$0.00"],
  [-0.00001, "$0.00"],
  [-1.5, "−$1.50"],
  [1204.5, "$1,204.50"],
])("formatMoney(%d) is %s", (dollars, text) => {
  expect(formatMoney(dollars)).toBe(text);
});

test("names and times for people", () => {
  expect(nameClient("claude-code")).toBe("Claude Code");
  expect(nameClient("qwen-code")).toBe("Qwen Code");
  expect(nameClient("constructor")).toBe("constructor");
  expect(nameClient(undefined)).toBe("Unknown client");
  // Each figure names its base: 11.6K is 37 % of 31.3K, and 6 % of the window.
  expect(sayContext({ pruned: 11_600, raw: 31_300, window: 200_000 })).toBe(
    "instead\u00a0of\u00a031.3K; window\u00a06%\u00a0full",
  );
  expect(sayContext({ pruned: 11_600, raw: 31_300, window: 0 })).toBe("instead\u00a0of\u00a031.3K");
  expect([1, 5, 180, 3_000].map((minutes) => sayWhen(NOW - minutes * MINUTE, NOW))).toEqual([
    "1 min ago",
    "5 min ago",
    "3 h ago",
    "2026-09-19",
  ]);
});

describe("the tools of a session that it has called", () => {
  const say = (toolCount: number, unused: number, tokens = 1_000) =>
    sayUnused({
      ...{ tokens, groups: [], servers: [], tools: [], toolCount },
      unused: { tools: unused, tokens: unused * 100 },
    });
  test.each([
    [0, 0, "It has no tools."],
    [1, 0, "This session has called its tool."],
    [4, 0, "This session has called all its tools."],
    [4, 1, "This session has called 3 of 4 tools; the other is 100 tokens, 10% of it."],
    [4, 4, "This session has called 0 of 4 tools; the other 4 are 400 tokens, 40% of it."],
  ])("%i tools, %i not called", (tools, unused, text) => {
    expect(say(tools, unused)).toBe(text);
  });
});
