import type { Issue } from "../basics/issue.ts";
import type { Format } from "../formats/format.ts";
import { joinResponses } from "../formats/intake/decode.ts";
import type { ModelProfile } from "../models/profile.ts";
import { profileCachedFor } from "../models/profile-for.ts";
import type { Segment } from "../recordings/recording.ts";
import { priceRequest } from "../schedule/bill.ts";
import { isKnown } from "../schedule/cache-model.ts";
import { NO_CACHE_YET, type PromptCache, sendThrough } from "../schedule/prompt-cache.ts";
import { priceUsage } from "../schedule/usage-cost.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";
import { type MeasuredEvidence, NO_EVIDENCE, SegmentEvidence } from "./evidence.ts";
import { pricesUnder, type Sample, type UsageFit } from "./fit-usage.ts";
import { listNewIssues, listVoidReasoning } from "./legality.ts";
import { priceFetch } from "./misses.ts";
import { NO_PINGS, type PausePings, type Pings, pingUntil } from "./pings.ts";
import { placeView } from "./place-view.ts";
import type { DecideView, ReplayCut } from "./replay-policy.ts";
import { listKnown, listRequests, type RecordedRequest, type RecordedTerms } from "./requests.ts";
import { findCommonPrefix, type MessageEnd, MessageReader, type SentMessage } from "./sent-view.ts";
import { sum } from "./sum.ts";

/** One recorded request under a policy. Bills are in tokens of plain input. */
export interface ReplayedRequest extends MeasuredEvidence {
  /** Counts over the whole session. */
  readonly index: number;
  readonly segment: number;
  readonly model?: string;
  readonly time?: number;
  /** The messages that are sent. */
  readonly view: readonly unknown[];
  /** The policy's new cuts, if it reports them. */
  readonly cuts: readonly ReplayCut[];
  /** Tokens sent, including the constant prefix. */
  readonly tokens: number;
  /** How many of these tokens were cached. */
  readonly cached: number;
  /** Without the pings after it. */
  readonly bill: number;
  /** How often it was sent again to keep its prefix cached until the next one. */
  readonly pings: Pings;
  /** The provider's count for the original request, without a policy. */
  readonly recorded?: RecordedUsage;
  /** The bill if text that was sent before never had to be written to the cache again. */
  readonly rewriteFree: number;
  /** The cost of fetching all text that the answer uses and the view does not have. */
  readonly fetching: number;
  /** Nothing of the previous request was cached any more. */
  readonly cold: boolean;
  /** The cache was warm, but the view no longer begins with the previous one. */
  readonly breaksCache: boolean;
  /** Errors that the provider would report here, but not for the unpruned request. */
  readonly illegal: readonly Issue[];
}

/** A provider's own count of a request, and its cost in tokens of plain input. */
export interface RecordedUsage extends Usage {
  readonly bill: number;
}

/** The answer to a request. */
export interface RecordedAnswer extends Pick<MessageMeta, "cost"> {
  /** Our estimate of its tokens. */
  readonly estimate: number;
  readonly usage?: Usage;
}

/** The terms that all requests of a replay share. */
export interface ReplayTerms {
  readonly decide: DecideView;
  readonly profileFor: (model: string | undefined) => ModelProfile;
  /** Returns how the provider counts. */
  readonly countingFor: (profile: ModelProfile) => UsageFit;
  /** Our estimate of the tokens that the policy adds to system prompt and tool schemas. */
  readonly overheadTokens: number;
  /** As in `ReplayPolicy`; 0 means no pings. */
  readonly pingBudget: number;
  readonly report: (issue: Issue) => void;
  /** Is evidence measured? */
  readonly evidence: boolean;
}

/** A segment for replays under several policies; data that all of them need is computed once. */
export class SegmentReplay {
  readonly requests: readonly RecordedRequest[];
  readonly #segment: Segment;
  readonly #known: readonly MessageMeta[];
  readonly #number: number;
  readonly #firstIndex: number;
  readonly #format: Format;
  readonly #reader: MessageReader;
  /** Made when it is first asked for. */
  readonly #evidence: () => SegmentEvidence;

