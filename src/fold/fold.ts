import type { RequestState } from "../agent/agent-view.ts";
import { tagOf } from "../agent/tags.ts";
import { describeError, type Issue } from "../basics/issue.ts";
import { AGENT } from "../edits/authors.ts";
import { type SignedPlan, signPlan } from "../edits/cut-plan.ts";
import type { Guard } from "../edits/guard.ts";
import type { Delta } from "../facts/facts.ts";
import { addWork, NO_WORK, type WorkCounts } from "../facts/work-counts.ts";
import type { CachePrices, ModelProfile } from "../models/profile.ts";
import { createProtection } from "../protection/protection.ts";
import { describeSituation } from "../reminders/situation.ts";
import { Account } from "../schedule/account.ts";
import { chooseMark } from "../schedule/choose-mark.ts";
import type { Now } from "../schedule/now.ts";
import { inputLimit } from "../schedule/pressure.ts";
import type { CachedText, Kept } from "../schedule/prompt-cache.ts";
import { type Rehearsal, rehearse, type Wishes } from "../schedule/rehearse.ts";
import type { Restoral } from "../schedule/restorals.ts";
import { type AppliedCut, Scheduler } from "../schedule/scheduler.ts";
import { repeatedReads } from "../strategies/repeated-reads.ts";
import type { Pass } from "../strategies/strategy.ts";
import { checkAnswered, checkInput } from "../transcript/check-input.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { DecodedMessage, RequestTerms, Usage } from "../transcript/message.ts";
import type { SessionStatus } from "../transcript/session-command.ts";
import { Workbench } from "../workbench/workbench.ts";
import { type HandedOver, HandOver } from "./hand-over.ts";
import { makeSides } from "./make-sides.ts";
import { listOrders, statusAfter } from "./obey-commands.ts";
import { overflowIssue } from "./overflow-issue.ts";
import { type CacheMarkPlace, placeMarks } from "./place-marks.ts";
import type { Policy } from "./policy.ts";
import { ruleOffIssue } from "./rule-off-issue.ts";

/** The input of one request: the messages since the one before it. */
export interface RequestInput {
  readonly messages: readonly DecodedMessage[];
  readonly profile: ModelProfile;
  readonly window: number;
  /** The time of its newest input. */
  readonly time: number | undefined;
  /** What the profile, the window and the time come from, and how much stands before the first message. */
  readonly terms: RequestTerms;
  /** What the provider reported of the request before this one. */
  readonly usage: Usage | undefined;
  /** A client's own question (a title, a summary): nothing new is cut for it. */
  readonly quiet: boolean;
  /** These are not known: those of the newest request stand in for them. */
  readonly isAssumed: boolean;
  /** A subagent's session gets no reminders. */
  readonly subagent: boolean;
  /** The status of Coppice before the first boundary; `undefined`: as the policy has it. */
  readonly status: SessionStatus | undefined;
}

/** What one boundary did. Its mark is the checkpoint after it. */
export interface Advance extends Omit<RequestState, "profile">, HandedOver {
  readonly input: RequestInput;
  readonly mark: number;
  /** How many messages it and all before it have. */
  readonly messages: number;
  /**
   * Tokens of the request as sent, as the provider will count them: what stands before the first message, and the
   * messages with their tags after this boundary's cut; where Coppice is off or only watches, the original messages.
   * Without the note at the end, which quotes this figure. An estimate, corrected by what usage figures have told.
   */
  readonly used: number;
  readonly cut: AppliedCut | undefined;
  /** The note at the end of this request, and of no other. */
  readonly note: string | undefined;
  readonly issues: readonly Issue[];
  /** The message that gets a cache mark of ours at its end. */
  readonly ownMark: number | undefined;
}

/** What the passes want at one step. */
interface StepWishes {
  readonly plans: SignedPlan[];
  readonly restorals: Restoral[];
}

/** So many of the newest requests can be taken back: one for a retry, more where usage or a model's name comes late. */
const TAKEN_BACK = 2;

const NO_ISSUES: readonly Issue[] = [];

interface State {
  /** Tokens of the transcript without edits. */
  original: number;
  /** Those of them that stand in blocks that nobody can read. */
  opaque: number;
  characters: number;
  work: WorkSoFar;
}

/** What can be seen of how the agent's work goes: in the newest request, and in the session up to it. */
interface WorkSoFar {
  readonly newest: WorkCounts;
  readonly session: WorkCounts;
}

/**
 * The state of a session: a reduction over the boundaries of its transcript, each advanced over once. It is a workbench
 * with an account and a scheduler. All of it is journaled, so the newest requests can be taken back.
 */
