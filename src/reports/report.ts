import type { Issue } from "../basics/issue.ts";
import type { PricedPlan } from "../edits/cut-plan.ts";
import type { LedgerEntry } from "../edits/ledger.ts";
import type { RefusalIssue } from "../edits/refusal.ts";
import { NO_WORK, type WorkCounts } from "../facts/work-counts.ts";
import type { Advance } from "../fold/advance.ts";
import type { Fold } from "../fold/fold.ts";
import { doubtPrices } from "../models/doubt-prices.ts";
import type { PricedRisk } from "../risk/risk.ts";
import type { Account } from "../schedule/account.ts";
import { measurePressure, type Pressure } from "../schedule/pressure.ts";
import { roundRisk } from "../schedule/price-risk.ts";
import type { Regret } from "../schedule/regrets.ts";
import type { AppliedCut } from "../schedule/scheduler.ts";
import type { RequestTerms } from "../transcript/message.ts";
import type { PartKey } from "../transcript/part.ts";
import type { SessionStatus } from "../transcript/session-command.ts";
import { explainUncut, type Uncut } from "./uncut.ts";

/** A cut plan that waits. */
export interface WaitingReport {
  readonly ref: string;
  readonly part: PartKey;
  readonly author: string;
  readonly reason: string;
  /** Tokens that it will save on every request. */
  readonly saves: number;
  /** How likely its text is needed again, and the cost of that; missing if nothing suggests it. */
  readonly risk?: PricedRisk;
  /** It waits only because reasoning is bound to the text before it. */
  readonly bound?: true;
}

/** The edits that this request applied for the first time. */
export interface CutReport extends Omit<AppliedCut, "from"> {
  /** Index of the first host message that it changed. */
  readonly message: number;
}

/** What one call of `prune` did. Tokens are estimates unless a field says something else. */
export interface Report {
  /** Whether Coppice is on, off or in shadow mode, by the session or the configuration. */
  readonly status: SessionStatus;
  /** Model responses in the transcript. */
  readonly steps: number;
  readonly model: { readonly id: string; readonly known: boolean };
  /** Every edit so far, in order, each with its request. */
  readonly edits: readonly LedgerEntry[];
  readonly cut: CutReport | undefined;
  /** Why no edit was ever made; missing if one was. */
  readonly uncut?: Uncut;
  readonly waiting: readonly WaitingReport[];
  /** The plans for this request that the guard refused, for authors of passes: see `refusal`. */
  readonly refusals: readonly RefusalIssue[];
  /** The rules of whose cuts the agent has fetched or missed something: such cuts cost more, or are no longer made. */
  readonly fetchedAgain: readonly Regret[];
  /**
   * Signs of how the agent's work goes: edits whose text was not found, repeated reads, recalls, repeated commands.
   * For this request, and for all requests so far.
   */
  readonly work: { readonly newest: WorkCounts; readonly session: WorkCounts };
  /** The other figures do not include results that the provider clears itself (`cleared`). */
  readonly tokens: {
    readonly before: number;
    readonly after: number;
    readonly saved: number;
    readonly cleared?: number;
  };
  /**
   * The cost of bound reasoning: tokens that this request would cut if no reasoning were bound to the text before
   * it, and their share of the messages as sent. Missing if there are none.
   */
  readonly bound?: { readonly tokens: number; readonly share: number };
  readonly pressure: Pressure;
  /** The session so far, in tokens of plain input; `dollars` if the model's price is known. */
  readonly bill: {
    readonly with: number;
    readonly without: number;
    readonly dollars?: { readonly with: number; readonly without: number };
    /** This request alone. */
    readonly newest: {
      readonly with: number;
      readonly without: number;
      readonly dollars?: { readonly with: number; readonly without: number };
    };
    /** Cache breaks that cuts caused. */
    readonly breaks: number;
  };
  /** Index of the message that needs a cache mark at its end, if the request allowed one (`mayMark`). */
  readonly mark?: number;
  /** The same for each request so far, in order. */
  readonly marks: readonly (number | undefined)[];
  /** The request's key in a journal: a hash of its messages. `answered` uses the same key. */
  readonly key: string;
  /**
   * The inputs of this request other than its messages. A host whose messages carry no times and models stores them, and
   * returns them in the `meta` of the response (`{ terms }`). Then a restart gives the same bytes.
   */
  readonly terms: RequestTerms;
  readonly issues: readonly Issue[];
}

