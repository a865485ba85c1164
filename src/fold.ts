import { tagOf } from "./agent/tags.ts";
import type { Cut } from "./edits/edit.ts";
import { type Draft, type GuardContext, guard } from "./edits/guard.ts";
import { Ledger } from "./edits/ledger.ts";
import { createProtection, type Protection } from "./edits/protection.ts";
import { View } from "./edits/view.ts";
import { type Delta, Facts } from "./facts/facts.ts";
import type { Issue } from "./issue.ts";
import type { CachePrices, ModelProfile } from "./models/profile.ts";
import type { Policy } from "./policy.ts";
import { Account } from "./schedule/account.ts";
import { boundFloor, listVoidReasoning } from "./schedule/bound-reasoning.ts";
import { type CutPoint, type CutReason, chooseCut } from "./schedule/choose-cut.ts";
import { measureExcess } from "./schedule/pressure.ts";
import { admit, enqueue, type Waiting } from "./schedule/waiting.ts";
import type { Pass, Proposal } from "./strategies/strategy.ts";
import { checkAnswered, checkInput } from "./transcript/check-input.ts";
import { opensTurn } from "./transcript/decode.ts";
import type { DecodedMessage } from "./transcript/message.ts";
import { Transcript } from "./transcript/transcript.ts";

/** The input of one request: the messages since the one before it. */
export interface Boundary {
  readonly messages: readonly DecodedMessage[];
  readonly profile: ModelProfile;
  readonly window: number;
  /** When its newest input was there. */
  readonly time: number | undefined;
}

/** The edits that were applied at one boundary. */
export interface AppliedCut {
  readonly reason: CutReason;
  readonly edits: readonly Cut[];
  /** The first part that it changed. */
  readonly from: number;
}

/** What one boundary did. Its mark is the checkpoint after it. */
export interface Advance {
  readonly boundary: Boundary;
  readonly mark: number;
  /** Messages that it and all before it hold. */
  readonly messages: number;
  /** Tokens of the request against its window, as far as usage has told how the estimate errs. */
  readonly used: number;
  readonly window: number;
  readonly cut: AppliedCut | undefined;
  readonly issues: readonly Issue[];
}

/** A boundary while the scheduler looks at it. */
interface Now {
  readonly boundary: Boundary;
  readonly prices: CachePrices;
  readonly cold: boolean;
  readonly used: number;
  readonly window: number;
  readonly unsentFrom: number;
}

interface State {
  waiting: readonly Waiting[];
  /** Tokens of the transcript without edits. */
  original: number;
}

/**
 * The state of a session: a reduction over the boundaries of its transcript, each advanced over once. All of it is
 * journaled, so it can be taken back to any boundary.
 */
export class Fold {
  readonly transcript: Transcript = new Transcript();
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  readonly advances: Advance[] = [];
  /** The messages so far, and the index of each one's first part. */
  readonly messages: DecodedMessage[] = [];
  readonly firstPart: number[] = [];
  /** What was wrong with the input as it came. */
  readonly inputIssues: Issue[] = [];
  readonly account: Account = new Account(this.transcript.journal);
  readonly state: State = { waiting: [], original: 0 };
  readonly #policy: Policy;
  readonly #protection: Protection;

  constructor(policy: Policy) {
    this.#policy = policy;
    this.facts = new Facts(this.transcript, policy.toolKinds, policy);
    this.ledger = new Ledger(this.transcript.journal);
    this.view = new View(this.transcript, this.ledger);
    this.#protection = createProtection(policy.protection, policy.passes);
  }

  /** Where a pass fails it is left out; where more fails, the boundary is taken in as it is. */
  advance(boundary: Boundary): void {
    const mark = this.transcript.journal.mark();
    const messages = this.messages.length;
    try {
      this.#advance(boundary, this.#policy.passes, []);
    } catch (error) {
      this.#rollback(mark, messages);
      const message = `the step was taken in without cuts: ${describeError(error)}`;
      this.#advance(boundary, [], [{ code: "fold-failed", message, severity: "error" }]);
    }
  }

  /** Back to what the first `count` boundaries gave. */
  rewind(count: number): void {
    if (count >= this.advances.length) return;
    const last = this.advances[count - 1];
    this.advances.length = count;
    this.#rollback(last?.mark ?? 0, last?.messages ?? 0);
  }