export class Fold extends Workbench {
  readonly advances: Advance[] = [];
  /** What is wrong with the host's messages. */
  readonly inputIssues: Issue[] = [];
  readonly account: Account;
  readonly scheduler: Scheduler;
  readonly handOver: HandOver;
  /** By count of messages: a hash of that many. */
  prefixes: readonly string[] = [];
  readonly #state: State = {
    original: 0,
    opaque: 0,
    characters: 0,
    work: { newest: NO_WORK, session: NO_WORK },
  };
  readonly #policy: Policy;

  constructor(policy: Policy) {
    const { toolKinds, directory, pruneProtect, protection, passes, boundPasses, showsRefs } = policy;
    super({
      toolKinds,
      directory,
      pruneProtect,
      showsRefs,
      protection: createProtection(protection, [...passes, ...boundPasses]),
    });
    this.#policy = policy;
    this.handOver = new HandOver(this, () => this.advances.at(-1));
    this.account = new Account(this.transcript.undoLog);
    this.scheduler = new Scheduler(this, policy);
  }

  /** Tokens of the transcript without edits. */
  get original(): number {
    return this.#state.original;
  }

  /** Those of them that stand in blocks that nobody can read. */
  get opaque(): number {
    return this.#state.opaque;
  }

  /** Of all texts of the transcript. */
  get characters(): number {
    return this.#state.characters;
  }

  get work(): WorkSoFar {
    return this.#state.work;
  }

  /** Where a pass fails it is left out; where more fails, the boundary is taken in as it is. */
  advance(input: RequestInput): void {
    const mark = this.transcript.undoLog.mark();
    const messages = this.messages.length;
    try {
      this.#advance(input, this.#passesFor(input), []);
    } catch (error) {
      this.rollback(mark, messages);
      const message = `the step was taken in without cuts: ${describeError(error)}`;
      this.#advance(input, [], [{ code: "fold-failed", message, severity: "error" }]);
    }
    const settled = this.advances.at(-1 - TAKEN_BACK);
    if (settled) this.transcript.undoLog.settle(settled.mark);
  }

  /**
   * Gives the state after the first `count` requests: this fold, with the newest requests taken back. If `count` is further
   * back than that, a new fold that has advanced over the same input.
   */
  rewind(count: number): Fold {
    if (count >= this.advances.length) return this;
    const last = this.advances[count - 1];
    const mark = last?.mark ?? 0;
    if (!this.transcript.undoLog.reaches(mark)) {
      const again = new Fold(this.#policy);
      for (const { input } of this.advances.slice(0, count)) again.advance(input);
      return again;
    }
    this.advances.length = count;
    this.rollback(mark, last?.messages ?? 0);
    return this;
  }

  /** What the next request would do with these wishes, as far as that is known now. */
  rehearse(wishes: Wishes, { profile, window }: Pick<RequestState, "profile" | "window">): Rehearsal {
    const { transcript, account } = this;
    const prices = account.pricesFor(profile);
    const { terms } = this.advances.at(-1)?.input ?? {};
    const cached = account.findCached({
      model: profile.plainId,
      prices,
      time: undefined,
      kept: undefined,
      marks: placeMarks(transcript, undefined, undefined),
      mayMark: terms !== undefined && this.#mayMark(terms, "on", prices),
    });
    return rehearse(this, wishes, {
      request: this.advances.length,
      reasoning: profile.reasoning,
      prices,
      prefix: 0,
      cached,
      window,
      unsentFrom: transcript.length,
      isCleared: (part) => this.handOver.isCleared(part),
      guard: (plan, span) => this.check(plan, span, profile),
    });
  }

  #advance(input: RequestInput, passes: readonly Pass[], issues: Issue[]): void {
    const { account, transcript, scheduler, handOver } = this;
    const { messages, profile, time, terms, usage, quiet } = input;
    const delta = this.#ingest(messages, pointsBack(this.#passesFor(input)));
    const { from: unsentFrom } = delta;
    const afterCompaction = messages.some((message) => message.isCompaction);
    if (!afterCompaction) this.#noteUsage(usage, input, issues);
    const prices = account.pricesFor(profile);
    const prefix = this.#prefix(input);
    const last = this.advances.at(-1);
    const previous = last?.status ?? input.status ?? (this.#policy.shadow ? "shadow" : "on");
    const status = this.#policy.enabled ? statusAfter(delta.commands, previous) : "off";

    const marks = placeMarks(transcript, terms.marks, terms.ttl);
    const mayMark = this.#mayMark(terms, status, prices);
    const answer = profile.cachesAnswers ? this.#measureAnswer(unsentFrom) : undefined;
    const { warmedAt } = terms;
    const lost = this.#findLost(prefix, afterCompaction);
    const cached = account.findCached({
      model: profile.plainId,
      prices,
      time,
      warmedAt,
      answer,
      kept: lost,
      marks,
      mayMark,
    });

    const { reasoning } = profile;
    const guard: Guard = (plan, span) => this.check(plan, span, profile);
    for (const regret of scheduler.learn(delta, last?.status === "on")) issues.push(ruleOffIssue(regret));
    const wishes: StepWishes = { plans: [], restorals: [] };
    for (const pass of passes) this.#ask(pass, delta, wishes, issues);
    scheduler.take(wishes.plans, wishes.restorals, guard);
    const window = account.windowOf(input.window);
    const count = (total: number) => this.#predict(total, window, input);
    const counting = { count, ratio: account.calibration.ratio };
    const clearedBefore = handOver.follow(terms.clears, counting);
    const now: Now = {
      request: this.advances.length,
      reasoning,
      prices,
      delta,
      prefix,
      cached,
      usedBefore: count(this.view.total - clearedBefore.tokens),
      window,
      unsentFrom,
      isCleared: (part) => handOver.isCleared(part, clearedBefore),
      guard,
    };
    const orders = listOrders(delta.commands, this.#policy.shake);
    const { cut, cleared } =
      status === "off" || quiet
        ? { cut: undefined, cleared: clearedBefore }
        : handOver.cut(() => scheduler.cut(now, orders, issues), clearedBefore, counting);
    const clearedUncut = handOver.findUncut(this.#state.original, counting);
    const shown = this.view.total - cleared.tokens;
    const original = this.#state.original - clearedUncut.tokens;
    const sent = status === "on" ? shown : original;
    const used = count(sent);
    if (used > inputLimit(window, this.#policy.reservedOutput))
      issues.push(overflowIssue(used, window, status));

    const note =
      status === "on" && !quiet
        ? this.#remind({ profile, used, window, status }, input.subagent, issues)
        : undefined;
    const switched = (status === "off") !== (last?.status === "off");
    const changed = switched ? this.#findChanged() : (cut?.from ?? transcript.length);
    const own = mayMark ? this.#chooseMark(cached, marks, changed, unsentFrom) : undefined;
    const sides = makeSides(handOver, {
      prefix,
      overhead: this.#overhead(input),
      shown,
      original: this.#state.original,
      tags: this.view.uncut - this.#state.original,
      blocks: transcript.length,
      cleared,
      clearedUncut,
      lost,
      changed,
      newFrom: unsentFrom + (answer?.blocks ?? 0),
      marks,
      own,
      isOff: status === "off",
    });
    account.bill({
      with: sides.with,
      without: sides.without,
      uncut: sides.uncut,
      prices,
      profile,
      time,
      warmedAt,
      answer,
      note: note === undefined ? 0 : estimateTokens(note),
    });
    const newest = quiet ? NO_WORK : delta.work;
    transcript.undoLog.put(this.#state, "work", {
      newest,
      session: addWork([this.work.session, newest]),
    });
    const mark = transcript.undoLog.mark();
    this.advances.push({
      input,
      mark,
      messages: this.messages.length,
      used,
      window,
      cut,
      cleared,
      clearedUncut,
      note,
      status,
      issues: issues.length > 0 ? issues : NO_ISSUES,
      ownMark: own === undefined ? undefined : transcript.message[own - 1],
    });
  }

  #ingest(messages: readonly DecodedMessage[], pointsBack: boolean): Delta {
    const { transcript, facts } = this;
    const { length: from, lastStep: before } = transcript;
    const { tags, agent } = this.#policy;
    const isProtected = (index: number) => this.protectedFrom(index, AGENT) !== undefined;
    const delta = this.takeIn(
      messages,
      tags ? (index) => tagOf(facts, index, isProtected, agent) : () => undefined,
      pointsBack,
    );
    for (let step = before; step < transcript.lastStep; step++) this.#note(checkAnswered(transcript, step));
    this.#note(checkInput(transcript, from, transcript.length));
    let { original, opaque, characters } = this.#state;
    for (let i = from; i < transcript.length; i++) {
      const tokens = transcript.tokens[i] ?? 0;
      const part = transcript.part(i);
      original += tokens;
      if (part.kind === "opaque" && !part.known) opaque += tokens;
      for (const { text } of part.leaves) characters += text.length;
    }
    transcript.undoLog.put(this.#state, "original", original);
    transcript.undoLog.put(this.#state, "opaque", opaque);
    transcript.undoLog.put(this.#state, "characters", characters);
    return delta;
  }

  #passesFor({ profile }: RequestInput): readonly Pass[] {
    const { passes, boundPasses } = this.#policy;
    return profile.reasoning === "bound" ? boundPasses : passes;
  }

  /** Adds what a pass wants; nothing where it fails. */
  #ask(pass: Pass, delta: Delta, { plans, restorals }: StepWishes, issues: Issue[]): void {
    try {
      const proposed = pass.propose(delta, this.facts);
      const restored = pass.restores(delta, this.facts);
      const needed = pass.needs?.(delta, this.facts) ?? [];
      const author = pass.name;
      for (const plan of proposed) plans.push(signPlan(plan, pass));
      for (const wish of restored) restorals.push({ ...wish, author });
      for (const ref of needed) restorals.push({ ref, author: undefined, needed: true });
    } catch (error) {
      const message = `${pass.name} was left out at this step: ${describeError(error)}`;
      issues.push({ code: "strategy-failed", message, where: pass.name, severity: "error" });
    }
  }

  /** The provider's figures teach how it counts and caches, where they can be right. */
  #noteUsage(usage: Usage | undefined, input: RequestInput, issues: Issue[]): void {
    const { profile, window } = input;
    const cut = this.ledger.hasCut || this.handOver.newest.cleared.tokens > 0;
    const prefix = this.#prefix(input);
    const wrong = this.account.noteUsage(usage, { profile, cut, prefix, window });
    if (wrong === undefined) return;
    const estimate = Math.round(this.account.with.last.total);
    const message = `the last response reports ${wrong} tokens of input, and its request was about ${estimate}: the figure was not used (a sum over the session, perhaps)`;
    issues.push({ code: "usage-doubted", message, severity: "info" });
  }

  /** The response that opens the newest parts. */
  #measureAnswer(from: number): { readonly blocks: number; readonly tokens: number } {
    const { parts, tokens } = this.transcript;
    let [end, sum] = [from, 0];
    while (parts[end]?.role === "assistant" && parts[end]?.kind !== "result") sum += tokens[end++] ?? 0;
    return { blocks: end - from, tokens: sum };
  }

  /** Does the host set a mark of ours, and would the provider heed it? */
  #mayMark({ mayMark }: RequestTerms, status: SessionStatus, prices: CachePrices): boolean {
    return this.#policy.ownMark && mayMark === true && status === "on" && prices.marks === true;
  }

  /** After how many parts a cache mark of ours does most, if anywhere. */
  #chooseMark(
    { entries = [] }: CachedText,
    marks: readonly CacheMarkPlace[],
    changed: number,
    unsentFrom: number,
  ): number | undefined {
    const { parts, message } = this.transcript;
    const isMarkable = (blocks: number) => {
      const kind = parts[blocks - 1]?.kind;
      return (kind === "result" || kind === "call") && message[blocks] !== message[blocks - 1];
    };
    return chooseMark({ entries, marks, changed, unsentFrom, isMarkable });
  }

  /** What is left of the text of the request before, where the host has changed what stands at the start. */
  #findLost(prefix: number, afterCompaction: boolean): Kept | undefined {
    const last = this.advances.at(-1);
    // Another system prompt, or other tools: nothing that follows is in the cache.
    if (last !== undefined && prefix !== this.#prefix(last.input)) return { blocks: -1, tokens: 0 };
    return afterCompaction ? { blocks: 0, tokens: prefix } : undefined;
  }

  /** The first part that is shown differently from its original. */
  #findChanged(): number {
    const { tokens } = this.transcript;
    const first = this.view.tokens.findIndex((shown, i) => shown !== tokens[i]);
    return first < 0 ? tokens.length : first;
  }

  #remind(at: RequestState, subagent: boolean, issues: Issue[]): string | undefined {
    const { remind } = this.#policy;
    if (!remind || subagent) return undefined;
    try {
      return remind(this.facts, describeSituation(this, this.#policy, at));
    } catch (error) {
      const message = `there was no reminder at this step: ${describeError(error)}`;
      issues.push({ code: "strategy-failed", message, where: "reminder", severity: "error" });
      return undefined;
    }
  }

  /** What the provider will count for a request whose messages come to so many estimated tokens. */
  #predict(tokens: number, window: number, input: RequestInput): number {
    const { prefixTokens, prefixIn } = this.#policy;
    const fallback = this.account.isCalibrated ? prefixTokens : prefixIn(window);
    const prefix = input.terms.prefixTokens ?? fallback;
    return this.account.predict(prefix + this.#overhead(input) + tokens);
  }

  /** Tokens of what stands before the first message. */
  #prefix(input: RequestInput): number {
    return (input.terms.prefixTokens ?? this.#policy.prefixTokens) + this.#overhead(input);
  }

  /** Those of them that are Coppice's own. */
  #overhead({ terms }: RequestInput): number {
    return terms.overheadTokens ?? this.#policy.overheadTokens;
  }

  #note(issues: readonly Issue[]): void {
    for (const issue of issues) this.transcript.undoLog.push(this.inputIssues, issue);
  }
}

function pointsBack(passes: readonly Pass[]): boolean {
  return passes.some(({ name }) => name === repeatedReads.name);
}