  /**
   * @param place the segment's number, and the number of the session's requests before it
   * @param kinds the tool kinds for measuring evidence
   */
  constructor(
    segment: Segment,
    place: { readonly segment: number; readonly requests: number },
    format: Format,
    kinds: ToolKinds,
    terms: RecordedTerms,
  ) {
    this.#segment = segment;
    this.#known = listKnown(segment);
    this.#number = place.segment;
    this.#firstIndex = place.requests;
    this.#format = format;
    this.#reader = new MessageReader(format);
    const decoded = joinResponses(segment.messages.map((message) => this.#reader.read(message).decoded));
    this.requests = listRequests(segment, decoded, terms);
    let evidence: SegmentEvidence | undefined;
    this.#evidence = () => (evidence ??= new SegmentEvidence(decoded, this.requests, kinds));
  }

  /**
   * `nextTime`: the time of the first request after this segment; `Infinity` if there is none, `undefined` if
   * unknown.
   */
  run(terms: ReplayTerms & { readonly nextTime: number | undefined }): readonly ReplayedRequest[] {
    const evidence = terms.evidence ? this.#evidence().follow() : undefined;
    let cache: PromptCache = NO_CACHE_YET;
    let last: LastRequest = { view: [], sent: [], held: [], tokens: 0, isLegal: false };
    let paused: PausePings = NO_PINGS;
    return this.requests.map((request, i) => {
      const { model, time, added } = request;
      const listed = profileOf(request, terms);
      const { messages, view, cuts, own, hasNote } = this.#decide(request, i, terms, listed, paused.last);
      const counting = terms.countingFor(listed);
      const profile = { ...listed, cache: pricesUnder(counting, listed) };
      const sent = view.map((message, at) => {
        const before = last.sent[at];
        return before && message === last.view[at] ? before : this.#reader.read(message, before);
      });
      const common = findCommonPrefix(last.held, sent);
      const tokens = sum(sent.map((message) => message.tokens));
      const count = (estimate: number) =>
        Math.round(counting.prefix + counting.scale * (terms.overheadTokens + estimate));
      const total = count(tokens);
      const isCut = common.tokens < last.tokens;
      const outcome = sendThrough(cache, {
        model: profile.plainId,
        prices: profile.cache,
        time,
        warmedAt: paused.last,
        answer: last.answer && { blocks: last.answer.blocks, tokens: counting.scale * last.answer.tokens },
        ...placeView(sent, { common, count, own, hasNote }),
      });
      ({ cache } = outcome);
      const fresh = Math.min(tokens - common.tokens, sum(sent.slice(-added).map((each) => each.tokens)));
      const cold = outcome.unchanged <= count(0);
      const find = (held: number) =>
        counting.caches ? Math.round(held === 0 ? counting.shared : held * counting.hits) : 0;
      const longFactor =
        profile.longContext && total > profile.longContext.above ? profile.longContext.input : 1;
      const price = (held: number) =>
        priceRequest(
          { total, cached: find(held), marked: Math.max(find(held), outcome.marked) },
          profile.cache,
        ) * longFactor;
      const cached = find(outcome.read);
      const bill = price(outcome.read);
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
        common.messages >= last.sent.length &&
        goesOn(view, messages, last.sent.length, added);
      const illegal = stays ? [] : listNewIssues(this.#format, view, messages, profile);
      evidence?.move(last.sent, sent, Math.min(common.messages, last.sent.length));
      const measured = evidence?.measure(i) ?? NO_EVIDENCE;
      const missing = { ...measured.missing, tokens: counting.scale * measured.missing.tokens };
      const answer = profile.cachesAnswers && this.#reader.read(this.#segment.messages[request.end]);
      last = {
        view: view.slice(),
        sent,
        held: answer ? [...sent, answer] : sent,
        ...(answer && { answer: { blocks: answer.decoded.parts.length, tokens: answer.tokens } }),
        tokens,
        isLegal: illegal.length === 0,
      };
      return {
        index: this.#firstIndex + i,
        segment: this.#number,
        ...(model !== undefined && { model }),
        ...(time !== undefined && { time }),
        view,
        cuts,
        tokens: total,
        cached,
        bill,
        pings,
        ...(isKnown(usage) && {
          recorded: { ...usage, bill: priceUsage(usage, terms.profileFor(model)).input },
        }),
        rewriteFree: price(Math.min(count(tokens - fresh), outcome.unchanged)),
        cold,
        breaksCache: isCut && outcome.read < outcome.unchanged,
        ...measured,
        fetching: priceFetch(missing, total, profile.cache) * longFactor,
        illegal: [...illegal, ...(isCut ? listVoidReasoning(sent, common, profile.reasoning) : [])],
      };
    });
  }

  /** The original requests, for the fit to recorded usage. */
  sample(profileFor: ReplayTerms["profileFor"]): readonly Sample[] {
    let estimate = 0;
    let blocks = 0;
    let next = 0;
    return this.requests.map((request, i) => {
      const before = { estimate, blocks };
      for (; next < request.end; next++) {
        const { tokens, decoded } = this.#reader.read(this.#segment.messages[next]);
        estimate += tokens;
        blocks += decoded.parts.length;
      }
      const profile = profileOf(request, { profileFor });
      const usage = this.#segment.meta[request.end]?.usage;
      const end = this.requests[i - 1]?.end;
      const answer = profile.cachesAnswers && end !== undefined ? this.#countMessage(end) : 0;
      return {
        index: this.#firstIndex + i,
        segment: this.#number,
        profile,
        time: request.time,
        estimate,
        blocks,
        kept: { blocks: before.blocks, tokens: before.estimate + answer },
        usage: isKnown(usage) ? usage : undefined,
      };
    });
  }

  /** The recorded data of the answers, and our estimate of their tokens. */
  listAnswers(): readonly RecordedAnswer[] {
    return this.requests.map(({ end }, i) => {
      const { usage, cost } = this.#segment.meta[end] ?? {};
      const next = this.requests[i + 1]?.end ?? this.#segment.messages.length;
      let estimate = 0;
      for (let at = end; at < next; at++) {
        if (this.#reader.read(this.#segment.messages[at]).decoded.role !== "assistant") break;
        estimate += this.#countMessage(at);
      }
      return { estimate, ...(usage && { usage }), ...(cost !== undefined && { cost }) };
    });
  }

  #countMessage(at: number): number {
    return this.#reader.read(this.#segment.messages[at]).tokens;
  }

  #decide(
    request: RecordedRequest,
    i: number,
    { decide, report }: ReplayTerms,
    { cache, longCache }: ModelProfile,
    warmedAt: number | undefined,
  ) {
    const { end, model, time, isLong } = request;
    const messages = this.#segment.messages.slice(0, end);
    const cuts: ReplayCut[] = [];
    let own: number | undefined;
    let hasNote = false;
    const view = decide(messages, {
      index: this.#firstIndex + i,
      segment: this.#number,
      carried: this.#segment.carried,
      ...(model !== undefined && { model }),
      ...(time !== undefined && { time }),
      ...(warmedAt !== undefined && { warmedAt }),
      ...(longCache && isLong && { ttl: cache.ttl }),
      meta: this.#known.slice(0, end),
      note: (noted) => {
        for (const cut of noted) cuts.push(cut);
      },
      mark: (message) => {
        own = message;
      },
      addNote: () => {
        hasNote = true;
      },
      report,
    });
    return { messages, view, cuts, own, hasNote };
  }
}

interface LastRequest {
  /** A copy, because a policy may continue with its own list. */
  readonly view: readonly unknown[];
  /** Its decoded messages. */
  readonly sent: readonly SentMessage[];
  /** The part of it that the cache holds, including its answer if that is cached. */
  readonly held: readonly SentMessage[];
  /** Its answer, if that is cached. */
  readonly answer?: MessageEnd;
  /** Our estimate of the tokens that were sent. */
  readonly tokens: number;
  /** Is the view legal on its own? Reasoning that a cut makes invalid does not count here. */
  readonly isLegal: boolean;
}

/** With the longer cache if the request asked for it. */
function profileOf(
  { model, isLong }: RecordedRequest,
  { profileFor }: Pick<ReplayTerms, "profileFor">,
): ModelProfile {
  const profile = profileFor(model);
  return isLong ? profileCachedFor(profile, profile.longCache?.ttl) : profile;
}

/**
 * Is the view the last one plus the messages that the recording added? Then a legal view stays legal. Validating
 * every view in full would take quadratic time.
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
