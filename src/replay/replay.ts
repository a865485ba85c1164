import type { Issue } from "../basics/issue.ts";
import { formatByName } from "../formats/detect.ts";
import { doubtPrices } from "../models/doubt-prices.ts";
import type { ModelOverrides, ModelProfile } from "../models/profile.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import type { Recording } from "../recordings/recording.ts";
import { createToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { RequestToBook } from "./book-entry.ts";
import { estimateCompactions } from "./estimate-compactions.ts";
import { countPlainly, fitUsage, pricesUnder, type UsageFit } from "./fit-usage.ts";
import { type Book, openBook, type RequestLeft } from "./open-book.ts";
import { noPruning, type RecordingInfo, type ReplayPolicy } from "./replay-policy.ts";
import { type RecordedAnswer, type ReplayedRequest, SegmentReplay } from "./replay-segment.ts";
import type { RecordedTerms } from "./requests.ts";
import { addUp, type ReplayTotals } from "./totals.ts";

export interface ReplayOptions {
  /** Overrides the price library, as in the configuration: `{ "*": { read: 0.1 } }`. */
  readonly prices?: ModelOverrides;
  /** Bills all requests as if this model had answered: for names that only a gateway knows. */
  readonly pricedAs?: string | null;
  /**
   * System prompt and tool schemas, in tokens, because recordings do not contain them. `recorded`, the default:
   * requests are counted and cached as recorded usage shows; without usage, it is 8,000. A number is a fixed value
   * for comparisons: then all tokens are our own estimate, and recorded usage is ignored.
   */
  readonly prefixTokens?: number | "recorded";
  /** `false`: evidence is measured only for policies that ask for it, which is faster if you need only money. */
  readonly evidence?: boolean;
}

/** A session under a policy, request by request. */
export interface Replay extends ReplayTotals {
  readonly requests: readonly ReplayedRequest[];
}

/** The prices and counts for the text of a request. */
export interface BillTerms {
  /** Tokens before the first message. */
  readonly prefix: number;
  /** Was it found from recorded usage, or is it a fixed value? */
  readonly isRecorded: boolean;
  /** Provider tokens per estimated token. */
  readonly scale: number;
  /** Price of a cached token and of a new one, relative to plain input. */
  readonly read: number;
  readonly write: number;
}

/** A recording for replays under several policies. */
export interface ReplayBench {
  readonly unpruned: Replay;
  /** The session's cost, request by request. */
  readonly book: Book;
  /** How the requests of a model are counted and priced. */
  termsOf(model: string | undefined): BillTerms;
  /** @param evidence is evidence measured? Unless said, as the bench was prepared */
  run(policy: ReplayPolicy, evidence?: boolean): Replay;
}

/** What a policy would have sent at each recorded request, and what that would have cost and lost (spec/9). */
export function replayRecording(
  recording: Recording,
  policy: ReplayPolicy,
  options: ReplayOptions = {},
): Replay {
  return prepareReplay(recording, options).run(policy);
}

/**
 * Computes the data that all policies share: the decoded session, its anchors, the unpruned replay and the
 * payments.
 */
export function prepareReplay(recording: Recording, options: ReplayOptions = {}): ReplayBench {
  const { prices = {}, pricedAs = null, prefixTokens = "recorded", evidence = true } = options;
  const isRecorded = prefixTokens === "recorded";
  const only = recording.models.length === 1 ? recording.models[0] : undefined;
  const terms: RecordedTerms = { isRecorded, ...(only !== undefined && { model: only }) };
  const segments = openSegments(recording, terms);
  const profileOf = (model: string | undefined) => profilePricedAs(model, pricedAs, prices);
  const countingFor = chooseCounting(segments, profileOf, prefixTokens);
  const info = describeRecording(recording, options, countingFor(profileOf(recording.models[0])), terms);

  function send(policy: ReplayPolicy, measured = evidence) {
    const issues: Issue[] = [];
    const sending = {
      evidence: measured,
      decide: policy.start(info),
      profileFor: profileOf,
      countingFor,
      overheadTokens: policy.overheadTokens ?? 0,
      pingBudget: policy.pingBudget ?? 0,
      report: (issue: Issue) => issues.push(issue),
    };
    const requests = segments.flatMap((segment, i) => {
      const later = segments.slice(i + 1).find((each) => each.requests.length > 0);
      return segment.run({
        ...sending,
        nextTime: later ? later.requests[0]?.time : Number.POSITIVE_INFINITY,
      });
    });
    return { requests, issues };
  }

  const whole = send(noPruning);
  const answers = segments.flatMap((segment) => segment.listAnswers());
  const book = openBook(
    whole.requests.map((request, i) =>
      toBook(request, answers[i] ?? { estimate: 0 }, countingFor(profileOf(request.model)), isRecorded),
    ),
    isRecorded
      ? [...recording.asides, ...estimateCompactions(recording, whole.requests, profileOf, countingFor)]
      : [],
    profileOf,
  );

  function report(policy: ReplayPolicy, { requests, issues }: ReturnType<typeof send>): Replay {
    const { dollars, share, inputShare } = book.price(listBills(requests));
    return {
      policy: policy.name,
      requests,
      ...addUp(requests, whole.requests),
      ...(book.unpriced.length === 0 && { dollars }),
      share,
      inputShare,
      worstStop: findWorstStop(book.priceRequests(listBills(requests))),
      rewriteFreeShare: book.price(requests.map(({ rewriteFree, pings }) => rewriteFree + pings.bill)).share,
      fetchedShare: book.price(requests.map(({ bill, fetching, pings }) => bill + fetching + pings.bill))
        .share,
      issues: [...describeTimes(requests), ...describeModels(requests, profileOf), ...issues],
    };
  }

  return {
    unpruned: report(noPruning, whole),
    book,
    termsOf(model) {
      const profile = profileOf(model);
      const counting = countingFor(profile);
      const { read, write } = pricesUnder(counting, profile);
      return {
        prefix: counting.prefix,
        isRecorded: counting.isRecorded === true,
        scale: counting.scale,
        read,
        write,
      };
    },
    run: (policy, measured) => report(policy, send(policy, measured)),
  };
}

const PREFIX_TOKENS = 8_000;

/** How the requests of each model are counted: from usage, by the model's default, or by a fixed value. */
function chooseCounting(
  segments: readonly SegmentReplay[],
  profileOf: (model: string | undefined) => ModelProfile,
  prefixTokens: number | "recorded",
): (profile: ModelProfile) => UsageFit {
  if (prefixTokens !== "recorded") {
    const counting = countPlainly(prefixTokens);
    return () => counting;
  }
  const fits = fitUsage(segments.flatMap((segment) => segment.sample(profileOf)));
  return ({ plainId, tokensPerEstimate }) =>
    fits.get(plainId) ?? countPlainly(PREFIX_TOKENS, tokensPerEstimate);
}

function toBook(
  { model, time, tokens, cached, bill }: ReplayedRequest,
  { usage, cost, estimate }: RecordedAnswer,
  { scale }: UsageFit,
  isRecorded: boolean,
): RequestToBook {
  return {
    ...(model !== undefined && { model }),
    ...(time !== undefined && { time }),
    ...(isRecorded && usage && { usage }),
    ...(isRecorded && cost !== undefined && { cost }),
    modelled: { tokens, cached, bill, output: Math.round(scale * estimate) },
  };
}

/** The largest remaining share of the payments after any of the requests. */
function findWorstStop(requests: readonly RequestLeft[]): number {
  let [paid, left, worst] = [0, 0, 0];
  for (const request of requests) {
    paid += request.paid;
    left += request.left;
    if (paid > 0) worst = Math.max(worst, left / paid);
  }
  return worst;
}

/** Including pings. */
export function listBills(requests: readonly ReplayedRequest[]): readonly number[] {
  return requests.map(({ bill, pings }) => bill + pings.bill);
}

/** A policy counts by our own estimate, including the prefix. */
function describeRecording(
  { source, format, session, window, isCompactionPeak, mayMark = !NO_FREE_MARK.has(source) }: Recording,
  { prices = {}, pricedAs }: ReplayOptions,
  { prefix, scale }: UsageFit,
  terms: RecordedTerms,
): RecordingInfo {
  return {
    source,
    format,
    ...(session !== undefined && { session }),
    prices,
    ...(typeof pricedAs === "string" && { pricedAs }),
    prefixTokens: Math.round(prefix / scale),
    // A compaction's peak is no limit: the provider would have accepted larger requests.
    ...(terms.isRecorded && window !== undefined && !isCompactionPeak && { window }),
    ...(mayMark && { mayMark }),
    ...terms,
  };
}

/** OpenCode sets all four marks that a request may have; pi sets its own after its extensions have run. */
const NO_FREE_MARK: ReadonlySet<Recording["source"]> = new Set(["opencode", "pi"]);

function openSegments(recording: Recording, terms: RecordedTerms): readonly SegmentReplay[] {
  const format = formatByName(recording.format);
  const kinds = createToolKinds();
  const segments: SegmentReplay[] = [];
  let requests = 0;
  for (const segment of recording.segments) {
    const place = { segment: segments.length, requests };
    const opened = new SegmentReplay(segment, place, format, kinds, terms);
    segments.push(opened);
    requests += opened.requests.length;
  }
  return segments;
}

function describeTimes(requests: readonly ReplayedRequest[]): readonly Issue[] {
  const missing = requests.filter(({ time }) => time === undefined).length;
  if (missing === 0) return [];
  const message = `${missing} of ${requests.length} requests have no time: Coppice assumes a warm cache there`;
  return [{ code: "no-times", message, severity: "info" }];
}

function describeModels(
  requests: readonly ReplayedRequest[],
  profileOf: (model: string | undefined) => ModelProfile,
): readonly Issue[] {
  const models = [...new Set(requests.map(({ model }) => model))];
  return models.flatMap((model) => doubtPrices(profileOf(model)));
}
