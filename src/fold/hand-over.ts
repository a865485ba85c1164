import { attempt } from "../edits/attempt.ts";
import type { Workbench } from "../edits/workbench.ts";
import { type Cleared, Clearing, NOTHING_CLEARED } from "../facts/clearing.ts";
import type { Kept } from "../schedule/prompt-cache.ts";
import type { AppliedCut } from "../schedule/scheduler.ts";
import type { ClearingRule } from "../transcript/clearing-rule.ts";

/** How the provider counts a request. */
export interface ProviderCount {
  /** The provider's count for a whole request with this many tokens of messages. */
  readonly count: (tokens: number) => number;
  /** The provider's tokens per token of ours. */
  readonly ratio: number;
}

/** The results that a provider clears of one request itself, and those that it would clear with nothing cut. */
export interface HandedOver {
  readonly cleared: Cleared;
  readonly clearedUncut: Cleared;
}

const NOTHING: HandedOver = { cleared: NOTHING_CLEARED, clearedUncut: NOTHING_CLEARED };

/**
 * The results that the provider clears itself, if requests ask for that: Coppice does not cut them, and no sum counts
 * them.
 */
export class HandOver {
  readonly #bench: Workbench;
  readonly #sent: Clearing;
  readonly #uncut: Clearing;
  readonly #newest: () => HandedOver | undefined;

  /** @param newest returns the cleared results of the newest request */
  constructor(bench: Workbench, newest: () => HandedOver | undefined) {
    const { transcript, facts, view } = bench;
    this.#bench = bench;
    this.#newest = newest;
    this.#sent = new Clearing(transcript, facts.calls, view.tokens);
    this.#uncut = new Clearing(transcript, facts.calls, transcript.tokens);
  }

  /** The cleared results of the newest request. */
  get newest(): HandedOver {
    return this.#newest() ?? NOTHING;
  }

  /** Must be called once for each request. Returns the results that are cleared if nothing is cut. */
  follow(rule: ClearingRule | undefined, counting: ProviderCount): Cleared {
    this.#sent.follow(rule);
    this.#uncut.follow(rule);
    return this.#find(counting);
  }

  isCleared(part: number, cleared: Cleared = this.newest.cleared): boolean {
    return this.#sent.has(part, cleared);
  }

  /** The results that would be cleared with nothing cut. */
  findUncut(original: number, { count, ratio }: ProviderCount): Cleared {
    return this.#uncut.of(count(original), ratio);
  }

  /** Makes the cut, unless the provider would then stop clearing, so that more is sent than without the cut. */
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
   * The text that the messages as sent have in common with the start of the previous request; `undefined` if they
   * have all of it.
   *
   * @param changed the first part that a cut has changed, if that is before `unsentFrom`
   */
  findKept(cleared: Cleared, changed: number, unsentFrom: number): Kept | undefined {
    const from = Math.min(changed, this.#sent.firstDifference(this.newest.cleared, cleared) ?? changed);
    return from >= unsentFrom ? undefined : { blocks: from, tokens: this.countBefore(from, cleared) };
  }

  /** Tokens of the messages as sent, before a part. */
  countBefore(part: number, cleared: Cleared): number {
    if (part === 0) return 0;
    return this.#bench.view.total - cleared.tokens - this.#sent.sumFrom(part, cleared);
  }

  /** Like `findKept`, but with nothing cut. */
  findKeptUncut(cleared: Cleared, original: number): Kept | undefined {
    const from = this.#uncut.firstDifference(this.newest.clearedUncut, cleared);
    return from === undefined
      ? undefined
      : { blocks: from, tokens: this.countUncutBefore(from, cleared, original) };
  }

  /** Tokens of the original messages before a part. */
  countUncutBefore(part: number, cleared: Cleared, original: number): number {
    if (part === 0) return 0;
    return original - cleared.tokens - this.#uncut.sumFrom(part, cleared);
  }

  /** Tokens of each part that reach the model with the newest request, with Coppice on or off. */
  listSent(isOn: boolean): readonly number[] {
    const { cleared, clearedUncut } = this.newest;
    return isOn ? this.#sent.listLeft(cleared) : this.#uncut.listLeft(clearedUncut);
  }

  #find({ count, ratio }: ProviderCount): Cleared {
    return this.#sent.of(count(this.#bench.view.total), ratio);
  }
}
