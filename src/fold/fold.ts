import type { RequestState } from "../agent/agent-view.ts";
import { describeSituation } from "../agent/situation.ts";
import { tagOf } from "../agent/tags.ts";
import { describeError, type Issue } from "../basics/issue.ts";
import { AGENT } from "../edits/authors.ts";
import type { RefusalIssue } from "../edits/refusal.ts";
import { Workbench } from "../edits/workbench.ts";
import type { Delta } from "../facts/facts.ts";
import { addWork, NO_WORK, type WorkCounts } from "../facts/work-counts.ts";
import type { CachePrices } from "../models/profile.ts";
import { createProtection } from "../protection/protection.ts";
import { Account } from "../schedule/account.ts";
import { chooseMark } from "../schedule/choose-mark.ts";
import type { Now } from "../schedule/now.ts";
import { inputLimit } from "../schedule/pressure.ts";
import type { CachedText, Kept } from "../schedule/prompt-cache.ts";
import { type Rehearsal, rehearse, type Wishes } from "../schedule/rehearse.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import type { Pass } from "../strategies/strategy.ts";
import { checkAnswered, checkInput } from "../transcript/check-input.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { DecodedMessage, RequestTerms, Usage } from "../transcript/message.ts";
import type { SessionStatus } from "../transcript/session-command.ts";
import type { Advance, Arrival, Decision, RequestInput } from "./advance.ts";
import { askPasses } from "./ask-passes.ts";
import { HandOver } from "./hand-over.ts";
import { makeSides } from "./make-sides.ts";
import { listOrders, statusAfter } from "./obey-commands.ts";
import { overflowIssue } from "./overflow-issue.ts";
import { type CacheMarkPlace, placeMarks } from "./place-marks.ts";
import type { Policy } from "./policy.ts";
import { ruleOffIssue } from "./rule-off-issue.ts";

/** The number of newest requests that can be undone: one for a retry, more if usage or a model's name comes late. */
const TAKEN_BACK = 2;

/** The most requests that can be undone, in a session where more than usual had to be. */
const MOST_TAKEN_BACK = 64;

const NO_ISSUES: readonly Issue[] = [];

interface State {
  /** Tokens of the transcript without edits. */
  original: number;
  /** Tokens in blocks that Coppice can't read. */
  opaque: number;
  characters: number;
  work: WorkSoFar;
  refusals: readonly RefusalIssue[];
}

/** Signs of how the agent's work goes, in the newest request and in the session up to it. */
interface WorkSoFar {
  readonly newest: WorkCounts;
  readonly session: WorkCounts;
}

/**
 * The state of a session, computed request by request: a workbench with an account and a scheduler. Each request is
 * advanced over once. The undo log has every write, so the newest requests can be undone.
 */
