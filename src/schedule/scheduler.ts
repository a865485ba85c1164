import { Cutting } from "../edits/cutting.ts";
import type { Cut, Edit, Ref } from "../edits/edit.ts";
import type { Draft } from "../edits/guard.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { View } from "../edits/view.ts";
import type { Facts } from "../facts/facts.ts";
import type { Issue, Result } from "../issue.ts";
import type { CachePrices, ReasoningRule } from "../models/profile.ts";
import type { Rung, Shown } from "../strategies/rung.ts";
import type { PartDrop, Proposal } from "../strategies/strategy.ts";
import type { Account } from "./account.ts";
import { boundFloor, listVoidReasoning } from "./bound-reasoning.ts";
import { type CutReason, chooseCut, type ScheduleMode } from "./choose-cut.ts";
import { climb } from "./climb.ts";
import { type Fruitless, hasGrown, mayLookAgain, measureExcess } from "./pressure.ts";
import { listRestored, namesPart, type Restoral } from "./restorals.ts";
import { enqueue, splitHeld, type Waiting } from "./waiting.ts";

export interface SchedulePolicy {
  readonly mode: ScheduleMode;
  /** Share of the window from which on the context is under pressure. */
  readonly compactThreshold: number;
  /** Tokens of the window that the answer needs. */
  readonly reservedOutput: number;
  /** What a cut that the agent asked for may cost at once, in tokens of plain input. */
  readonly askedLimit: number;
  /** What old text goes down under pressure, once nothing is due any more. */
  readonly ladder: readonly Rung[];
}

/** The session that is scheduled. */
export interface Session {
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  readonly account: Account;
}

/** One boundary while the scheduler looks at it. */
export interface Now {
  readonly boundary: number;
  readonly reasoning: ReasoningRule;
  readonly prices: CachePrices;
  readonly cold: boolean;
  /** Tokens of the request as the provider will count them, against its window. */
  readonly used: number;
  readonly window: number;
  /** Parts from here on were never sent. */
  readonly unsentFrom: number;
  guard(draft: Draft): Result<Cut>;
}

/** What a person told Coppice to do at this boundary. */
export interface Orders {
  readonly shake: Rung | undefined;
  readonly restore: readonly (Ref | "all")[];
}

/** The edits that were applied at one boundary. */
export interface AppliedCut {
  readonly reason: CutReason;
  readonly edits: readonly Edit[];
  /** The first part that it changed. */
  readonly from: number;
}

/** Whom edits that a person asked for are ascribed to. */
const PERSON = "user";

interface State {
  waiting: readonly Waiting[];
  restoring: readonly Restoral[];
  /** Tokens of the request after the last cut under pressure. */
  afterLast: number;
  fruitless: Fruitless;
}

/** Holds what waits, and decides at each boundary what is cut. */
export class Scheduler {
  readonly #state: State = { waiting: [], restoring: [], afterLast: 0, fruitless: NONE_YET };
  readonly #session: Session;
  readonly #policy: SchedulePolicy;

  constructor(session: Session, policy: SchedulePolicy) {
    this.#session = session;
    this.#policy = policy;
  }

  get waiting(): readonly Waiting[] {
    return this.#state.waiting;
  }

  /** Takes in what a step has made stale, and what it wants back. */
  take(
    proposals: readonly (readonly [Proposal | PartDrop, author: string])[],
    restorals: readonly Restoral[],
    guard: Now["guard"],
  ): void {
    const { rentClock } = this.#session.account;
    this.#put("waiting", enqueue(this.#state.waiting, proposals, rentClock, guard));
    if (restorals.length === 0) return;
    this.#put("restoring", [...this.#state.restoring, ...restorals]);
    const taken = (waiting: Waiting) => restorals.some((restoral) => this.#withdraws(restoral, waiting));
    this.#put(
      "waiting",
      this.#state.waiting.filter((waiting) => !taken(waiting)),
    );
  }

  /** Cuts what is to be cut at this boundary; what a person ordered first of all. */
  cut(now: Now, orders: Orders, issues: Issue[]): AppliedCut | undefined {
    const { facts, ledger, view } = this.#session;
    const { transcript } = facts;
    const context = { transcript, ledger, view, boundary: now.boundary, guard: now.guard };
    const cutting = new Cutting(context);
    const ordered = this.#obey(now, orders, cutting);
    const reason = this.#relieve(now, cutting, issues) ?? this.#cutDue(now, cutting);
    const restored = this.#restore(now, cutting);
    for (const issue of cutting.refused) issues.push(issue);
    if (cutting.edits.length === 0) return undefined;
    if (now.reasoning === "bound") dropVoid(facts, ledger, cutting);
    return { reason: ordered ?? reason ?? restored ?? "asked", edits: cutting.edits, from: cutting.from };
  }

