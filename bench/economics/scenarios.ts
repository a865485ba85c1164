import type { ModelOverrides } from "../../src/models/profile.ts";

/** Other terms under which the same sessions are billed. */
export interface Scenario {
  readonly name: string;
  readonly prices: ModelOverrides;
  /** Every session has the cache of this model, with the prices above. Without it each model keeps its own. */
  readonly pricedAs?: string;
  readonly prefixTokens: number | "recorded";
}

const MINUTES = 60_000;
const PREFIX = 8_000;

/** One of each kind of cache, with a window that all sessions fit into. */
const AT_MARKS = "claude-opus-4-8";
const EVERY_PREFIX = "gpt-5.5";

function billed(write: number, read: number, minutes: number): ModelOverrides["*"] & object {
  return { write, read, ttl: minutes * MINUTES, minimumPrefix: 1_024 };
}

function cached(pricedAs: string, write: number, read: number, minutes: number): Omit<Scenario, "name"> {
  return { prices: { "*": billed(write, read, minutes) }, pricedAs, prefixTokens: PREFIX };
}

export const SCENARIOS: readonly Scenario[] = [
  { name: "each model's own cache and prices", prices: {}, prefixTokens: PREFIX },
  { name: "marks, w 1.25, r 0.1, 5 min", ...cached(AT_MARKS, 1.25, 0.1, 5) },
  { name: "marks, w 1.25, r 0.025, 5 min", ...cached(AT_MARKS, 1.25, 0.025, 5) },
  { name: "marks, w 2, r 0.1, 1 h", ...cached(AT_MARKS, 2, 0.1, 60) },
  { name: "prefixes, w 1, r 0.1, 10 min", ...cached(EVERY_PREFIX, 1, 0.1, 10) },
  { name: "prefixes, w 1, r 0.02, 3 h", ...cached(EVERY_PREFIX, 1, 0.02, 180) },
  { name: "no cache (w 1, r 1)", prices: { "*": billed(1, 1, 5) }, prefixTokens: PREFIX },
  {
    name: "as the second, reasoning bound",
    prices: { "*": { ...billed(1.25, 0.1, 5), reasoning: "bound" } },
    pricedAs: AT_MARKS,
    prefixTokens: PREFIX,
  },
  { name: "as recorded", prices: {}, prefixTokens: "recorded" },
];

/** The policies that are looked at under all terms. */
export const SCENARIO_POLICIES: readonly string[] = ["all but 3 at 100k", "Coppice", "Coppice eager"];
