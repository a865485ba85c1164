import type { Issue } from "../basics/issue.ts";
import { attempt } from "../edits/attempt.ts";
import { PERSON, SCHEDULER } from "../edits/authors.ts";
import { boundFloor, dropVoidReasoning } from "../edits/bound-reasoning.ts";
import type { PricedPlan, SignedPlan } from "../edits/cut-plan.ts";
import { Cutting } from "../edits/cutting.ts";
import type { Cut, Edit } from "../edits/edit.ts";
import { findGroup } from "../edits/group.ts";
import type { Ledger } from "../edits/ledger.ts";
import { pricePlan } from "../edits/price-plan.ts";
import type { RefusalIssue } from "../edits/refusal.ts";
import type { View } from "../edits/view.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import type { PricedRisk } from "../risk/risk.ts";
import { climb, type Rung } from "../strategies/rung.ts";
import { isSearch } from "../tool-kinds/is-search.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Account } from "./account.ts";
import { type CutReason, chooseCut, listReady, type ScheduleMode, type Weights } from "./choose-cut.ts";
import { findEdited, findFetched } from "./find-fetched.ts";
import { findMissed } from "./find-missed.ts";
import type { Now } from "./now.ts";
import {
  brings,
  type Fruitless,
  hasGrown,
  inputLimit,
  mayLookAgain,
  measureExcess,
  type PressureSearch,
  type Target,
} from "./pressure.ts";
import { type AtRisk, kindAt, priceRisk, type RiskWeights, roundRisk } from "./price-risk.ts";
import { enqueue, lapse, splitHeld } from "./queue.ts";
import { type Regret, Regrets } from "./regrets.ts";
import { listRestored, type Restoral, withdrawnBy } from "./restorals.ts";
import { restoreDue } from "./restore-due.ts";
import { takeBack } from "./take-back.ts";

export interface SchedulePolicy {
  readonly mode: ScheduleMode;
  /** Share of the window above which the context is under pressure. */
  readonly compactThreshold: number;
  /** Tokens of the window that the response needs. */
  readonly reservedOutput: number;
  /** The most that a requested cut may cost without waiting, in tokens of plain input. */
  readonly requestedLimit: number;
  /** May a cut that pays for itself also drop bound reasoning of finished turns? */
  readonly dropReasoning: boolean;
  /** The rungs for old text under pressure, after all due plans. */
  readonly ladder: readonly Rung[];
  /** The rungs that shorten results that the agent has not seen yet, if the request would not fit with them. */
  readonly lastResort: readonly Rung[];
}

export interface Session {
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  readonly account: Account;
}

/** A person's orders for this request. */
export interface Orders {
  readonly shake: Rung | undefined;
  readonly restore: readonly (Ref | "all")[];
}

/** The edits that were made for one request. */
export interface AppliedCut {
  readonly reason: CutReason;
  readonly edits: readonly Edit[];
  /** The first part that it changed. */
  readonly from: number;
}

interface State {
  waiting: readonly PricedPlan[];
  restoring: readonly Restoral[];
  /** Was the agent promised that a plan in the queue is cut with this request? */
  hasPromise: boolean;
  /** Tokens of the request after the last cut under pressure. */
  afterLast: number;
  fruitless: Fruitless;
  /**
   * For the newest request, if reasoning was bound: the last part that must not change, and the weights of its cuts.
   */
  bound: { readonly floor: number; readonly weights: Weights } | undefined;
}

