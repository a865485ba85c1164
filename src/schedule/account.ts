import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Journal } from "../transcript/journal.ts";
import type { Usage } from "../transcript/message.ts";
import { charge, chargeNote, correctMiss, EMPTY_SIDE, type Side } from "./bill.ts";
import {
  type CacheState,
  EMPTY_CACHE,
  effectivePrices,
  isCold,
  isKnown,
  noteRequest,
  noteUsage,
} from "./cache-model.ts";
import { type Calibration, calibrate, predict, UNCALIBRATED } from "./calibration.ts";
import { goesOnFrom, NO_READING, provenWindow, type Trust, weigh } from "./trust.ts";

interface State {
  cache: CacheState;
  /** The sum of r over all requests: what a waiting token has paid since a reading of it. */
  rentClock: number;
  with: Side;
  without: Side;
  uncut: Side;
  /** The largest request that the provider has taken, by its own count: the window is no smaller. */
  largest: number;
  calibration: Calibration;
  trust: Trust;
}

/** One request, for the books. Tokens are estimated and include what stands before the first message. */
export interface BilledRequest {
  readonly with: number;
  readonly without: number;
  /** With all that Coppice adds (tools, tags) and nothing cut. */
  readonly uncut: number;
  /** How much of the last request this one begins with; `undefined`: all of it. */
  readonly kept: number | undefined;
  /** Tokens of a note behind it, which the next request will not have. */
  readonly note: number;
  readonly cold: boolean;
  readonly prices: CachePrices;
  readonly profile: ModelProfile;
  readonly time: number | undefined;
}

/** What is known of a request that the provider reports on. */
export interface ReportedRequest {
  readonly profile: ModelProfile;
  /** It was not the whole transcript, so it teaches no counting. */
  readonly cut: boolean;
  /** Tokens that the estimate has for what stands before the first message. */
  readonly prefix: number;
  /** As it was given. */
  readonly window: number;
}

/** Share of the bill that cuts may lose, were the session to end with the last of them. */
const RISKED_SHARE = 0.01;

/** A session's books: the sums with and without Coppice, the state of the provider's cache, and what its usage figures have taught. */
export class Account {
  readonly #state: State = {
    cache: EMPTY_CACHE,
    rentClock: 0,
    with: EMPTY_SIDE,
    without: EMPTY_SIDE,
    uncut: EMPTY_SIDE,
    largest: 0,
    calibration: UNCALIBRATED,
    trust: NO_READING,
  };
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get with(): Side {
    return this.#state.with;
  }

  get without(): Side {
    return this.#state.without;
  }

  get rentClock(): number {
    return this.#state.rentClock;
  }

  get calibration(): Calibration {
    return this.#state.calibration;
  }

  isCold(profile: ModelProfile, time: number | undefined): boolean {
    return isCold(this.#state.cache, profile, time);
  }

  pricesFor(profile: ModelProfile): CachePrices {
    return effectivePrices(this.#state.cache, profile);
  }

  /** Has the provider said how it counts? */
  get isCalibrated(): boolean {
    return this.#state.calibration.first !== undefined;
  }

  /** What the provider will count for a request of so many estimated tokens. */
  predict(estimated: number): number {
    return predict(this.#state.calibration, estimated);
  }

  /** The window as it was given, or as large as the provider has proved it to be. */
  windowOf(given: number): number {
    return Math.max(given, this.#state.largest);
  }

  /** What may be spent on a cut now: what cuts have saved so far, and a little more. */
  get allowance(): number {
    return this.#state.uncut.bill * (1 + RISKED_SHARE) - this.with.bill;
  }

  /** More than one rewrite of so many tokens behind the unpruned bill? */
  isBehind(tokens: number, prices: CachePrices): boolean {
    return this.with.bill - this.without.bill > (prices.write - prices.read) * tokens;
  }

  /**
   * What the provider reported of the last request. Gives its count of the input where that can't be right: then nothing
   * of the report is used. What the first says of counting is used once a second one bears it out.
   */
  noteUsage(usage: Usage | undefined, { profile, cut, prefix, window }: ReportedRequest): number | undefined {
    const state = this.#state;
    const { last } = state.with;
    if (!isKnown(usage) || last.total === 0) return undefined;
    const counted = usage.input + usage.cacheRead + usage.cacheWrite;
    const estimated = last.total + (last.note ?? 0);
    const before = state.trust;
    const reading = { counted, with: estimated, without: state.without.last.total };
    const terms = { prefix, window: this.windowOf(window) };
    this.#put("trust", weigh(before, reading, terms));
    const isBelieved = state.trust.believed === reading;
    const isFirst = before === NO_READING && state.trust.unconfirmed === reading;
    if (!isBelieved && !isFirst) return counted;
    if (usage.cacheRead === 0) {
      const prices = this.pricesFor(profile);
      this.#put("with", correctMiss(state.with, prices));
      this.#put("without", correctMiss(state.without, prices));
      this.#put("uncut", correctMiss(state.uncut, prices));
    }
    this.#put("cache", noteUsage(state.cache, usage));
    if (isFirst) return undefined;
    const proven = provenWindow(before.believed ?? before.unconfirmed, reading, terms);
    this.#put("largest", Math.max(state.largest, proven));
    if (!cut) {
      const { believed } = before;
      // Two that go on from each other and not from what was believed: the prompt before the messages has changed.
      const isNew = believed && !goesOnFrom(believed, reading, terms.window);
      const { ratio } = state.calibration;
      const calibration = isNew ? { ...UNCALIBRATED, ratio } : state.calibration;
      this.#put("calibration", calibrate(calibration, { counted, estimated }));
    }
    return undefined;
  }

  /** Adds a request to both sums and lets the rent run on. */
  bill({ kept, note, cold, prices, profile, time, ...totals }: BilledRequest): void {
    const state = this.#state;
    const add = (side: Side, total: number, held = side.last.total) =>
      charge(side, total, held, cold, prices);
    const addNote = (side: Side) => (note > 0 ? chargeNote(side, note, prices) : side);
    this.#put("with", addNote(add(state.with, totals.with, kept)));
    this.#put("without", add(state.without, totals.without));
    this.#put("uncut", addNote(add(state.uncut, totals.uncut)));
    this.#put("rentClock", state.rentClock + prices.read);
    this.#put("cache", noteRequest(state.cache, profile, time));
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.#journal.put(this.#state, key, value);
  }
}
