import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Usage } from "../transcript/message.ts";
import type { UndoLog } from "../transcript/undo-log.ts";
import {
  charge,
  correctHit,
  correctUncached,
  EMPTY_SIDE,
  priceNote,
  priceRequest,
  type Side,
} from "./bill.ts";
import { countUncached, effectivePrices, isKnown } from "./cache-model.ts";
import { type Calibration, calibrate, predict, UNCALIBRATED } from "./calibration.ts";
import { type CachedRequest, type CachedText, type DecidedRequest, findCached } from "./prompt-cache.ts";
import { goesOnFrom, NO_READING, provenWindow, type Trust, weigh } from "./trust.ts";

interface State {
  /** Consecutive responses that reported input but no cache read. */
  misses: number;
  /** The time of the last request, and the pause before it, in milliseconds. */
  time: number | undefined;
  pause: number;
  /** The longest pause after which the provider still had text that seemed expired. */
  provenLife: number;
  /**
   * The sum of the cache read prices of all requests. Its growth while a token waits is the rent that the token has
   * paid.
   */
  rentClock: number;
  with: Side;
  without: Side;
  uncut: Side;
  /** The largest request that the provider has accepted, by its own count. The window is at least this large. */
  largest: number;
  calibration: Calibration;
  trust: Trust;
  afterCuts: AfterCuts;
}

/** How often the provider's cache was lost after a cut. */
interface AfterCuts {
  /** Did the last request have a cut in cached text? */
  readonly isNewest: boolean;
  readonly reported: number;
  /** Of these: requests for which the cache had also lost much of the text before the cut. */
  readonly lost: number;
}

/** One request in one of the running sums. Tokens are estimated and include the text before the first message. */
export type SideRequest = Pick<CachedRequest, "total" | "blocks" | "kept" | "marks">;

/** One request to be billed. */
export interface BilledRequest {
  readonly with: SideRequest;
  readonly without: SideRequest;
  /** With everything that Coppice adds (tools, tags), and nothing cut. */
  readonly uncut: SideRequest;
  /** Tokens of a note at its end, which the next request will not have. */
  readonly note: number;
  readonly prices: CachePrices;
  readonly profile: ModelProfile;
  readonly time: number | undefined;
  /** When the previous request was sent again to keep its cache entries. */
  readonly warmedAt?: number | undefined;
  /** The response to the previous request, if the provider has cached it too. */
  readonly answer?: CachedRequest["answer"];
}

/** A request whose usage the provider has reported. */
export interface ReportedRequest {
  readonly profile: ModelProfile;
  /** Part of the transcript was not sent, so the count can't be used for calibration. */
  readonly cut: boolean;
  /** Estimated tokens of the text before the first message. */
  readonly prefix: number;
  /** The window that the host or the model profile states. */
  readonly window: number;
}

/** Share of the bill that cuts may lose if the session ends right after the last cut. */
const RISKED_SHARE = 0.01;

/**
 * If a request reads less than this share of the tokens expected in the cache, the cache was lost. Estimates can be
 * off by this much.
 */
const LEAST_FOUND = 0.5;

/** A share of few requests says little. So this many requests with an intact cache are added to the count. */
const PRIOR_REQUESTS = 4;