/** Keeps the queue of plans, and decides for each request what is cut. */
export class Scheduler {
  readonly #state: State = {
    waiting: [],
    restoring: [],
    hasPromise: false,
    afterLast: 0,
    fruitless: NO_SEARCH_YET,
    bound: undefined,
  };
  readonly #session: Session;
  readonly #policy: SchedulePolicy;
  readonly #regrets: Regrets;

  constructor(session: Session, policy: SchedulePolicy) {
    this.#session = session;
    this.#policy = policy;
    this.#regrets = new Regrets(session.facts.transcript.undoLog);
  }

  get waiting(): readonly PricedPlan[] {
    return this.#state.waiting;
  }

  /** The rules whose cuts the agent has fetched again or missed. */
  get regrets(): readonly Regret[] {
    return this.#regrets.list();
  }

  /** Returns a function for the risk of a waiting plan, as of the last request. */
  risks(prices: Now["prices"]): (plan: PricedPlan) => PricedRisk | undefined {
    const weights = this.#weighRisk(prices);
    return (plan) => priceRisk(plan, weights);
  }

  /**
   * Learns which cut text the agent has fetched again, and which its edits did not find. Returns the rules that this
   * switches off.
   *
   * @param isPruned did the last request have the cuts? If not, no edit has failed because of them.
   */
  learn(delta: Delta, isPruned: boolean): readonly Regret[] {
    const { facts, ledger } = this.#session;
    const kindOf = ({ part }: Cut) => kindAt(facts, facts.transcript.find(part) ?? -1);
    const missed = isPruned ? findMissed(delta, facts, ledger) : [];
    const off = [...findFetched(delta, facts, ledger), ...missed.flat()].flatMap(
      (cut) => this.#regrets.noteFetched(cut, kindOf(cut)) ?? [],
    );
    for (const cut of findEdited(delta, facts, ledger)) this.#regrets.noteEdited(cut, kindOf(cut));
    for (const cuts of missed)
      for (const rule of new Set(cuts.map(({ author }) => author))) {
        const regret = this.#regrets.noteMissedEdit(rule);
        if (regret) off.push(regret);
      }
    if (off.length > 0)
      this.#keepWaiting(({ author, requested }) => requested || !this.#regrets.isOff(author));
    return off;
  }

  /** The waiting plans that would have been cut with the newest request if no reasoning were bound to their text. */
  get heldByReasoning(): readonly PricedPlan[] {
    const { bound, waiting } = this.#state;
    if (!bound) return [];
    const due = listReady(splitHeld(waiting).due, bound.weights);
    const point = chooseCut(due, bound.weights);
    return point ? due.filter(({ part }) => part >= point.from && part <= bound.floor) : [];
  }

  /** Queues the plans of a step, and the texts that it wants back. Returns the plans that the guard refuses. */
  take(
    plans: readonly SignedPlan[],
    restorals: readonly Restoral[],
    guard: Now["guard"],
  ): readonly RefusalIssue[] {
    const { rentClock } = this.#session.account;
    const { waiting: queue, hasPromise } = this.#state;
    const allowed = plans.filter(({ requested, author }) => requested || !this.#regrets.isOff(author));
    const refused: RefusalIssue[] = [];
    const lapsed = hasPromise ? lapse(queue) : queue;
    this.#put(
      "waiting",
      enqueue(lapsed, allowed, rentClock, guard, (issue) => refused.push(issue)),
    );
    this.#put(
      "hasPromise",
      plans.some(({ timing }) => timing === "now"),
    );
    this.#put("restoring", [...lapse(this.#state.restoring), ...restorals]);
    if (restorals.length === 0) return refused;
    const isWithdrawn = withdrawnBy(restorals, this.#session.facts);
    this.#keepWaiting((plan) => !isWithdrawn(plan));
    return refused;
  }

  /** Makes this request's cut, if any: first a person's orders, then a cut under pressure, or else the due plans. */
  cut(now: Now, orders: Orders, issues: Issue[]): AppliedCut | undefined {
    const { account, facts, ledger, view } = this.#session;
    const { transcript } = facts;
    const context = { transcript, ledger, view, request: now.request, guard: now.guard };
    const cutting = new Cutting(context);
    const before = view.total;
    const measure = () => now.usedBefore - (before - view.total) * account.calibration.ratio;
    this.#put("bound", undefined);
    const ordered = this.#obey(now, orders, cutting);
    const reason = this.#relieve(now, measure, cutting) ?? this.#cutDue(now, cutting);
    const restored = this.#restore(now, cutting);
    if (now.delta) takeBack(now.delta, this.#session, { ...now, floor: this.#floor(now, true) }, cutting);
    for (const issue of cutting.refused) issues.push(issue);
    if (cutting.edits.length === 0) return undefined;
    if (now.reasoning === "bound") dropVoidReasoning(facts, ledger, cutting, VOID);
    for (const edit of cutting.edits) {
      const part = edit.type === "undo" ? undefined : transcript.find(edit.part);
      if (part !== undefined) this.#regrets.noteCut(edit.author, kindAt(facts, part));
    }
    return { reason: ordered ?? reason ?? restored ?? "requested", edits: cutting.edits, from: cutting.from };
  }

  /** Carries out a person's orders, at any price. */
  #obey(now: Now, { shake, restore }: Orders, cutting: Cutting): CutReason | undefined {
    const { facts, ledger } = this.#session;
    for (const target of restore) {
      const cuts =
        target === "all" ? ledger.active() : listRestored({ ref: target, author: undefined }, facts, ledger);
      cutting.undo(cuts, PERSON, "restored");
      const taken = target === "all" ? () => true : withdrawnBy([{ ref: target, author: undefined }], facts);
      this.#keepWaiting((waiting) => !taken(waiting));
    }
    if (shake) {
      const range = { floor: this.#floor(now, true), end: now.unsentFrom };
      climb([shake], this.#session, {
        ...range,
        isDone: () => false,
        cut: cutWorthwhile(now, facts, cutting),
      });
    }
    return cutting.edits.length > 0 ? "requested" : undefined;
  }

  /** Cuts the due plans at or after the best point, if there is one now. */
  #cutDue(now: Now, cutting: Cutting): CutReason | undefined {
    if (this.#policy.mode === "pressure") return undefined;
    const floor = this.#floor(now, this.#policy.dropReasoning);
    const { due: all } = splitHeld(this.#state.waiting);
    const weights = this.#weigh(now);
    if (floor >= 0) this.#put("bound", { floor, weights });
    const due = listReady(
      all.filter(({ part }) => part > floor && !now.isCleared(part) && !this.#isUnseenSearch(part, now)),
      weights,
    );
    const point = chooseCut(due, weights);
    if (!point) return undefined;
    const from = Math.max(point.from, floor + 1);
    this.#apply(
      due.filter(({ part }) => part >= from),
      cutting,
      weights,
    );
    return point.reason;
  }

  #weigh(now: Now): Weights {
    const { account, view } = this.#session;
    const { prices, cached, unsentFrom } = now;
    const { step, lastRequest, regretOf } = this.#weighRisk(prices);
    return {
      prices,
      step,
      lastRequest,
      regretOf,
      cached,
      unsentFrom,
      mode: this.#policy.mode,
      allowance: account.allowance,
      shown: view.tokens,
      rentClock: account.rentClock,
      missShare: account.missShare,
      requestedLimit: account.isBehind(view.total, prices) ? 0 : this.#policy.requestedLimit,
    };
  }

  #weighRisk(prices: Now["prices"]): RiskWeights {
    const { account, facts } = this.#session;
    return {
      prices,
      step: facts.transcript.lastStep,
      lastRequest: account.with.last.total,
      regretOf: this.#regrets.hasAny
        ? ({ author, part }: AtRisk) => this.#regrets.shareOf(author, kindAt(facts, part))
        : noRegret,
    };
  }

  /**
   * Under pressure all due plans are cut, and then old text goes down the ladder until the context is at the
   * low-water mark. A cut that would bring little relief is rolled back: it would cost a rewrite, and another cut
   * would soon follow. Text that the agent has not seen yet is shortened only if the request would not fit with it.
   */
  #relieve(now: Now, measure: () => number, cutting: Cutting): CutReason | undefined {
    const { facts, view } = this.#session;
    const limits = [now.window, inputLimit(now.window, this.#policy.reservedOutput)];
    const threshold = Math.min(this.#policy.compactThreshold * now.window, ...limits);
    const used = measure();
    if (!hasGrown(used, { threshold, window: now.window, limits }, this.#state.afterLast)) return undefined;
    const { fruitless } = this.#state;
    const floor = this.#floor(now, true);
    const { due: all, held } = splitHeld(this.#state.waiting);
    const mayGo = ({ part }: PricedPlan) =>
      part > floor && !now.isCleared(part) && !this.#isUnseenSearch(part, now);
    const due = all.filter(mayGo);
    const saves = due.reduce((sum, { price }) => sum + price.saves, 0);
    const look: PressureSearch = { used, turn: facts.transcript.lastTurn, due: saves };
    const target: Target = { excess: measureExcess(used, threshold), limits };
    if (!mayLookAgain(look, fruitless, target)) return undefined;
    const isForced = limits.some((limit) => used > limit);
    if (!isForced && this.#mayLose(now, target.excess) > this.#session.account.allowance) return undefined;

    const isRelieved = () => used - measure() >= target.excess;
    const fits = () => limits.every((limit) => measure() <= limit);
    const weights = this.#weigh(now);
    const mayWait = held.filter(mayGo).toSorted((a, b) => a.part - b.part);
    const ready = new Set(listReady([...due, ...mayWait], weights));
    const isReady = (plan: PricedPlan) => ready.has(plan);
    const { reached, isWorthIt } = attempt({ transcript: facts.transcript, view }, () => {
      this.#apply(due.filter(isReady), cutting, weights);
      const risky = [...due, ...mayWait].filter((plan) => !isReady(plan));
      const bySize = risky.toSorted((a, b) => b.price.saves - a.price.saves);
      for (const plan of [...mayWait.filter(isReady), ...bySize]) {
        if (isRelieved()) break;
        this.#apply([plan], cutting, weights);
      }
      const cut = cutWorthwhile(now, facts, cutting);
      const unseenFrom = this.#unseenFrom(now);
      climb(this.#policy.ladder, this.#session, { floor, end: unseenFrom, isDone: isRelieved, cut });
      const unseen = { floor: Math.max(floor, unseenFrom - 1), end: facts.transcript.length };
      climb(this.#policy.lastResort, this.#session, { ...unseen, isDone: fits, cut });
      const tokens = measure();
      const isWorthIt = brings(used, tokens, target);
      return { keep: isWorthIt, value: { reached: tokens, isWorthIt } };
    });
    if (reached < used) this.#put("afterLast", isWorthIt ? reached : used);
    const tried = { ...look, tries: fruitless.tries + 1, reached };
    this.#put("fruitless", isWorthIt && reached < used ? NO_SEARCH_YET : tried);
    return isWorthIt ? "pressure" : undefined;
  }

  /** The first part that the agent has not seen. */
  #unseenFrom({ unsentFrom }: Now): number {
    const { stepStart, lastStep } = this.#session.facts.transcript;
    return Math.max(unsentFrom, stepStart[lastStep] ?? 0);
  }

  /**
   * Search results wait until the agent has seen them, whichever pass would cut them: an incomplete list of matches
   * looks complete.
   */
  #isUnseenSearch(part: number, now: Now): boolean {
    if (part < this.#unseenFrom(now)) return false;
    const fact = this.#session.facts.calls.of(part);
    return fact?.result === part && isSearch(fact.use);
  }

  /** The most that a cut of this many tokens loses with this request: all messages are written again. */
  #mayLose({ prices, cached, prefix }: Now, excess: number): number {
    const saved = excess / this.#session.account.calibration.ratio;
    const rewritten = Math.max(0, cached.tokens - prefix - saved);
    return (prices.write - prices.read) * rewritten - prices.read * saved;
  }

  #apply(due: readonly PricedPlan[], cutting: Cutting, weights: RiskWeights): void {
    const gone = new Set(due);
    const requestedFirst = due.toSorted(
      (a, b) => Number(b.requested ?? false) - Number(a.requested ?? false) || a.part - b.part,
    );
    for (const plan of requestedFirst) {
      const risk = plan.requested ? undefined : priceRisk(plan, weights);
      cutting.apply(plan, risk && roundRisk(risk));
    }
    this.#keepWaiting((plan) => !gone.has(plan));
  }

  #keepWaiting(isKept: (plan: PricedPlan) => boolean): void {
    this.#put("waiting", this.#state.waiting.filter(isKept));
  }

  /**
   * Undoes edits at the time that the agent was promised, or if that is cheap; otherwise with a cut before them or a
   * cold cache.
   */
  #restore(now: Now, cutting: Cutting): CutReason | undefined {
    const { restoring } = this.#state;
    if (restoring.length === 0) return undefined;
    const floors = { current: this.#floor(now, true), all: this.#floor(now, false) };
    this.#put("restoring", restoreDue(restoring, this.#session, this.#policy, { ...now, floors }, cutting));
    return "requested";
  }

  /**
   * The last part that must not change, because signed reasoning is bound to it; −1 if there is none.
   *
   * @param mayDrop reasoning of finished turns may be dropped
   */
  #floor({ reasoning }: Now, mayDrop: boolean): number {
    const { facts, ledger } = this.#session;
    return reasoning === "bound" ? boundFloor(facts, ledger, mayDrop) : -1;
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.#session.facts.transcript.undoLog.put(this.#state, key, value);
  }
}

const noRegret = () => 0;

const NO_SEARCH_YET: Fruitless = { tries: 0, used: 0, turn: 0, due: 0, reached: 0 };

const VOID = {
  author: SCHEDULER,
  mechanism: "reasoning",
  reason: "a cut before it makes this reasoning void",
} as const;

function cutWorthwhile(
  { guard, isCleared }: Now,
  { transcript }: Facts,
  cutting: Cutting,
): (plan: SignedPlan) => void {
  return (plan) => {
    const parts = "drop" in plan ? findGroup(transcript, plan.part) : [plan.part];
    if (parts.some(isCleared)) return;
    const priced = pricePlan(plan, guard);
    if (priced.ok) cutting.apply(priced.value);
  };
}
