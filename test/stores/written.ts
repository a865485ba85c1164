import type { JournalRow, RequestSums, StoredAnswer } from "../../src/stores/store.ts";

/**
 * The data of the writer process: all of it follows from the writer's name and a number, so that half a row is
 * detected.
 */
export function rowOf(name: string, i: number): JournalRow {
  const terms = {
    time: i,
    model: `model of ${name} ${"x".repeat(i % 150)}`,
    window: i + 0.5,
    prefixTokens: i * 2,
    overheadTokens: i * 3,
  };
  return { key: `${name}/${i}`, terms, version: `${i}`, config: name };
}

export function answerTo(i: number): Required<StoredAnswer> {
  return {
    usage: { input: i + 1, cacheRead: i * 2, cacheWrite: i * 3, output: i * 4 },
    model: `answered ${i}`,
  };
}

export function requestOf(name: string, i: number): RequestSums {
  return {
    session: name,
    time: Date.UTC(2026, 10, 17 + (i % 3)),
    tokensWith: 1,
    tokensWithout: 2,
    costWith: 0.25,
    costWithout: 0.5,
    usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
    cuts: 1,
  };
}