/** The bills of a session with and without Coppice, the provider's cache, and the facts that usage figures reveal. */
export class Account {
  readonly #state: State = {
    misses: 0,
    time: undefined,
    pause: 0,
    provenLife: 0,
    rentClock: 0,
    with: EMPTY_SIDE,
    without: EMPTY_SIDE,
    uncut: EMPTY_SIDE,
    largest: 0,
    calibration: UNCALIBRATED,
    trust: NO_READING,
    afterCuts: { isNewest: false, reported: 0, lost: 0 },
  };
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
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

  /** The text that the next request finds in the cache. */
  findCached(request: DecidedRequest): CachedText {
    return findCached(this.with.cache, request, this.#state.provenLife);
  }

  pricesFor(profile: ModelProfile): CachePrices {
    return effectivePrices(this.#state.misses, profile);
  }

  /** The price of the newest request in one of the sums. */
  priceNewest({ last }: Side, profile: ModelProfile): number {
    const prices = this.pricesFor(profile);
    return priceRequest(last, prices) + priceNote(last, prices);
  }

  /** Do usage figures show how the provider counts? */
  get isCalibrated(): boolean {
    return this.#state.calibration.first !== undefined;
  }

  /** Predicts the provider's count for a request of this many estimated tokens. */
  predict(estimated: number): number {
    return predict(this.#state.calibration, estimated);
  }

  /** The given window, or the largest request that the provider has accepted, if that is larger. */
  windowOf(window: number): number {
    return Math.max(window, this.#state.largest);
  }

  /** The most that a cut may lose with this request: the savings of earlier cuts, and a little more. */
  get allowance(): number {
    return this.#state.uncut.bill * (1 + RISKED_SHARE) - this.with.bill;
  }

  /**
   * The share of cuts after which the provider had also lost the text before the cut, smoothed by `PRIOR_REQUESTS`.
   */
  get missShare(): number {
    const { reported, lost } = this.#state.afterCuts;
    return lost / (reported + PRIOR_REQUESTS);
  }

  /** Is the bill higher than without Coppice, by more than the price of rewriting this many tokens? */
  isBehind(tokens: number, prices: CachePrices): boolean {
    return this.with.bill - this.without.bill > (prices.write - prices.read) * tokens;
  }

  /**
   * Learns from the provider's usage report on the last request. Returns the reported input count if it is not
   * believed; then the whole report is ignored. Of the first report only the cache figures are used: a count is
   * believed only if it agrees with an earlier one.
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
    const found = usage.cacheRead / (counted / estimated);
    this.#noteMiss(found, this.pricesFor(profile));
    this.#noteHit(found, this.pricesFor(profile));
    this.#put("misses", countUncached(state.misses, usage));
    if (isFirst) return undefined;
    const proven = provenWindow(before.believed ?? before.unconfirmed, reading, terms);
    this.#put("largest", Math.max(state.largest, proven));
    if (!cut) {
      const { believed } = before;
      // The two newest counts agree with each other but not with the believed one: the system prompt has changed.
      const isNew = believed && !goesOnFrom(believed, reading, terms.window);
      const { ratio } = state.calibration;
      const calibration = isNew ? { ...UNCALIBRATED, ratio } : state.calibration;
      this.#put("calibration", calibrate(calibration, { counted, estimated }));
    }
    return undefined;
  }

  /** Adds a request to all sums and advances the rent clock. */
  bill(request: BilledRequest): void {
    const state = this.#state;
    const { note, prices, profile, time, warmedAt, answer } = request;
    const { provenLife } = state;
    // No spread here, nor for requests and marks: Node 20 needs about a microsecond for each new field after a
    // spread.
    const sendAs = ({ total, blocks, kept, marks }: SideRequest): CachedRequest => ({
      model: profile.plainId,
      prices,
      time,
      warmedAt,
      answer,
      provenLife,
      total,
      blocks,
      kept,
      marks,
    });
    const { breaks } = state.with;
    this.#put("with", charge(state.with, sendAs(request.with), note));
    this.#put("without", charge(state.without, sendAs(request.without)));
    this.#put("uncut", charge(state.uncut, sendAs(request.uncut), note));
    this.#put("rentClock", state.rentClock + prices.read);
    this.#put("pause", time !== undefined && state.time !== undefined ? Math.max(0, time - state.time) : 0);
    this.#put("time", time ?? state.time);
    const { reported, lost } = state.afterCuts;
    this.#put("afterCuts", { isNewest: state.with.breaks > breaks, reported, lost });
  }

  /**
   * Bills the last request again if the provider found much less in its cache than expected. A cut does not affect
   * the text before it, so the loss would have happened without Coppice too. But cuts get more expensive
   * (`missShare`).
   */
  #noteMiss(found: number, prices: CachePrices): void {
    const { afterCuts, with: side, without, uncut } = this.#state;
    if (side.last.cached === 0) return;
    const share = found / side.last.cached;
    const isLost = share < LEAST_FOUND;
    if (afterCuts.isNewest)
      this.#put("afterCuts", {
        isNewest: false,
        reported: afterCuts.reported + 1,
        lost: afterCuts.lost + (isLost ? 1 : 0),
      });
    if (!isLost) return;
    this.#put("with", correctUncached(side, share, prices));
    this.#put("without", correctUncached(without, share, prices));
    this.#put("uncut", correctUncached(uncut, share, prices));
  }

  /**
   * Bills the last request again if the provider still had text that seemed expired: the other sums would have had it
   * too.
   */
  #noteHit(found: number, prices: CachePrices): void {
    const { with: side, without, uncut } = this.#state;
    const { cached, unexpired = cached } = side.last;
    if (found <= cached || unexpired <= cached || found < LEAST_FOUND * unexpired) return;
    this.#put("provenLife", Math.max(this.#state.provenLife, this.#state.pause));
    this.#put("with", correctHit(side, prices));
    this.#put("without", correctHit(without, prices));
    this.#put("uncut", correctHit(uncut, prices));
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.#undoLog.put(this.#state, key, value);
  }
}
