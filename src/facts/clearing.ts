import type { ClearingRule } from "../transcript/clearing-rule.ts";
import { sameValue } from "../transcript/same-value.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFacts } from "./calls.ts";

/** What a provider clears of one request itself. */
export interface Cleared {
  /** Tokens that this takes out. */
  readonly tokens: number;
  /** How many of the session's first results it looks at; 0 where it clears nothing. */
  readonly results: number;
  readonly rule?: ClearingRule;
}

export const NOTHING_CLEARED: Cleared = { tokens: 0, results: 0 };

/** Tokens that the provider leaves in place of a result, or of an input. */
const LEFT = 10;

interface State {
  rule: ClearingRule | undefined;
  /** How many of the first results are counted. */
  results: number;
  tokens: number;
}

/**
 * What a provider would clear, by the rule that the requests name: the oldest results first, all but those of the newest
 * calls. Grows with the session and is rolled back with it; without a rule it does nothing.
 */
export class Clearing {
  readonly #state: State = { rule: undefined, results: 0, tokens: 0 };
  /** By part, the tokens that clearing it takes out. */
  readonly #taken = new Map<number, number>();
  readonly #transcript: Transcript;
  readonly #calls: CallFacts;
  readonly #tokens: readonly number[];

  /** @param tokens per part, as they are in the requests */
  constructor(transcript: Transcript, calls: CallFacts, tokens: readonly number[]) {
    this.#transcript = transcript;
    this.#calls = calls;
    this.#tokens = tokens;
  }

  /** Takes in what has become old since, and what counts now. */
  follow(rule: ClearingRule | undefined): void {
    if (!sameValue(rule, this.#state.rule)) this.#begin(rule);
    if (!rule) return;
    const { results } = this.#calls;
    const end = Math.max(this.#state.results, results.length - rule.keep);
    for (let i = this.#state.results; i < end; i++) this.#count(results[i] ?? 0, rule);
    this.#put("results", end);
  }

  /** Counts these parts again, or all. */
  recount(parts: Iterable<number> = this.#taken.keys()): void {
    for (const part of parts) if (this.#taken.has(part)) this.#take(part);
  }

  /**
   * What is cleared of a request that the provider counts so many tokens for, at so many for one of ours. What was dropped
   * counts as a call here.
   */
  of(counted: number, ratio: number): Cleared {
    const { rule, results, tokens } = this.#state;
    if (!rule || tokens === 0) return NOTHING_CLEARED;
    const { aboveTokens, aboveCalls = 0, least = 0 } = rule;
    const isAbove =
      aboveTokens === undefined ? this.#calls.results.length > aboveCalls : counted > aboveTokens;
    return isAbove && tokens * ratio >= least ? { tokens, results, rule } : NOTHING_CLEARED;
  }

  /** Of the newest request: is this part cleared? */
  has(part: number, { results }: Cleared): boolean {
    return results > 0 && (this.#taken.get(part) ?? 0) > 0;
  }

  /** Tokens of the parts from this one on that are left of the newest request. */
  sumFrom(from: number, cleared: Cleared): number {
    let total = 0;
    for (let i = from; i < this.#tokens.length; i++)
      total += this.has(i, cleared) ? LEFT : (this.#tokens[i] ?? 0);
    return total;
  }

  /** Tokens per part that are left of the newest request. */
  listLeft(cleared: Cleared): readonly number[] {
    if (cleared.results === 0) return this.#tokens;
    return this.#tokens.map((count, i) => (this.has(i, cleared) ? LEFT : count));
  }

  /** The first part that is cleared in one of two requests in a row and not in the other. */
  firstDifference(before: Cleared, now: Cleared): number | undefined {
    const isSame = sameValue(before.rule, now.rule);
    const start = isSame ? Math.min(before.results, now.results) : 0;
    const end = Math.max(before.results, now.results);
    for (let i = start; i < end; i++) {
      const result = this.#calls.results[i] ?? 0;
      const call = this.#calls.of(result)?.call ?? result;
      for (const part of [call, result]) if ((this.#taken.get(part) ?? 0) > 0) return part;
    }
    return undefined;
  }

  /** Another rule: all is counted anew. */
  #begin(rule: ClearingRule | undefined): void {
    for (const part of [...this.#taken.keys()]) this.#transcript.undoLog.remove(this.#taken, part);
    this.#put("rule", rule);
    this.#put("results", 0);
    this.#put("tokens", 0);
  }

  #count(result: number, { spared, inputs }: ClearingRule): void {
    const call = this.#calls.of(result)?.call;
    const part = call === undefined ? undefined : this.#transcript.part(call);
    const tool = part?.kind === "call" ? part.tool : "";
    if (spared?.includes(tool)) return;
    this.#take(result);
    if (call !== undefined && (inputs === true || inputs?.includes(tool))) this.#take(call);
  }

  #take(part: number): void {
    const taken = Math.max(0, (this.#tokens[part] ?? 0) - LEFT);
    this.#put("tokens", this.#state.tokens - (this.#taken.get(part) ?? 0) + taken);
    this.#transcript.undoLog.set(this.#taken, part, taken);
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.#transcript.undoLog.put(this.#state, key, value);
  }
}
