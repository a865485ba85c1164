import type { Issue } from "../basics/issue.ts";
import { type AuthorTotals, addUpByAuthor } from "./author-totals.ts";
import { type Compactions, countCompactions } from "./compactions.ts";
import type { Evidence, LostEdits } from "./evidence.ts";
import { NO_PINGS, type Pings } from "./pings.ts";
import type { ReplayedRequest } from "./replay-segment.ts";
import { sum } from "./sum.ts";

/** A session's totals under a policy: plain data. Bills are in tokens of plain input. */
export interface ReplayTotals {
  readonly policy: string;
  /** Number of requests, without pings. */
  readonly count: number;
  /** Input by the cost model, including pings. */
  readonly bill: number;
  /**
   * The whole bill in US dollars: recorded usage less the policy's savings. Present if the price of every model is
   * known.
   */
  readonly dollars?: number;
  /** `dollars` relative to the unpruned session, including output. */
  readonly share: number;
  /** The same for input alone. */
  readonly inputShare: number;
  /** A lower bound of `bill`: as if rewriting after a cut cost no more than reading. */
  readonly rewriteFree: number;
  /** The same for `share`. */
  readonly rewriteFreeShare: number;
  /** `bill` if every step that misses something fetches it: an upper bound for the cost of misses. */
  readonly fetched: number;
  /** The same for `share`. */
  readonly fetchedShare: number;
  /** The largest `share` that the session would have had if it had ended after any of its requests. */
  readonly worstStop: number;
  /** Number of steps that use text missing from the view. */
  readonly misses: number;
  /** Tokens of all requests and pings, for rate limits that ignore caches. */
  readonly sent: number;
  /** The uncached tokens, for rate limits that exclude cached ones. */
  readonly uncached: number;
  /** Tokens of the largest request. */
  readonly peak: number;
  readonly compactions: Compactions;
  readonly breaks: number;
  /** Requests sent again to keep the cache warm. */
  readonly pings: Pings;
  /**
   * The pings after the session's last request: a client that knew that the session had ended would not send them.
   */
  readonly pingsAtEnd: Pings;
  readonly evidence: Evidence;
  readonly editEvidence: Evidence;
  readonly lostEdits: LostEdits;
  readonly ownEvidence: Evidence;
  /** Number of errors that a provider would report. */
  readonly illegal: number;
  /** The cuts of each mechanism, in the order of first cuts; empty if the policy does not report them. */
  readonly mechanisms: readonly AuthorTotals[];
  /** Notes on these figures: missing times, unknown models, problems of the policy. */
  readonly issues: readonly Issue[];
}

/** `unpruned`: the same requests without a policy. */
export function addUp(
  requests: readonly ReplayedRequest[],
  unpruned: readonly ReplayedRequest[],
): Omit<
  ReplayTotals,
  "policy" | "dollars" | "share" | "inputShare" | "rewriteFreeShare" | "fetchedShare" | "worstStop" | "issues"
> {
  const addEvidence = (pick: (request: ReplayedRequest) => Evidence): Evidence => ({
    counted: sum(requests.map((request) => pick(request).counted)),
    kept: sum(requests.map((request) => pick(request).kept)),
  });
  return {
    count: requests.length,
    bill: sum(requests.map(({ bill, pings }) => bill + pings.bill)),
    rewriteFree: sum(requests.map(({ rewriteFree, pings }) => rewriteFree + pings.bill)),
    fetched: sum(requests.map(({ bill, fetching, pings }) => bill + fetching + pings.bill)),
    misses: requests.filter(({ missing }) => missing.anchors > 0).length,
    sent: sum(requests.map(({ tokens, pings }) => tokens * (1 + pings.count))),
    uncached: sum(requests.map(({ tokens, cached }) => tokens - cached)),
    peak: requests.reduce((peak, { tokens }) => Math.max(peak, tokens), 0),
    compactions: countCompactions(requests, unpruned),
    breaks: requests.filter(({ breaksCache }) => breaksCache).length,
    pings: {
      count: sum(requests.map(({ pings }) => pings.count)),
      bill: sum(requests.map(({ pings }) => pings.bill)),
    },
    pingsAtEnd: requests.at(-1)?.pings ?? NO_PINGS,
    evidence: addEvidence(({ evidence }) => evidence),
    editEvidence: addEvidence(({ editEvidence }) => editEvidence),
    lostEdits: {
      counted: sum(requests.map(({ lostEdits }) => lostEdits.counted)),
      lost: sum(requests.map(({ lostEdits }) => lostEdits.lost)),
    },
    ownEvidence: addEvidence(({ ownEvidence }) => ownEvidence),
    illegal: sum(requests.map(({ illegal }) => illegal.length)),
    mechanisms: addUpByAuthor(requests),
  };
}
