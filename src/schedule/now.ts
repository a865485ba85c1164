import type { Guard } from "../edits/guard.ts";
import type { Delta } from "../facts/facts.ts";
import type { CachePrices, ReasoningRule } from "../models/profile.ts";
import type { CachedText } from "./prompt-cache.ts";

/** A request as the scheduler sees it, before its cut. */
export interface Now {
  readonly request: number;
  /** What it added to the transcript; `undefined` in a rehearsal. */
  readonly delta?: Delta;
  readonly reasoning: ReasoningRule;
  readonly prices: CachePrices;
  /** Tokens before the first message. */
  readonly prefix: number;
  /** The text that the provider has cached, if nothing is cut. */
  readonly cached: CachedText;
  /** Tokens of the request before its cut, as the provider would count them against its window. */
  readonly usedBefore: number;
  readonly window: number;
  /** Parts from here on were never sent. */
  readonly unsentFrom: number;
  /** Does the provider clear this part itself? */
  isCleared(part: number): boolean;
  readonly guard: Guard;
}