export class Fold extends Workbench {
  readonly advances: Advance[] = [];
  /** Problems of the host's messages. */
  readonly inputIssues: Issue[] = [];
  readonly account: Account;
  readonly scheduler: Scheduler;
  readonly handOver: HandOver;
  /** The hash of the first messages, by their number. */
  prefixes: readonly string[] = [];
  readonly #state: State = {
    original: 0,
    opaque: 0,
    characters: 0,
    work: { newest: NO_WORK, session: NO_WORK },
    refusals: [],
  };
  readonly #policy: Policy;
  /** The number of newest requests that can be undone. */
  #takenBack = TAKEN_BACK;

  constructor(policy: Policy) {
    const { toolKinds, directory, pruneProtect, protection, passes, boundPasses, showsRefs } = policy;
    const usable = [...passes, ...boundPasses];
    super({
      toolKinds,
      directory,
      pruneProtect,
      showsRefs,
      wanted: new Set(usable.flatMap(({ facts }) => facts ?? [])),
      protection: createProtection(protection, usable),
    });
    this.#policy = policy;
    this.handOver = new HandOver(this, () => this.#last);
    this.account = new Account(this.transcript.undoLog);
    this.scheduler = new Scheduler(this, policy);
  }

  /** Tokens of the transcript without edits. */
  get original(): number {
    return this.#state.original;
  }

  /** Tokens of the original transcript in blocks that Coppice can't read. */
  get opaque(): number {
    return this.#state.opaque;
  }

  /** Characters of all texts of the transcript. */
  get characters(): number {
    return this.#state.characters;
  }

  get work(): WorkSoFar {
    return this.#state.work;
  }

  /** The plans of the newest request that the guard refused. */
  get refusals(): readonly RefusalIssue[] {
    return this.#state.refusals;
  }

  /** Skips a pass that throws. If anything else throws, records the request without cuts. */
  advance(input: RequestInput): void {
    const mark = this.transcript.undoLog.mark();
    const messages = this.messages.length;
    try {
      this.#advance(input, this.#passesFor(input), []);
    } catch (error) {
      this.rollback(mark, messages);
      const message = `this request was recorded without cuts, because of an error: ${describeError(error)}`;
      this.#advance(input, [], [{ code: "fold-failed", message, severity: "error" }]);
    }
    const settled = this.advances.at(-1 - this.#takenBack);
    if (settled) this.transcript.undoLog.settle(settled.mark);
  }

  /**
   * Returns the state after the first `count` requests: this fold with the newest requests undone or, if that is too
   * far back, a new fold that has advanced over the same input.
   */
  rewind(count: number): Fold {
    if (count >= this.advances.length) return this;
    const last = this.advances[count - 1];
    const mark = last?.mark ?? 0;
    if (!this.transcript.undoLog.reaches(mark)) {
      const again = new Fold(this.#policy);
      // A host that reports usage late does so again. Without this, each request would start over.
      again.#takenBack = Math.min(2 * (this.advances.length - count), MOST_TAKEN_BACK);
      for (const { input } of this.advances.slice(0, count)) again.advance(input);
      return again;
    }
    this.advances.length = count;
    this.rollback(mark, last?.messages ?? 0);
    return this;
  }

  /** Predicts what the next request does with these wishes, as far as it is known now. */
  rehearse(wishes: Wishes, { profile, window }: Pick<RequestState, "profile" | "window">): Rehearsal {
    const { transcript, account } = this;
    const prices = account.pricesFor(profile);
    const { terms } = this.#last?.input ?? {};
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
    const arrival = this.#takeIn(input, issues);
    const refusals = this.#propose(arrival, passes, issues);
    const decision = this.#decide(arrival, issues);
    this.advances.push(this.#settle(arrival, decision, refusals, issues));
  }

  /** Adds the messages to the transcript, and finds the terms of the request and the state of the cache. */
  #takeIn(input: RequestInput, issues: Issue[]): Arrival {
    const { account, transcript } = this;
    const { messages, profile, time, terms, usage } = input;
    const delta = this.#ingest(
      messages,
      this.#passesFor(input).some(({ facts }) => facts?.includes("repeats")),
    );
    const afterCompaction = messages.some((message) => message.isCompaction);
    if (!afterCompaction) this.#noteUsage(usage, input, issues);
    const prices = account.pricesFor(profile);
    const prefix = this.#prefix(input);
    const before = this.#last?.status ?? input.status ?? (this.#policy.shadow ? "shadow" : "on");
    const status = this.#policy.enabled ? statusAfter(delta.commands, before) : "off";
    const marks = placeMarks(transcript, terms.marks, terms.ttl);
    const mayMark = this.#mayMark(terms, status, prices);
    const answer = profile.cachesAnswers ? this.#measureAnswer(delta.from) : undefined;
    const lost = this.#findLost(prefix, afterCompaction);
    const cached = account.findCached({
      model: profile.plainId,
      prices,
      time,
      warmedAt: terms.warmedAt,
      answer,
      kept: lost,
      marks,
      mayMark,
    });
    return {
      input,
      delta,
      status,
      window: account.windowOf(input.window),
      prices,
      prefix,
      cache: { cached, lost, marks, mayMark, answer },
      guard: (plan, span) => this.check(plan, span, profile),
    };
  }

  /** Queues the plans of all passes. Returns those that the guard refuses. */
  #propose({ delta, guard }: Arrival, passes: readonly Pass[], issues: Issue[]): readonly RefusalIssue[] {
    const { scheduler } = this;
    for (const regret of scheduler.learn(delta, this.#last?.status === "on"))
      issues.push(ruleOffIssue(regret));
    const { plans, restorals, failed } = askPasses(passes, delta, this.facts);
    issues.push(...failed);
    return scheduler.take(plans, restorals, guard);
  }

  /** Makes the cut for this request, if any is due, and writes the note. */
  #decide(arrival: Arrival, issues: Issue[]): Decision {
    const { handOver, scheduler, view } = this;
    const { input, delta, status, window, prices, prefix, cache, guard } = arrival;
    const count = (total: number) => this.#predict(total, window, input);
    const counting = { count, ratio: this.account.calibration.ratio };
    const clearedBefore = handOver.follow(input.terms.clears, counting);
    const now: Now = {
      request: this.advances.length,
      reasoning: input.profile.reasoning,
      prices,
      delta,
      prefix,
      cached: cache.cached,
      usedBefore: count(view.total - clearedBefore.tokens),
      window,
      unsentFrom: delta.from,
      isCleared: (part) => handOver.isCleared(part, clearedBefore),
      guard,
    };
    const orders = listOrders(delta.commands, this.#policy.shake);
    const { cut, cleared } =
      status === "off" || input.quiet
        ? { cut: undefined, cleared: clearedBefore }
        : handOver.cut(() => scheduler.cut(now, orders, issues), clearedBefore, counting);
    const clearedUncut = handOver.findUncut(this.original, counting);
    const shown = view.total - cleared.tokens;
    const used = count(status === "on" ? shown : this.original - clearedUncut.tokens);
    if (used > inputLimit(window, this.#policy.reservedOutput))
      issues.push(overflowIssue(used, window, status));
    const state = { profile: input.profile, used, window, status };
    const note = status === "on" && !input.quiet ? this.#remind(state, input.subagent, issues) : undefined;
    return { cut, cleared, clearedUncut, shown, used, note };
  }

  /** Bills the request, and sums up what it did. */
  #settle(
    { input, delta, status, window, prices, prefix, cache }: Arrival,
    { cut, cleared, clearedUncut, shown, used, note }: Decision,
    refusals: readonly RefusalIssue[],
    issues: readonly Issue[],
  ): Advance {
    const { transcript } = this;
    const { profile, time, terms, quiet } = input;
    const { cached, lost, marks, mayMark, answer } = cache;
    const last = this.#last;
    const switched = (status === "off") !== (last?.status === "off");
    const changed = switched ? this.#findChanged() : (cut?.from ?? transcript.length);
    const own = mayMark ? this.#chooseMark(cached, marks, changed, delta.from) : undefined;
    const sides = makeSides(this.handOver, {
      prefix,
      overhead: this.#overhead(input),
      shown,
      original: this.original,
      tags: this.view.uncut - this.original,
      blocks: transcript.length,
      cleared,
      clearedUncut,
      lost,
      changed,
      newFrom: delta.from + (answer?.blocks ?? 0),
      marks,
      own,
      isOff: status === "off",
    });
    this.account.bill({
      ...sides,
      prices,
      profile,
      time,
      warmedAt: terms.warmedAt,
      answer,
      note: note === undefined ? 0 : estimateTokens(note),
    });
    const newest = quiet ? NO_WORK : delta.work;
    transcript.undoLog.put(this.#state, "work", { newest, session: addWork([this.work.session, newest]) });
    transcript.undoLog.put(this.#state, "refusals", refusals);
    return {
      input,
      mark: transcript.undoLog.mark(),
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
    };
  }

  get #last(): Advance | undefined {
    return this.advances.at(-1);
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

  /** Learns from the provider's figures how it counts and caches, if they are plausible. */
  #noteUsage(usage: Usage | undefined, input: RequestInput, issues: Issue[]): void {
    const { profile, window } = input;
    const cut = this.ledger.hasCut || this.handOver.newest.cleared.tokens > 0;
    const prefix = this.#prefix(input);
    const wrong = this.account.noteUsage(usage, { profile, cut, prefix, window });
    if (wrong === undefined) return;
    const estimate = Math.round(this.account.with.last.total);
    const message = `the last response reports ${wrong} input tokens for a request of about ${estimate}. The figure was ignored: it may be a sum over the session`;
    issues.push({ code: "usage-doubted", message, severity: "info" });
  }

  /** Measures the response at the start of the newest parts. */
  #measureAnswer(from: number): { readonly blocks: number; readonly tokens: number } {
    const { parts, tokens } = this.transcript;
    let [end, sum] = [from, 0];
    while (parts[end]?.role === "assistant" && parts[end]?.kind !== "result") sum += tokens[end++] ?? 0;
    return { blocks: end - from, tokens: sum };
  }

  /** Can the host set a cache mark for Coppice, and would the provider use it? */
  #mayMark({ mayMark }: RequestTerms, status: SessionStatus, prices: CachePrices): boolean {
    return this.#policy.ownMark && mayMark === true && status === "on" && prices.marks === true;
  }

  /** The number of parts after which Coppice's own cache mark is most useful, if there is such a place. */
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

  /** The part of the previous request's text that is still the same, if the host changed its start. */
  #findLost(prefix: number, afterCompaction: boolean): Kept | undefined {
    const last = this.#last;
    // If the system prompt or the tools differ, nothing after them is in the cache.
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
      const message = `this request got no reminder, because of an error: ${describeError(error)}`;
      issues.push({ code: "strategy-failed", message, where: "reminder", severity: "error" });
      return undefined;
    }
  }

  /** Predicts the provider's count for a request, from the estimated tokens of its messages. */
  #predict(tokens: number, window: number, input: RequestInput): number {
    const { prefixTokens, prefixIn } = this.#policy;
    const fallback = this.account.isCalibrated ? prefixTokens : prefixIn(window);
    const prefix = input.terms.prefixTokens ?? fallback;
    return this.account.predict(prefix + this.#overhead(input) + tokens);
  }

  /** Tokens of the text before the first message. */
  #prefix(input: RequestInput): number {
    return (input.terms.prefixTokens ?? this.#policy.prefixTokens) + this.#overhead(input);
  }

  /** Tokens of that text that Coppice adds. */
  #overhead({ terms }: RequestInput): number {
    return terms.overheadTokens ?? this.#policy.overheadTokens;
  }

  #note(issues: readonly Issue[]): void {
    for (const issue of issues) this.transcript.undoLog.push(this.inputIssues, issue);
  }
}
