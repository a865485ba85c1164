import type { ClearingRule } from "../transcript/clearing-rule.ts";
import { sameValue } from "../transcript/same-value.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFacts } from "./calls.ts";

/** Text that a provider clears from one request itself. */
export interface Cleared {
  /** Tokens that this removes. */
  readonly tokens: number;
  /** How many of the session's first results are considered; 0 if nothing is cleared. */
  readonly results: number;
  readonly rule?: ClearingRule;
}

export const NOTHING_CLEARED: Cleared = { tokens: 0, results: 0 };

/** Tokens that the provider leaves in place of a result or an input. */
const LEFT = 10;

interface State {
  rule: ClearingRule | undefined;
  /** How many of the first results are counted. */
  results: number;
  tokens: number;
}

/**
 * Computes the text that a provider would clear, by the rule of the requests: the oldest results first, except
 * those of the newest calls. Grows with the session and is rolled back with it; without a rule it does nothing.
 */
export class Clearing {
  readonly #state: State = { rule: undefined, results: 0, tokens: 0 };
  /** By part, the tokens that clearing it removes. */
  readonly #taken = new Map<number, number>();
  readonly #transcript: Transcript;
  readonly #calls: CallFacts;
  readonly #tokens: readonly number[];

  /** @param tokens per part, as in the requests */
  constructor(transcript: Transcript, calls: CallFacts, tokens: readonly number[]) {
    this.#transcript = transcript;
    this.#calls = calls;
    this.#tokens = tokens;
  }

  /** Adds parts that have become old, and counts the current ones. */
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
   * The text cleared from a request that has `counted` provider tokens, with `ratio` provider tokens for each of
   * ours. A dropped call still counts as a call here.
   */
  of(counted: number, ratio: number): Cleared {
    const { rule, results, tokens } = this.#state;
    if (!rule || tokens === 0) return NOTHING_CLEARED;
    const { aboveTokens, aboveCalls = 0, least = 0 } = rule;
    const isAbove =
      aboveTokens === undefined ? this.#calls.results.length > aboveCalls : counted > aboveTokens;
    return isAbove && tokens * ratio >= least ? { tokens, results, rule } : NOTHING_CLEARED;
  }

  /** Is this part cleared from the newest request? */
  has(part: number, { results }: Cleared): boolean {
    return results > 0 && (this.#taken.get(part) ?? 0) > 0;
  }

  /** The remaining tokens of the newest request, from this part on. */
  sumFrom(from: number, cleared: Cleared): number {
    let total = 0;
    for (let i = from; i < this.#tokens.length; i++)
      total += this.has(i, cleared) ? LEFT : (this.#tokens[i] ?? 0);
    return total;
  }

  /** The remaining tokens of the newest request, per part. */
  listLeft(cleared: Cleared): readonly number[] {
    if (cleared.results === 0) return this.#tokens;
    return this.#tokens.map((count, i) => (this.has(i, cleared) ? LEFT : count));
  }

  /** The first part that is cleared in only one of two consecutive requests. */
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

  /** The rule has changed: counts everything again. */
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