  /** What a person asks for is done at once, whatever it costs. */
  #obey(now: Now, { shake, restore }: Orders, cutting: Cutting): CutReason | undefined {
    const { facts, ledger } = this.#session;
    for (const target of restore) {
      const cuts =
        target === "all"
          ? ledger.standing()
          : listRestored({ ref: target, author: undefined }, facts, ledger);
      cutting.undo(cuts, PERSON, "restored");
      const restoral: Restoral | undefined =
        target === "all" ? undefined : { ref: target, author: undefined };
      this.#put(
        "waiting",
        this.#state.waiting.filter((waiting) => restoral && !this.#withdraws(restoral, waiting)),
      );
    }
    if (shake) {
      const floor = this.#floor(now, true);
      climb(shake, facts, this.#shown(), {
        floor,
        end: now.unsentFrom,
        isDone: () => false,
        guard: now.guard,
        cutting,
      });
    }
    return cutting.edits.length > 0 ? "asked" : undefined;
  }

  #shown(): Shown {
    const { facts, ledger, view } = this.#session;
    return { tokens: view.tokens, isCut: (part) => ledger.isCut(facts.transcript.key(part)) };
  }

  /** Everything at or after the point that is due now. */
  #cutDue(now: Now, cutting: Cutting): CutReason | undefined {
    const { account, view } = this.#session;
    const floor = this.#floor(now, false);
    const { due } = splitHeld(this.#state.waiting);
    const point = chooseCut(
      due.filter(({ at }) => at > floor),
      {
        mode: this.#policy.mode,
        prices: now.prices,
        cold: now.cold,
        allowance: account.allowance,
        shown: view.tokens,
        unsentFrom: now.unsentFrom,
        rentClock: account.rentClock,
        askedLimit: account.isBehind(view.total, now.prices) ? 0 : this.#policy.askedLimit,
      },
    );
    if (!point) return undefined;
    const from = Math.max(point.from, floor + 1);
    this.#apply(
      due.filter(({ at }) => at >= from),
      cutting,
    );
    return point.reason;
  }

  /**
   * Under pressure all that is due goes, and then old text goes down the ladder until the context is at the low-water
   * mark. What would bring little relief is not done at all: it would cost a rewrite, and come again.
   */
  #relieve(now: Now, cutting: Cutting, issues: Issue[]): CutReason | undefined {
    const { account, facts, view } = this.#session;
    const threshold = this.#policy.compactThreshold * now.window;
    const { ratio } = account.calibration;
    const limits = [now.window, now.window - this.#policy.reservedOutput];
    const excess = measureExcess(now.used, threshold) / ratio;
    const mayOverflow = limits.some((limit) => now.used > limit);
    if (!hasGrown(now.used, { threshold, window: now.window, mayOverflow }, this.#state.afterLast))
      return undefined;
    const { fruitless } = this.#state;
    const look = { used: now.used, turn: facts.transcript.lastTurn };
    if (mayOverflow && !mayLookAgain(look, fruitless)) return undefined;

    const mark = facts.transcript.journal.mark();
    const floor = this.#floor(now, true);
    const before = view.total;
    const isRelieved = () => before - view.total >= excess;
    const { due, held } = splitHeld(this.#state.waiting);
    this.#apply(
      due.filter(({ at }) => at > floor),
      cutting,
    );
    for (const waiting of held.filter(({ at }) => at > floor).toSorted((a, b) => a.at - b.at)) {
      if (isRelieved()) break;
      this.#apply([waiting], cutting);
    }
    const shown = this.#shown();
    const fits = () => limits.every((limit) => now.used - (before - view.total) * ratio <= limit);
    for (const rung of this.#policy.ladder) {
      if (isRelieved()) break;
      climb(rung, facts, shown, {
        floor,
        end: now.unsentFrom,
        isDone: isRelieved,
        guard: now.guard,
        cutting,
      });
    }
    for (const rung of this.#policy.ladder) {
      if (fits()) break;
      climb(rung, facts, shown, {
        floor,
        end: Number.POSITIVE_INFINITY,
        isDone: fits,
        guard: now.guard,
        cutting,
      });
    }
    const saved = before - view.total;
    const reached = now.used - saved * ratio;
    const isWorthIt = saved >= excess / 2 || limits.some((limit) => now.used > limit && reached <= limit);
    if (!isWorthIt) {
      facts.transcript.rollback(mark);
      view.forget();
      cutting.forget();
    }
    const after = isWorthIt ? reached : now.used;
    if (saved > 0) this.#put("afterLast", after);
    const isFruitless = saved === 0 || !isWorthIt;
    this.#put("fruitless", isFruitless ? { ...look, tries: fruitless.tries + 1 } : NONE_YET);
    if (after > now.window - this.#policy.reservedOutput) issues.push(overflowIssue(after, now.window));
    return isWorthIt ? "pressure" : undefined;
  }

  #apply(due: readonly Waiting[], cutting: Cutting): void {
    const gone = new Set(due);
    const askedFirst = due.toSorted((a, b) => Number(b.asked) - Number(a.asked) || a.at - b.at);
    for (const waiting of askedFirst) cutting.apply(waiting.drafts());
    this.#put(
      "waiting",
      this.#state.waiting.filter((waiting) => !gone.has(waiting)),
    );
  }

  /** Takes edits back where that costs little now; else they wait for a cold cache. */
  #restore(now: Now, cutting: Cutting): CutReason | undefined {
    const { facts, ledger } = this.#session;
    const { restoring } = this.#state;
    if (restoring.length === 0) return undefined;
    const later: Restoral[] = [];
    for (const restoral of restoring) {
      const cuts = listRestored(restoral, facts, ledger);
      if (cuts.length === 0) continue;
      if (this.#isCheap(cuts, now, cutting)) cutting.undo(cuts, restoral.author ?? PERSON, "restored");
      else later.push(restoral);
    }
    this.#put("restoring", later);
    return "asked";
  }

  #isCheap(cuts: readonly Cut[], now: Now, cutting: Cutting): boolean {
    const { facts, view } = this.#session;
    const first = cuts.reduce(
      (least, cut) => Math.min(least, facts.transcript.find(cut.part) ?? 0),
      Number.POSITIVE_INFINITY,
    );
    // What the current loop has thought is bound to the cut, and may not leave with it.
    if (first <= this.#floor(now, true)) return false;
    if (now.cold || this.#policy.mode === "eager" || now.prices.write === now.prices.read) return true;
    if (first <= this.#floor(now, false)) return false;
    let follows = 0;
    for (let i = first; i < Math.min(now.unsentFrom, cutting.from); i++) follows += view.tokens[i] ?? 0;
    return (now.prices.write - now.prices.read) * follows <= this.#policy.askedLimit;
  }

  /** Nothing may change at or before this part: a later block is bound to it. */
  #floor({ reasoning }: Now, pressed: boolean): number {
    const { facts, ledger } = this.#session;
    return reasoning === "bound" ? boundFloor(facts, ledger, pressed) : -1;
  }

  #withdraws({ ref, author }: Restoral, waiting: Waiting): boolean {
    if (author !== undefined && waiting.author !== author) return false;
    if (waiting.ref === ref) return true;
    const { facts } = this.#session;
    const part = namesPart(ref, facts) ? facts.refs.placeOf(ref)?.part : undefined;
    return part !== undefined && waiting.asked && facts.transcript.find(part) === waiting.at;
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.#session.facts.transcript.journal.put(this.#state, key, value);
  }
}

const NONE_YET: Fruitless = { tries: 0, used: 0, turn: 0 };

/** Blocks that are bound to what was cut before them leave too. */
function dropVoid(facts: Facts, ledger: Ledger, cutting: Cutting): void {
  const reason = "a cut before it makes this reasoning void";
  for (const part of listVoidReasoning(facts, ledger, cutting.from))
    cutting.apply([{ type: "drop", part, author: "schedule", reason }]);
}

function overflowIssue(tokens: number, window: number): Issue {
  const message = `the request is about ${Math.round(tokens)} tokens and may not fit into the window of ${window}: nothing more may be cut; start a new session, compact, or unprotect something`;
  return { code: "context-overflow", message, severity: "error" };
}
