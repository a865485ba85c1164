import type { ModelOverrides } from "../../src/models/profile.ts";

/** Other terms under which the same sessions are billed. */
export interface Scenario {
  readonly name: string;
  readonly prices: ModelOverrides;
  readonly prefixTokens: number | "recorded";
}

const MINUTES = 60_000;
const PREFIX = 8_000;

function billed(write: number, read: number, minutes: number): ModelOverrides["*"] & object {
  return { write, read, ttl: minutes * MINUTES, minimumPrefix: 1_024 };
}

export const SCENARIOS: readonly Scenario[] = [
  { name: "each model's own prices", prices: {}, prefixTokens: PREFIX },
  { name: "w 1.25, r 0.1, 5 min", prices: { "*": billed(1.25, 0.1, 5) }, prefixTokens: PREFIX },
  { name: "w 1.25, r 0.025, 5 min", prices: { "*": billed(1.25, 0.025, 5) }, prefixTokens: PREFIX },
  { name: "w 2, r 0.1, 1 h", prices: { "*": billed(2, 0.1, 60) }, prefixTokens: PREFIX },
  { name: "no cache (w 1, r 1)", prices: { "*": billed(1, 1, 5) }, prefixTokens: PREFIX },
  {
    name: "as the second, reasoning bound",
    prices: { "*": { ...billed(1.25, 0.1, 5), reasoning: "bound" } },
    prefixTokens: PREFIX,
  },
  { name: "as recorded, with output", prices: {}, prefixTokens: "recorded" },
];

/** The policies that are looked at under all terms. */
export const SCENARIO_POLICIES: readonly string[] = [
  "clear_tool_uses (100k, 3)",
  "all but 3 at 100k",
  "Coppice",
  "Coppice + tools",
  "Coppice eager",
];
