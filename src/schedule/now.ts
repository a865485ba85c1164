import type { Cut } from "../edits/edit.ts";
import type { Draft } from "../edits/guard.ts";
import type { Guarded } from "../edits/refusal.ts";
import type { Delta } from "../facts/facts.ts";
import type { CachePrices, ReasoningRule } from "../models/profile.ts";
import type { CachedText } from "./prompt-cache.ts";

/** One boundary, as the scheduler sees it. */
export interface Now {
  readonly request: number;
  /** What it added; nothing where a cut is only tried. */
  readonly delta?: Delta;
  readonly reasoning: ReasoningRule;
  readonly prices: CachePrices;
  /** Tokens of what stands before the first message. */
  readonly prefix: number;
  /** What of the request is in the provider's cache, if nothing is cut. */
  readonly cached: CachedText;
  /** Tokens of the request as the provider would count them before this boundary's cut, against its window. */
  readonly usedBefore: number;
  readonly window: number;
  /** Parts from here on were never sent. */
  readonly unsentFrom: number;
  /** Does the provider clear this part itself? */
  isCleared(part: number): boolean;
  guard(draft: Draft): Guarded<Cut>;
}
