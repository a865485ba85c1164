import type { Issue } from "../basics/issue.ts";
import type { Format } from "../formats/format.ts";
import { joinResponses } from "../intake/decode.ts";
import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { Segment } from "../recordings/recording.ts";
import { priceRequest } from "../schedule/bill.ts";
import { type CacheState, EMPTY_CACHE, isCold, isKnown, noteRequest } from "../schedule/cache-model.ts";
import { priceInput } from "../schedule/usage-cost.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";
import { type MeasuredEvidence, SegmentEvidence } from "./evidence.ts";
import { listNewIssues, listVoidReasoning } from "./legality.ts";
import { priceFetch } from "./misses.ts";
import { NO_PINGS, type PausePings, type Pings, pingUntil } from "./pings.ts";
import type { DecideView, ReplayCut } from "./replay-policy.ts";
import { listKnown, listRequests, type RecordedRequest } from "./requests.ts";
import { findCommonPrefix, MessageReader, type SentMessage } from "./sent-view.ts";
import { sum } from "./sum.ts";

/** One recorded request under a policy. Bills are in tokens of plain input. */
export interface ReplayedRequest extends MeasuredEvidence {
  /** Counts over the whole session. */
  readonly index: number;
  readonly segment: number;
  readonly model?: string;
  readonly time?: number;
  /** What is sent. */
  readonly view: readonly unknown[];
  /** What the policy cut for the first time, if it says so. */
  readonly cuts: readonly ReplayCut[];
  /** Tokens sent, the constant prefix included. */
  readonly tokens: number;
  /** How many of these tokens were cached. */
  readonly cached: number;
  /** Without the pings after it. */
  readonly bill: number;
  /** What it and the pings after it come to in US dollars, where the model's price is known. */
  readonly dollars?: number;
  /** How often it was sent again to keep its prefix cached until the next one. */
  readonly pings: Pings;
  /** What the provider counted for the request as it was really made, under no policy. */
  readonly recorded?: RecordedUsage;
  /** The bill if text that was sent before never had to be written to the cache again. */
  readonly rewriteFree: number;
  /** What it would cost to fetch all that the answer uses and the view does not have. */
  readonly fetching: number;
  /** Nothing of the previous request was cached any more. */
  readonly cold: boolean;
  /** The cache was warm, but the view no longer begins with the previous one. */
  readonly breaksCache: boolean;
  /** What the provider would refuse, though not in the unpruned request. */
  readonly illegal: readonly Issue[];
}

/** A provider's own count of a request, and what that came to in tokens of plain input. */
export interface RecordedUsage extends Usage {
  readonly bill: number;
}

/** What all requests of a replay share. */
export interface ReplayTerms {
  readonly decide: DecideView;
  readonly profileFor: (model: string | undefined) => ModelProfile;
  /** System prompt, tool schemas and what the policy adds to them. */
  readonly prefixTokens: number;
  /** As in `ReplayPolicy`; 0 is no pings. */
  readonly pingBudget: number;
  readonly report: (issue: Issue) => void;
}

/** A segment that policies can be replayed on; what all of them need is made once. */
export class SegmentReplay {
  readonly requests: readonly RecordedRequest[];
  readonly #segment: Segment;
  readonly #known: readonly MessageMeta[];
  readonly #number: number;
  readonly #firstIndex: number;
  readonly #format: Format;
  readonly #reader: MessageReader;
  readonly #evidence: SegmentEvidence;

