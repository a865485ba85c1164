import { compareWork, describeCompared } from "../../src/analysis/compare-work.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import { fitUsage, type Sample } from "../../src/replay/fit-usage.ts";
import { openBook } from "../../src/replay/open-book.ts";
import type { Case } from "./measure.ts";
import { COUNT_SIZES } from "./sizes.ts";

/** The names of models come from recordings. */
const NAMES: Readonly<Record<string, (i: number) => string>> = {
  "one model": () => "claude-sonnet-4-5",
  "models in turn": (i) => `model-${i % 7}`,
  "a model for each request": (i) => `model-${i}`,
};

export function moneyCases(): readonly Case[] {
  const cases = Object.entries(NAMES).flatMap(([name, nameOf]): readonly Case[] => [
    { name: `fitUsage, ${name}`, sizes: COUNT_SIZES, prepare: (size) => prepareFit(size, nameOf) },
    { name: `openBook, ${name}`, sizes: COUNT_SIZES, prepare: (size) => prepareBook(size, nameOf) },
  ]);
  return [...cases, { name: "compareWork", sizes: COUNT_SIZES, prepare: prepareComparison }];
}

function prepareComparison(size: number): () => unknown {
  const sums = { startedAt: 0, lastAt: 0, tokensWith: 0, tokensWithout: 0, priced: 0, answered: 0, paid: 0 };
  const sessions = Array.from({ length: 10 * size }, (_, i) => ({
    ...sums,
    ...{ id: `s${i}`, requests: 1, pings: 0, cuts: i % 2 },
    arms: { pruned: i % 2, heldOut: 1 - (i % 2) },
    work: { ...NO_WORK, requests: 1, prompts: 1, edits: 1 + (i % 7), missedEdits: i % 3 === 0 ? 1 : 0 },
  }));
  return () => compareWork(sessions).rates?.map(describeCompared);
}

const USAGE = { input: 5, cacheRead: 900, cacheWrite: 100, output: 20 };
const PROFILE = profileFor("claude-sonnet-4-5");

function prepareFit(size: number, nameOf: (i: number) => string): () => unknown {
  const samples = Array.from({ length: size }, (_, i): Sample => {
    const profile = { ...PROFILE, plainId: nameOf(i) };
    const usage = { ...USAGE, cacheRead: 900 + 100 * i };
    return {
      index: i,
      segment: 0,
      profile,
      time: i * 400_000,
      estimate: 100 * i,
      blocks: i,
      kept: { blocks: i - 1, tokens: 90 * i },
      usage,
    };
  });
  return () => fitUsage(samples);
}

function prepareBook(size: number, nameOf: (i: number) => string): () => unknown {
  const modelled = { tokens: 1_000, cached: 900, bill: 200, output: 20 };
  const requests = Array.from({ length: size }, (_, i) => ({ model: nameOf(i), usage: USAGE, modelled }));
  const asides = requests.map(({ model }) => ({ kind: "subagent" as const, model, usage: USAGE }));
  return () => openBook(requests, asides, () => PROFILE).price(requests.map(() => 100));
}
