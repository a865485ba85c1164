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

/** A request of a session: what was recorded of it, and what stands in where nothing was. */
export interface RequestToBook extends Pick<MessageMeta, "time" | "cost"> {
  readonly model?: string;
  readonly usage?: Usage;
  /** What the model of the bill says, for the session as it was made. */
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
  /** Which of the two amounts rest on an estimate. */
  readonly estimated: { readonly input: boolean; readonly output: boolean };
  /** The amount of input rests on cache prices that no list has; it counts as an estimate. */
  readonly isCacheAssumed?: true;
  /** The model's price is not known, nor what was paid: the amounts are those of a model of middling price. */
  readonly unpriced?: true;
}

/** For shares of the bill of a model whose price is not known, in US dollars for a million tokens: a standard Claude model's. */
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

/** What was paid for beside the session's requests. `estimated`: nothing was recorded, and its usage is an estimate. */
export interface AsideToBook extends PaidRequest {
  readonly estimated?: true;
}

/** An aside without usage is one whose cost alone was recorded. */
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

/** What amounts were worked out from. */
interface Basis {
  readonly model: string | undefined;
  readonly counted: Usage;
  readonly profile: ModelProfile;
}

/**
 * What was recorded as paid counts, split as prices have it. A cost of nothing is a subscription's: what the tokens would
 * have cost is shown, unless the model is free.
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
