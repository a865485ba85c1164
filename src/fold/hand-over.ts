import { attempt } from "../edits/attempt.ts";
import { type Cleared, Clearing, NOTHING_CLEARED } from "../facts/clearing.ts";
import type { Kept } from "../schedule/prompt-cache.ts";
import type { AppliedCut } from "../schedule/scheduler.ts";
import type { ClearingRule } from "../transcript/clearing-rule.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** How the provider counts a request. */
export interface ProviderCount {
  /** For messages of so many tokens, what it counts for the whole request. */
  readonly count: (tokens: number) => number;
  /** What it counts for one token of ours. */
  readonly ratio: number;
}

/** What a provider clears of one request itself, and what it would clear with nothing cut. */
export interface HandedOver {
  readonly cleared: Cleared;
  readonly clearedUncut: Cleared;
}

const NOTHING: HandedOver = { cleared: NOTHING_CLEARED, clearedUncut: NOTHING_CLEARED };

/** What is left to the provider, where requests ask it to clear old results itself: it is not cut here, and in no sum. */
export class HandOver {
  readonly #bench: Workbench;
  readonly #sent: Clearing;
  readonly #uncut: Clearing;
  readonly #newest: () => HandedOver | undefined;

  /** @param newest what was handed over with the newest request */
  constructor(bench: Workbench, newest: () => HandedOver | undefined) {
    const { transcript, facts, view } = bench;
    this.#bench = bench;
    this.#newest = newest;
    this.#sent = new Clearing(transcript, facts.calls, view.tokens);
    this.#uncut = new Clearing(transcript, facts.calls, transcript.tokens);
  }

  /** Of the newest request. */
  get newest(): HandedOver {
    return this.#newest() ?? NOTHING;
  }

  /** To be called once at each boundary. Gives what is cleared if nothing is cut at it. */
  follow(rule: ClearingRule | undefined, counting: ProviderCount): Cleared {
    this.#sent.follow(rule);
    this.#uncut.follow(rule);
    return this.#find(counting);
  }

  isCleared(part: number, cleared: Cleared = this.newest.cleared): boolean {
    return this.#sent.has(part, cleared);
  }

  /** What would be cleared with nothing cut. */
  findUncut(original: number, { count, ratio }: ProviderCount): Cleared {
    return this.#uncut.of(count(original), ratio);
  }

  /** Makes the cut, unless the provider would then no longer clear, so that more is sent than without the cut. */
  cut(
    make: () => AppliedCut | undefined,
    before: Cleared,
    counting: ProviderCount,
  ): { readonly cut: AppliedCut | undefined; readonly cleared: Cleared } {
    const { view } = this.#bench;
    const tokens = view.total - before.tokens;
    const { refreshed } = view;
    const known = refreshed.length;
    return attempt(this.#bench, () => {
      const cut = make();
      this.#sent.recount(view.refreshed === refreshed ? refreshed.slice(known) : undefined);
      const cleared = this.#find(counting);
      const isBack = before.results > 0 && cleared.results === 0 && view.total > tokens;
      return !cut || cut.reason === "requested" || !isBack
        ? { keep: true, value: { cut, cleared } }
        : { keep: false, value: { cut: undefined, cleared: before } };
    });
  }

  /**
   * What the messages as sent have in common with the start of the request before; `undefined`: all that it had.
   *
   * @param changed the first part that a cut has changed, if that is before `unsentFrom`
   */
  findKept(cleared: Cleared, changed: number, unsentFrom: number): Kept | undefined {
    const from = Math.min(changed, this.#sent.firstDifference(this.newest.cleared, cleared) ?? changed);
    return from >= unsentFrom ? undefined : { blocks: from, tokens: this.countBefore(from, cleared) };
  }

  /** Tokens of the messages as sent that stand before a part. */
  countBefore(part: number, cleared: Cleared): number {
    if (part === 0) return 0;
    return this.#bench.view.total - cleared.tokens - this.#sent.sumFrom(part, cleared);
  }

  /** The same with nothing cut; `undefined`: all that it had. */
  findKeptUncut(cleared: Cleared, original: number): Kept | undefined {
    const from = this.#uncut.firstDifference(this.newest.clearedUncut, cleared);
    return from === undefined
      ? undefined
      : { blocks: from, tokens: this.countUncutBefore(from, cleared, original) };
  }

  /** Tokens of the original messages that stand before a part. */
  countUncutBefore(part: number, cleared: Cleared, original: number): number {
    if (part === 0) return 0;
    return original - cleared.tokens - this.#uncut.sumFrom(part, cleared);
  }

  /** Tokens per part that reach the model with the newest request, where Coppice is on and where it is not. */
  listSent(isOn: boolean): readonly number[] {
    const { cleared, clearedUncut } = this.newest;
    return isOn ? this.#sent.listLeft(cleared) : this.#uncut.listLeft(clearedUncut);
  }

  #find({ count, ratio }: ProviderCount): Cleared {
    return this.#sent.of(count(this.#bench.view.total), ratio);
  }
}
