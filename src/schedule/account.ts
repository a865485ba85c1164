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
  /** Responses in a row that reported input but no cache read. */
  misses: number;
  /** When the last request was made, and how long after the one before; in milliseconds. */
  time: number | undefined;
  pause: number;
  /** The longest pause after which the provider still had what was taken to have expired. */
  provenLife: number;
  /** The sum of r over all requests. Its growth while a token waits is the rent that the token has paid. */
  rentClock: number;
  with: Side;
  without: Side;
  uncut: Side;
  /** The largest request that the provider has accepted, by its own count. The window is at least as large. */
  largest: number;
  calibration: Calibration;
  trust: Trust;
  afterCuts: AfterCuts;
}

/** What the provider's cache made of requests with a cut. */
interface AfterCuts {
  /** Did the last request have one, in a warm cache? */
  readonly isNewest: boolean;
  readonly reported: number;
  /** Of these: the cache had lost much of what stands before the cut as well. */
  readonly lost: number;
}

/** One request, as one of the sums has it. Tokens are estimated and include what stands before the first message. */
export type SideRequest = Pick<CachedRequest, "total" | "blocks" | "kept" | "marks">;

/** One request to be billed. */
export interface BilledRequest {
  readonly with: SideRequest;
  readonly without: SideRequest;
  /** With all that Coppice adds (tools, tags), and nothing cut. */
  readonly uncut: SideRequest;
  /** Tokens of a note behind it, which the next request will not have. */
  readonly note: number;
  readonly prices: CachePrices;
  readonly profile: ModelProfile;
  readonly time: number | undefined;
  /** When the request before was sent again to keep its entries. */
  readonly warmedAt?: number | undefined;
  /** The answer to the request before, where the provider has cached it too. */
  readonly answer?: CachedRequest["answer"];
}

/** What is known of a request that the provider reports on. */
export interface ReportedRequest {
  readonly profile: ModelProfile;
  /** Not the whole transcript was sent, so nothing can be learned from its count. */
  readonly cut: boolean;
  /** Estimated tokens of what stands before the first message. */
  readonly prefix: number;
  /** As the host or the model profile gives it. */
  readonly window: number;
}

/** Share of the bill that cuts may lose if the session ends right after the last of them. */
const RISKED_SHARE = 0.01;

/** Of what should be cached at least this share is found, or the cache was lost. Estimates are that far from counts. */
const LEAST_FOUND = 0.5;

/** With few requests a share says little: after so many more the cache is taken to have been there. */
const PRIOR_REQUESTS = 4;

/** The bills of a session with and without Coppice, the provider's cache, and what its usage figures have told. */
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

  /** What the next request finds in the cache. */
  findCached(request: DecidedRequest): CachedText {
    return findCached(this.with.cache, request, this.#state.provenLife);
  }

  pricesFor(profile: ModelProfile): CachePrices {
    return effectivePrices(this.#state.misses, profile);
  }

  /** What the newest request of one of the sums costs. */
  priceNewest({ last }: Side, profile: ModelProfile): number {
    const prices = this.pricesFor(profile);
    return priceRequest(last, prices) + priceNote(last, prices);
  }

  /** Is it known from usage figures how the provider counts? */
  get isCalibrated(): boolean {
    return this.#state.calibration.first !== undefined;
  }

  /** What the provider will count for a request of this many estimated tokens. */
  predict(estimated: number): number {
    return predict(this.#state.calibration, estimated);
  }

  /** The window as given, or the largest request that the provider has accepted, if that is larger. */
  windowOf(window: number): number {
    return Math.max(window, this.#state.largest);
  }

  /** What a cut may lose with this request: what cuts have saved so far, and a little more. */
  get allowance(): number {
    return this.#state.uncut.bill * (1 + RISKED_SHARE) - this.with.bill;
  }

  /** The share of cuts after which the provider had lost what stands before them, too, as far as few can tell. */
  get missShare(): number {
    const { reported, lost } = this.#state.afterCuts;
    return lost / (reported + PRIOR_REQUESTS);
  }

  /** Does the bill exceed that without Coppice by more than it costs to rewrite this many tokens? */
  isBehind(tokens: number, prices: CachePrices): boolean {
    return this.with.bill - this.without.bill > (prices.write - prices.read) * tokens;
  }

  /**
   * Takes in what the provider reported of the last request. Returns its count of the input where that is not believed;
   * then nothing of the report is used. Of the first report only the cache figures are used: a count is believed only
   * when it agrees with an earlier one.
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
    // Written out, as are requests and marks: Node 20 takes about a microsecond for each new field behind a spread.
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
   * Bills the last request again where the provider found much less in its cache than it should have. What stands before a
   * cut is not lost by it, so that would have come without Coppice too; but cuts get more expensive (`missShare`).
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

  /** Bills the last request again where the provider found what was taken to have expired: the others would have too. */
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
