import type { ModelProfile } from "../models/profile.ts";
import type { PaidRequest } from "../recordings/recording.ts";
import { isKnown } from "../schedule/cache-model.ts";
import { priceUsage } from "../schedule/usage-cost.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";

/** Money in US dollars. */
export interface Amounts {
  readonly input: number;
  readonly output: number;
}

/** A request of a session: its recorded data, and estimates for missing data. */
export interface RequestToBook extends Pick<MessageMeta, "time" | "cost"> {
  readonly model?: string;
  readonly usage?: Usage;
  /** The cost model's figures for the session as it was. */
  readonly modelled: {
    /** Tokens sent, and how many of them were cached. */
    readonly tokens: number;
    readonly cached: number;
    /** In tokens of plain input. */
    readonly bill: number;
    /** Tokens of the answer. */
    readonly output: number;
  };
}

/** One request in the book. Plain data. */
export interface BookEntry extends Amounts {
  /** `request`: one of the session's own, as the replay counts them. */
  readonly kind: "request" | PaidRequest["kind"];
  readonly time?: number;
  readonly model?: string;
  readonly tokens: Usage;
  /** Which of the two amounts are estimated. */
  readonly estimated: { readonly input: boolean; readonly output: boolean };
  /** The input amount depends on cache prices that no price list has; it counts as an estimate. */
  readonly isCacheAssumed?: true;
  /** Neither the model's price nor the payment is known: the amounts use a model of average price. */
  readonly unpriced?: true;
}

/**
 * In US dollars per million tokens: the price of a standard Claude model. Used for shares of a bill whose model has
 * no known price.
 */
const MIDDLING = 3;

export function dollarsPerToken({ dollarsPerMillion = MIDDLING }: ModelProfile): number {
  return dollarsPerMillion / 1e6;
}

export function bookRequest(request: RequestToBook, profile: ModelProfile): BookEntry {
  const { time, model, cost, usage, modelled } = request;
  const isCounted = isKnown(usage);
  const hasOutput = usage !== undefined;
  const counted: Usage = {
    ...(isCounted ? usage : describeModelled(modelled)),
    output: hasOutput ? usage.output : modelled.output,
  };
  const priced = priceUsage(counted, profile);
  const amounts = toDollars(
    { input: isCounted ? priced.input : modelled.bill, output: priced.output },
    profile,
  );
  return {
    kind: "request",
    ...describe({ time, model }),
    tokens: counted,
    ...settle(amounts, cost, { input: !isCounted, output: !hasOutput }, { model, counted, profile }),
  };
}

/** A paid request outside the session's own. `estimated`: nothing was recorded, and its usage is an estimate. */
export interface AsideToBook extends PaidRequest {
  readonly estimated?: true;
}

/** An aside without usage has only a recorded cost. */
export function bookAside(
  { kind, time, model, usage, cost, estimated }: AsideToBook,
  profile: ModelProfile,
): BookEntry {
  const counted = usage ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const amounts = toDollars(priceUsage(counted, profile), profile);
  return {
    kind,
    ...describe({ time, model }),
    tokens: counted,
    ...settle(
      amounts,
      cost,
      { input: estimated === true, output: estimated === true },
      { model, counted, profile },
    ),
  };
}

function describeModelled({ tokens, cached }: RequestToBook["modelled"]): Usage {
  return { input: tokens - cached, cacheRead: cached, cacheWrite: 0, output: 0 };
}

function describe({ time, model }: { time: number | undefined; model: string | undefined }) {
  return { ...(time !== undefined && { time }), ...(model !== undefined && { model }) };
}

function toDollars({ input, output }: Amounts, profile: ModelProfile): Amounts {
  const price = dollarsPerToken(profile);
  return { input: input * price, output: output * price };
}

/** The inputs for computing amounts. */
interface Basis {
  readonly model: string | undefined;
  readonly counted: Usage;
  readonly profile: ModelProfile;
}

/**
 * A recorded payment is used as it is, split by prices. A payment of zero means a subscription: the book shows the
 * price of the tokens, unless the model is free.
 */
function settle(
  amounts: Amounts,
  cost: number | undefined,
  estimated: BookEntry["estimated"],
  { model, counted, profile }: Basis,
): Amounts & Pick<BookEntry, "estimated" | "isCacheAssumed" | "unpriced"> {
  if (cost === undefined || (cost <= 0 && !isFree(model))) {
    if (profile.dollarsPerMillion === undefined) return { ...amounts, estimated, unpriced: true };
    const usesCache = counted.cacheRead > 0 || counted.cacheWrite > 0;
    if (profile.cacheKnown || !usesCache) return { ...amounts, estimated };
    return { ...amounts, estimated: { ...estimated, input: true }, isCacheAssumed: true };
  }
  const whole = amounts.input + amounts.output;
  const share = whole > 0 ? amounts.input / whole : 1;
  return { input: cost * share, output: cost * (1 - share), estimated: { input: false, output: false } };
}

/** `deepseek-v4-flash-free`, `qwen/qwen3-coder:free`. */
function isFree(model: string | undefined): boolean {
  return model !== undefined && /[-:]free$/i.test(model.slice(-8));
}
