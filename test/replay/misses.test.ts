import { describe, expect, test } from "vitest";
import { priceFetch } from "../../src/replay/misses.ts";
import { keepLastResults } from "../../src/replay/peers.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { noPruning } from "../../src/replay/replay-policy.ts";
import { summarizeReplays } from "../../src/replay/summarize.ts";
import { MOST_FETCHED } from "../../src/risk/fetch-price.ts";
import { countPart } from "../../src/transcript/transcript.ts";
import { answer, call, type Line, makeRecording, result, tokens, user } from "./make-recording.ts";

const PRICES = { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 0 };

describe("priceFetch", () => {
  test.each([
    ["nothing missing: nothing to fetch", { anchors: 0, tokens: 0 }, 20_000, 0],
    // The view again 20,000 * 0.1, output 100 * 5, the text 300 * (1.25 + 10 * 0.1).
    ["a request, its output, the text", { anchors: 2, tokens: 300 }, 20_000, 2_000 + 500 + 675],
  ])("%s", (_, missing, view, price) => {
    expect(priceFetch(missing, view, PRICES)).toBeCloseTo(price, 9);
  });

  test("a view that is too small for the cache is paid in full", () => {
    const prices = { ...PRICES, minimumPrefix: 1_024 };
    expect(priceFetch({ anchors: 1, tokens: 0 }, 1_000, prices)).toBe(1_250 + 500);
  });

  test("without a cache all of it costs the same", () => {
    const prices = { ...PRICES, write: 1, read: 1 };
    expect(priceFetch({ anchors: 1, tokens: 100 }, 5_000, prices)).toBe(5_000 + 500 + 100 * 11);
  });
});

/** All results of a session are masked; `uses` is the text of its last answer. */
function missesOf(results: readonly string[], uses: Line) {
  const calls = results.flatMap((text, i) => [
    call(`c${i}`, "shell", { command: `x${i}` }),
    result(`c${i}`, text),
  ]);
  const recording = makeRecording([user("go"), ...calls, uses]);
  const bench = prepareReplay(recording, { prices: { "*": PRICES }, prefixTokens: 1000 });
  return { unpruned: bench.unpruned, masked: bench.run(keepLastResults(0)) };
}

function tokensOf(text: string): number {
  return countPart({ kind: "result", role: "tool", callId: "c0", leaves: [{ id: "output", text }] } as never);
}

const RATE = `applyRate ${tokens(50)}`;
const RATE_AND_MORE = `applyRate ${tokens(400)}`;
const TAX = `computeTax ${tokens(70)}`;

describe("the text that a step misses", () => {
  test.each([
    ["one name: the part that holds it", [RATE], "applyRate", 1, tokensOf(RATE)],
    ["two names in two parts: both", [RATE, TAX], "applyRate computeTax", 2, tokensOf(RATE) + tokensOf(TAX)],
    ["a name in two parts: the smaller", [RATE_AND_MORE, RATE], "applyRate", 1, tokensOf(RATE)],
    [
      "two names in one part: once",
      [`${TAX} applyRate`],
      "applyRate computeTax",
      2,
      tokensOf(`${TAX} applyRate`),
    ],
    [
      "a large part: no more than a recall brings",
      [`applyRate ${tokens(9_000)}`],
      "applyRate",
      1,
      MOST_FETCHED,
    ],
    ["nothing that it uses", [RATE], "done", 0, 0],
  ])("%s", (_, results, says, anchors, fetched) => {
    const { masked, unpruned } = missesOf(results, answer(says));
    const last = masked.requests.at(-1);
    expect(last?.missing).toEqual({ anchors, tokens: fetched });
    const price = anchors === 0 ? 0 : 0.1 * (last?.tokens ?? 0) + 500 + fetched * 2.25;
    expect(last?.fetching).toBeCloseTo(price, 6);
    expect(masked.fetched).toBeCloseTo(masked.bill + price, 6);
    expect(masked.misses).toBe(anchors === 0 ? 0 : 1);
    expect([unpruned.fetched, unpruned.misses]).toEqual([unpruned.bill, 0]);
  });

  test("an edited line counts, and counts once if it is also an anchor", () => {
    const line = "const applyRateToOrder = 1;";
    const edit = call("e", "edit", { path: "a.ts", old_string: line, new_string: "" });
    expect(missesOf([`${line}\n${tokens(60)}`], edit).masked.requests.at(-1)?.missing.anchors).toBe(2);
    const name = "applyRateToOrder";
    const other = call("e", "edit", { path: "a.ts", old_string: name, new_string: "" });
    expect(missesOf([`${line}\n${tokens(60)}`], other).masked.requests.at(-1)?.missing.anchors).toBe(1);
  });

  test("text that the agent itself wrote first is not a miss", () => {
    const lines = [user("go"), answer("so applyRate"), user("ok"), answer("applyRate")];
    const dropsAnswers = {
      name: "no answers",
      start: () => (messages: readonly unknown[]) => messages.filter((_, i) => i % 2 === 0),
    };
    expect(prepareReplay(makeRecording(lines)).run(dropsAnswers).misses).toBe(0);
  });
});

test("a row: the bill with misses as a share of the unpruned bill, and the share of steps", () => {
  const { masked, unpruned } = missesOf([RATE, TAX, "nothing"], answer("applyRate"));
  const row = summarizeReplays("masked", [masked], [unpruned]);
  expect(row.fetched.mean).toBe(masked.fetchedShare);
  // In the whole bill, answers included, each token of input has the same price.
  const price = (masked.share - 1) / (masked.bill - unpruned.bill);
  expect(masked.fetchedShare).toBeCloseTo(1 + price * (masked.fetched - unpruned.bill), 9);
  expect(masked.fetchedShare).toBeGreaterThan(masked.share);
  // Four requests, and only the last one misses something.
  expect(row.misses).toBe(0.25);
  expect(summarizeReplays("none", [unpruned])).toMatchObject({ fetched: { mean: 1 }, misses: 0 });
  expect(prepareReplay(makeRecording([user("go"), answer("ok")])).run(noPruning).fetched).toBeGreaterThan(0);
});