  /** `place`: the segment's number, and how many requests the session had before it. */
  constructor(
    segment: Segment,
    place: { readonly segment: number; readonly requests: number },
    format: Format,
    kinds: ToolKinds,
  ) {
    this.#segment = segment;
    this.#known = listKnown(segment);
    this.#number = place.segment;
    this.#firstIndex = place.requests;
    this.#format = format;
    this.#reader = new MessageReader(format);
    const decoded = joinResponses(segment.messages.map((message) => this.#reader.read(message).decoded));
    this.requests = listRequests(segment, decoded);
    this.#evidence = new SegmentEvidence(decoded, this.requests, kinds);
  }

  /** `nextTime`: of the first request after this segment; `Infinity` if there is none, `undefined` if it is not known. */
  run(terms: ReplayTerms & { readonly nextTime: number | undefined }): readonly ReplayedRequest[] {
    const evidence = this.#evidence.follow();
    let cache: CacheState = EMPTY_CACHE;
    let last: LastRequest = { view: [], sent: [], total: 0, isLegal: false };
    let paused: PausePings = NO_PINGS;
    return this.requests.map((request, i) => {
      const { model, time, added } = request;
      const { messages, view, cuts } = this.#decide(request, i, terms, paused.last);
      const profile = terms.profileFor(model);
      const cold = isCold(cache, profile, time, paused.last);
      cache = noteRequest(cache, profile, time);

      const sent = view.map((message, at) => {
        const before = last.sent[at];
        return before && message === last.view[at] ? before : this.#reader.read(message, before);
      });
      const common = findCommonPrefix(last.sent, sent);
      const total = terms.prefixTokens + sum(sent.map(({ tokens }) => tokens));
      const kept = terms.prefixTokens + common.tokens;
      const fresh = Math.min(total - kept, sum(sent.slice(-added).map(({ tokens }) => tokens)));
      const price = (held: number) => priceRequest({ total, cached: cold ? 0 : held }, profile.cache);
      const isCached = !cold && kept >= profile.cache.minimumPrefix;
      const isCut = kept < last.total;
      const bill = price(kept);
      const following = this.requests[i + 1];
      const next = following ? following.time : terms.nextTime;
      paused =
        time !== undefined && next !== undefined
          ? pingUntil(next, { tokens: total, time }, profile.cache, terms.pingBudget)
          : NO_PINGS;
      const pings = { count: paused.count, bill: paused.bill };
      const usage = this.#segment.meta[request.end]?.usage;

      const stays =
        last.isLegal &&
        common.messages === last.sent.length &&
        goesOn(view, messages, common.messages, added);
      const illegal = stays ? [] : listNewIssues(this.#format, view, messages, profile);
      evidence.move(last.sent, sent, common.messages);
      const measured = evidence.measure(i);
      last = { view: view.slice(), sent, total, isLegal: illegal.length === 0 };
      return {
        index: this.#firstIndex + i,
        segment: this.#number,
        ...(model !== undefined && { model }),
        ...(time !== undefined && { time }),
        view,
        cuts,
        tokens: total,
        cached: isCached ? kept : 0,
        bill,
        ...(profile.dollarsPerMillion !== undefined && {
          dollars: ((bill + pings.bill) * profile.dollarsPerMillion) / 1e6,
        }),
        pings,
        ...(isKnown(usage) && { recorded: { ...usage, bill: priceUsage(usage, profile.cache) } }),
        rewriteFree: price(total - fresh),
        cold,
        breaksCache: isCut && !cold,
        ...measured,
        fetching: priceFetch(measured.missing, total, profile.cache),
        illegal: [...illegal, ...(isCut ? listVoidReasoning(sent, common, profile.reasoning) : [])],
      };
    });
  }

  /** What the provider counted for the first request beyond its messages; `undefined` without recorded usage. */
  recordedPrefix(): number | undefined {
    const end = this.requests[0]?.end ?? 0;
    const usage = this.#segment.meta[end]?.usage;
    if (!isKnown(usage)) return undefined;
    const messages = this.#segment.messages.slice(0, end);
    const counted = usage.input + usage.cacheRead + usage.cacheWrite;
    return Math.max(0, counted - sum(messages.map((message) => this.#reader.read(message).tokens)));
  }

  #decide(
    request: RecordedRequest,
    i: number,
    { decide, report }: ReplayTerms,
    warmedAt: number | undefined,
  ) {
    const { end, model, time } = request;
    const messages = this.#segment.messages.slice(0, end);
    const cuts: ReplayCut[] = [];
    const view = decide(messages, {
      index: this.#firstIndex + i,
      segment: this.#number,
      carried: this.#segment.carried,
      ...(model !== undefined && { model }),
      ...(time !== undefined && { time }),
      ...(warmedAt !== undefined && { warmedAt }),
      meta: this.#known.slice(0, end),
      note: (noted) => {
        for (const cut of noted) cuts.push(cut);
      },
      report,
    });
    return { messages, view, cuts };
  }
}

interface LastRequest {
  /** A copy: a policy may go on with its list. */
  readonly view: readonly unknown[];
  /** Its messages, taken apart. */
  readonly sent: readonly SentMessage[];
  readonly total: number;
  /** Is the view legal on its own? Reasoning that a cut makes void does not count here. */
  readonly isLegal: boolean;
}

/**
 * Is the view the last one plus the messages that the recording added? Then a legal view stays legal. Validating every
 * view in full would make long sessions quadratic.
 */
function goesOn(
  view: readonly unknown[],
  messages: readonly unknown[],
  before: number,
  added: number,
): boolean {
  if (view.length !== before + added) return false;
  return messages.slice(-added).every((message, i) => message === view[before + i]);
}

/** Where a provider reports no writes, it is taken to write all uncached input to its cache. */
function priceUsage(usage: Usage, prices: CachePrices): number {
  return priceInput(usage, prices, usage.cacheWrite > 0 ? 1 : prices.write);
}