export function makeReport(fold: Fold): Report {
  const { scheduler, ledger, transcript, handOver } = fold;
  const last = fold.advances.at(-1);
  const { cleared, clearedUncut } = handOver.newest;
  const before = fold.original - clearedUncut.tokens;
  const after = fold.view.total - cleared.tokens;
  const uncut = explainUncut(fold);
  const held = new Set(scheduler.heldByReasoning.filter(({ part }) => !handOver.isCleared(part)));
  return {
    status: last?.status ?? "on",
    steps: transcript.lastStep,
    model: { id: last?.input.profile.id ?? "", known: last?.input.profile.known ?? false },
    edits: [...ledger.entries],
    cut: reportCut(fold, last),
    ...(uncut && { uncut }),
    waiting: reportWaiting(fold, last, held),
    refusals: fold.refusals,
    fetchedAgain: scheduler.regrets,
    work: fold.work,
    tokens: {
      before,
      after,
      saved: before - after,
      ...(cleared.tokens > 0 && { cleared: cleared.tokens }),
    },
    ...reportBound(held, after),
    pressure: measurePressure(last?.used ?? 0, last?.window ?? 0),
    bill: reportBill(fold.account, last),
    ...(last?.ownMark !== undefined && { mark: last.ownMark }),
    marks: fold.advances.map(({ ownMark }) => ownMark),
    key: fold.prefixes.at(-1) ?? "",
    terms: last?.input.terms ?? {},
    issues: [...fold.inputIssues, ...(last?.issues ?? []), ...reportModel(fold, last)],
  };
}

const NO_WORK_YET: Report["work"] = { newest: NO_WORK, session: NO_WORK };

/** The report of a call that could not change anything. */
export function makeEmptyReport(issue: Issue): Report {
  return {
    status: "on",
    steps: 0,
    model: { id: "", known: false },
    edits: [],
    cut: undefined,
    waiting: [],
    refusals: [],
    fetchedAgain: [],
    work: NO_WORK_YET,
    tokens: { before: 0, after: 0, saved: 0 },
    pressure: measurePressure(0, 0),
    bill: { with: 0, without: 0, newest: { with: 0, without: 0 }, breaks: 0 },
    marks: [],
    key: "",
    terms: {},
    issues: [issue],
  };
}

function reportWaiting(
  { scheduler, transcript, account, handOver }: Fold,
  last: Advance | undefined,
  held: ReadonlySet<PricedPlan>,
): readonly WaitingReport[] {
  const riskOf = last && scheduler.risks(account.pricesFor(last.input.profile));
  return scheduler.waiting
    .filter(({ part }) => !handOver.isCleared(part))
    .map((plan): WaitingReport => {
      const { part, author, reason, price } = plan;
      const risk = riskOf?.(plan);
      // Without spreads: there may be hundreds, and each request reports them all.
      const waiting: { -readonly [K in keyof WaitingReport]: WaitingReport[K] } = {
        ref: price.ref,
        part: transcript.key(part),
        author,
        reason,
        saves: price.saves,
      };
      if (held.has(plan)) waiting.bound = true;
      if (risk) waiting.risk = roundRisk(risk);
      return waiting;
    });
}

function reportBound(held: ReadonlySet<PricedPlan>, sent: number): Pick<Report, "bound"> {
  let tokens = 0;
  for (const { price } of held) tokens += price.saves;
  return tokens > 0 ? { bound: { tokens, share: tokens / sent } } : {};
}

function reportCut(fold: Fold, last: Advance | undefined): CutReport | undefined {
  if (!last?.cut) return undefined;
  const { reason, edits, from } = last.cut;
  return { reason, edits, message: fold.transcript.message[from] ?? 0 };
}

function reportBill(account: Account, last: Advance | undefined): Report["bill"] {
  const { with: withCuts, without } = account;
  const profile = last?.input.profile;
  const priced = (amounts: { readonly with: number; readonly without: number }) => {
    const price = profile?.dollarsPerMillion;
    if (price === undefined) return amounts;
    const dollars = { with: (amounts.with * price) / 1e6, without: (amounts.without * price) / 1e6 };
    return { ...amounts, dollars };
  };
  const newest = profile
    ? { with: account.priceNewest(withCuts, profile), without: account.priceNewest(without, profile) }
    : { with: 0, without: 0 };
  return {
    ...priced({ with: withCuts.bill, without: without.bill }),
    newest: priced(newest),
    // The provider's own clearing breaks the cache with and without cuts.
    breaks: Math.max(0, withCuts.breaks - without.breaks),
  };
}

/** Smaller histories are mostly preamble. */
const WORTH_READING = 1_000;

function reportModel(fold: Fold, last: Advance | undefined): readonly Issue[] {
  const issues: Issue[] = [];
  if (fold.opaque > WORTH_READING && fold.opaque > fold.original / 2) {
    // Without figures, because it is reported once.
    const message =
      "most of this history is in blocks that Coppice can't read in this format and does not change; set the right `format`, or provide your own";
    issues.push({ code: "mostly-opaque", message, severity: "warning" });
  }
  if (last) issues.push(...doubtPrices(last.input.profile));
  if (fold.advances.some(({ input }) => input.isAssumed)) {
    const message =
      "Coppice does not know the times, models and windows of this session's earlier requests, and uses those of the newest one: after a restart, a request may differ from before; pass `report.terms` back in `meta`";
    issues.push({ code: "history-assumed", message, severity: "info" });
  }
  if (fold.advances.length > 1 && fold.advances.every(({ input }) => input.time === undefined)) {
    const message =
      "the messages have no times and `at` was not set: Coppice assumes that the cache is always warm";
    issues.push({ code: "no-times", message, severity: "info" });
  }
  return issues;
}