  /** Why this can't be done now, or `undefined`: what the agent is told when it asks. */
  refusal(proposal: Proposal, author: string): string | undefined {
    const boundary = this.advances.at(-1)?.boundary;
    if (!boundary || this.ledger.isCut(this.transcript.key(proposal.part))) return "it is cut already";
    const mark = this.transcript.journal.mark();
    const admitted = admit(proposal, author, 0, (draft) => this.#guard(draft, boundary));
    this.transcript.rollback(mark);
    return admitted.ok ? undefined : admitted.issue.message;
  }

  #advance(boundary: Boundary, passes: readonly Pass[], issues: Issue[]): void {
    const { account, state, transcript } = this;
    const { messages, profile, time } = boundary;
    const delta = this.#takeIn(messages);
    const opensEpoch = messages.some((message) => message.opensEpoch);
    const usage = messages.find((message) => message.usage)?.usage;
    if (!opensEpoch) account.noteUsage(usage, profile, this.ledger.entries.length > 0);
    const prices = account.pricesFor(profile);
    const cold = opensEpoch || account.isCold(profile, time);

    const proposals = passes.flatMap((pass) => this.#propose(pass, delta, issues));
    const check = (draft: Draft) => this.#guard(draft, boundary);
    this.#put("waiting", enqueue(state.waiting, proposals, account.rentClock, check));

    const used = account.predict(this.#prefix() + this.view.total);
    const window = account.windowOf(boundary.window);
    const point = this.#choose({ boundary, prices, cold, used, window, unsentFrom: delta.from });
    const cut = point && this.#cut(point, boundary, issues);
    const broken = cut !== undefined && cut.from < delta.from;
    account.bill({
      with: this.#prefix() + this.view.total,
      without: this.#policy.prefixTokens + state.original,
      kept: broken ? this.#prefix() + sum(this.view.tokens, cut.from) : undefined,
      cold,
      prices,
      profile,
      time,
    });
    const mark = transcript.journal.mark();
    this.advances.push({ boundary, mark, messages: this.messages.length, used, window, cut, issues });
  }

  /** Where to cut, if anywhere: never before a block that is bound to what stands before it. */
  #choose(now: Now): CutPoint | undefined {
    const { account, state, view } = this;
    const { ratio } = account.calibration;
    const excess = measureExcess(now.used, this.#policy.compactThreshold * now.window);
    const bound = now.boundary.profile.reasoning === "bound";
    const floor = bound ? boundFloor(this.facts, this.ledger, excess > 0) : -1;
    const point = chooseCut(
      state.waiting.filter(({ at }) => at > floor),
      {
        mode: this.#policy.mode,
        prices: now.prices,
        cold: now.cold,
        excess: excess / ratio,
        overflow: Math.max(0, now.used - now.window) / ratio,
        behind: account.isBehind(view.total, now.prices),
        shown: view.tokens,
        unsentFrom: now.unsentFrom,
        rentClock: account.rentClock,
        askedLimit: this.#policy.askedLimit,
      },
    );
    return point && { ...point, from: Math.max(point.from, floor + 1) };
  }

  #takeIn(messages: readonly DecodedMessage[]): Delta {
    const { transcript, facts } = this;
    const from = transcript.length;
    for (const message of messages) {
      const first = transcript.length;
      if (message.parts[0]?.opensStep) this.#note(checkAnswered(transcript, transcript.lastStep));
      transcript.append(message.parts, this.messages.length, opensTurn(message));
      this.firstPart.push(first);
      this.messages.push(message);
    }
    const delta = facts.ingest(from, transcript.length);
    this.#note(checkInput(transcript, from, transcript.length));
    const isProtected = (index: number) => this.#protection(facts, index, "agent") !== undefined;
    this.view.extend(this.#policy.tags ? (index) => tagOf(facts, index, isProtected) : () => undefined);
    let original = this.state.original;
    for (let i = from; i < transcript.length; i++) original += transcript.tokens[i] ?? 0;
    this.#put("original", original);
    return delta;
  }

  #propose(pass: Pass, delta: Delta, issues: Issue[]): readonly (readonly [Proposal, string])[] {
    try {
      return pass.propose(delta, this.facts).map((proposal) => [proposal, pass.name] as const);
    } catch (error) {
      const message = `${pass.name} was left out at this step: ${describeError(error)}`;
      issues.push({ code: "strategy-failed", message, where: pass.name, severity: "error" });
      return [];
    }
  }

  /** Applies everything that is due from `point` on; what the guard refuses is withdrawn. */
  #cut(point: CutPoint, boundary: Boundary, issues: Issue[]): AppliedCut | undefined {
    const due = this.state.waiting.filter(({ at }) => at >= point.from);
    const edits: Cut[] = [];
    const apply = (draft: Draft): boolean => {
      const checked = this.#guard(draft, boundary);
      if (!checked.ok) {
        issues.push(checked.issue);
        return false;
      }
      edits.push(checked.value);
      this.view.refresh(this.ledger.record(checked.value, this.advances.length));
      return true;
    };
    const askedFirst = due.toSorted((a, b) => Number(b.asked) - Number(a.asked) || a.at - b.at);
    for (const waiting of askedFirst) {
      const [main, ...others] = waiting.drafts();
      if (apply(main)) others.forEach(apply);
    }
    this.#put(
      "waiting",
      this.state.waiting.filter(({ at }) => at < point.from),
    );
    if (edits.length === 0) return undefined;

    const from = Math.min(...edits.map((edit) => this.transcript.find(edit.part) ?? 0));
    if (boundary.profile.reasoning === "bound") {
      for (const part of listVoidReasoning(this.facts, this.ledger, from)) {
        apply({
          type: "drop",
          part,
          author: "schedule",
          reason: "a cut before it makes this reasoning void",
        });
      }
    }
    return { reason: point.reason, edits, from };
  }

  #guard(draft: Draft, boundary: Boundary): ReturnType<typeof guard> {
    const context: GuardContext = {
      transcript: this.transcript,
      ledger: this.ledger,
      refs: this.facts.refs,
      reasoning: boundary.profile.reasoning,
      protectedFrom: (part, author) => this.#protection(this.facts, part, author),
    };
    return guard(draft, context);
  }

  #prefix(): number {
    return this.#policy.prefixTokens + this.#policy.overheadTokens;
  }

  #note(issues: readonly Issue[]): void {
    for (const issue of issues) this.transcript.journal.push(this.inputIssues, issue);
  }

  #put<K extends keyof State>(key: K, value: State[K]): void {
    this.transcript.journal.put(this.state, key, value);
  }

  #rollback(mark: number, messages: number): void {
    this.transcript.rollback(mark);
    this.messages.length = messages;
    this.firstPart.length = messages;
    this.view.forget();
  }
}

function sum(numbers: readonly number[], end: number): number {
  let total = 0;
  for (let i = 0; i < end; i++) total += numbers[i] ?? 0;
  return total;
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
