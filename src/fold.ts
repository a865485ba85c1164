import { type AdvanceView, AGENT } from "./agent/agent-view.ts";
import { describeSituation } from "./agent/situation.ts";
import { tagOf } from "./agent/tags.ts";
import type { Ref } from "./edits/edit.ts";
import { type Draft, type GuardContext, guard } from "./edits/guard.ts";
import { Ledger } from "./edits/ledger.ts";
import { createProtection, type Protection } from "./edits/protection.ts";
import { isRef } from "./edits/refs.ts";
import { View } from "./edits/view.ts";
import { type Delta, Facts } from "./facts/facts.ts";
import { describeError, type Issue, type Result } from "./issue.ts";
import type { ModelProfile } from "./models/profile.ts";
import type { Policy } from "./policy.ts";
import { Account } from "./schedule/account.ts";
import { type Rehearsal, rehearse, type Wishes } from "./schedule/rehearse.ts";
import type { Restoral } from "./schedule/restorals.ts";
import { type AppliedCut, type Now, type Orders, Scheduler } from "./schedule/scheduler.ts";
import { admit, type Waiting } from "./schedule/waiting.ts";
import type { PartDrop, Pass, Proposal } from "./strategies/strategy.ts";
import { checkAnswered, checkInput } from "./transcript/check-input.ts";
import { opensTurn } from "./transcript/decode.ts";
import { estimateTokens } from "./transcript/estimate.ts";
import type { Asked, DecodedMessage, Usage } from "./transcript/message.ts";
import { Transcript } from "./transcript/transcript.ts";

/** The input of one request: the messages since the one before it. */
export interface Boundary {
  readonly messages: readonly DecodedMessage[];
  readonly profile: ModelProfile;
  readonly window: number;
  /** When its newest input was there. */
  readonly time: number | undefined;
  /** What the profile, the window and the time come from. */
  readonly asked: Asked;
  /** These are not known: those of the newest request stand in for them. */
  readonly assumed: boolean;
  /** Of a subagent: never reminded. */
  readonly subagent: boolean;
  /** How Coppice stood before the first boundary; `undefined`: as the policy has it. */
  readonly standing: SessionStatus | undefined;
}

/** `shadow`: nothing changes, and the report says what would be cut. */
export type SessionStatus = "on" | "off" | "shadow";

/** What one boundary did. Its mark is the checkpoint after it. */
export interface Advance {
  readonly boundary: Boundary;
  /** The model that was asked. */
  readonly model: string;
  readonly mark: number;
  /** Messages that it and all before it hold. */
  readonly messages: number;
  /**
   * Tokens of the request as it goes out, as the provider will count them: what stands before the first message, and the
   * messages after the cut of this boundary, with their tags; where Coppice is off or only watches, as they came. Without
   * the note behind them, which tells this very figure. By the estimate, as far as usage has told how that errs.
   */
  readonly used: number;
  readonly window: number;
  readonly cut: AppliedCut | undefined;
  /** What stands behind the messages of this request, and of no other. */
  readonly note: string | undefined;
  readonly status: SessionStatus;
  readonly issues: readonly Issue[];
}

/** What a pass said at one step. */
interface Said {
  readonly proposals: readonly (readonly [Proposal | PartDrop, author: string])[];
  readonly restorals: readonly Restoral[];
}

interface State {
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
  readonly scheduler: Scheduler;
  readonly #state: State = { original: 0 };
  readonly #policy: Policy;
  readonly #protection: Protection;

  constructor(policy: Policy) {
    this.#policy = policy;
    this.facts = new Facts(this.transcript, policy.toolKinds, policy);
    this.ledger = new Ledger(this.transcript.journal);
    this.view = new View(this.transcript, this.ledger);
    this.scheduler = new Scheduler(this, policy);
    this.#protection = createProtection(policy.protection, policy.passes);
  }

  /** Tokens of the transcript without edits. */
  get original(): number {
    return this.#state.original;
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

  /** What this would be if it were cut now, or why it can't be: what the agent is told when it asks. */
  tryOut(proposal: Proposal | PartDrop, author: string, boundary: Boundary): Result<Waiting> {
    const mark = this.transcript.journal.mark();
    const admitted = admit(proposal, author, 0, (draft) => this.#guard(draft, boundary));
    this.transcript.rollback(mark);
    return admitted;
  }

  /** What the next request does with what someone wants, as far as that is known now. */
  rehearse(wishes: Wishes, boundary: Boundary): Rehearsal {
    const { profile, window } = boundary;
    return rehearse(this, wishes, {
      boundary: this.advances.length,
      reasoning: profile.reasoning,
      prices: this.account.pricesFor(profile),
      cold: false,
      window,
      unsentFrom: this.transcript.length,
      guard: (draft) => this.#guard(draft, boundary),
    });
  }

  protectedFrom(part: number, author: string): string | undefined {
    return this.#protection(this.facts, part, author);
  }

  #advance(boundary: Boundary, passes: readonly Pass[], issues: Issue[]): void {
    const { account, transcript, scheduler } = this;
    const { messages, profile, time } = boundary;
    const delta = this.#takeIn(messages);
    const opensEpoch = messages.some((message) => message.opensEpoch);
    const usage = messages.find((message) => message.usage)?.usage;
    if (!opensEpoch) this.#noteUsage(usage, boundary, issues);
    const prices = account.pricesFor(profile);
    const cold = opensEpoch || account.isCold(profile, time);

    const guard = (draft: Draft) => this.#guard(draft, boundary);
    const asked = passes.map((pass) => this.#ask(pass, delta, issues));
    scheduler.take(
      asked.flatMap(({ proposals }) => proposals),
      asked.flatMap(({ restorals }) => restorals),
      guard,
    );
    const window = account.windowOf(boundary.window);
    const { reasoning } = profile;
    const { from: unsentFrom } = delta;
    const now: Now = {
      boundary: this.advances.length,
      reasoning,
      prices,
      cold,
      used: this.#predict(this.view.total, window),
      window,
      unsentFrom,
      guard,
    };
    const status = this.#obey(delta.commands, boundary);
    const cut = status === "off" ? undefined : scheduler.cut(now, this.#listOrders(delta.commands), issues);
    const sent = status === "on" ? this.view.total : this.#state.original;
    const used = this.#predict(sent, window);

    const note = status === "on" ? this.#remind({ boundary, used, window, status }, issues) : undefined;
    const switched = (status === "off") !== (this.advances.at(-1)?.status === "off");
    const from = switched ? this.#findChanged() : (cut?.from ?? delta.from);
    account.bill({
      with: this.#prefix() + (status === "off" ? this.#state.original : this.view.total),
      without: this.#policy.prefixTokens + this.#state.original,
      uncut: this.#prefix() + this.view.uncut,
      kept: from < delta.from ? this.#prefix() + sum(this.view.tokens, from) : undefined,
      note: note === undefined ? 0 : estimateTokens(note),
      cold,
      prices,
      profile,
      time,
    });
    const mark = transcript.journal.mark();
    this.advances.push({
      boundary,
      model: profile.id,
      mark,
      messages: this.messages.length,
      used,
      window,
      cut,
      note,
      status,
      issues,
    });
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
    const { tags, agent } = this.#policy;
    const isProtected = (index: number) => this.protectedFrom(index, AGENT) !== undefined;
    this.view.extend(tags ? (index) => tagOf(facts, index, isProtected, agent) : () => undefined);
    let original = this.#state.original;
    for (let i = from; i < transcript.length; i++) original += transcript.tokens[i] ?? 0;
    transcript.journal.put(this.#state, "original", original);
    return delta;
  }

  #ask(pass: Pass, delta: Delta, issues: Issue[]): Said {
    try {
      return {
        proposals: pass.propose(delta, this.facts).map((proposal) => [proposal, pass.name] as const),
        restorals: [
          ...pass.restores(delta, this.facts).map((wish) => ({ ...wish, author: pass.name })),
          ...(pass.needs?.(delta, this.facts) ?? []).map((ref) => ({
            ref,
            author: undefined,
            needed: true as const,
          })),
        ],
      };
    } catch (error) {
      const message = `${pass.name} was left out at this step: ${describeError(error)}`;
      issues.push({ code: "strategy-failed", message, where: pass.name, severity: "error" });
      return { proposals: [], restorals: [] };
    }
  }

  /** The provider's figures teach how it counts and caches, where they can be right. */
  #noteUsage(usage: Usage | undefined, { profile, window }: Boundary, issues: Issue[]): void {
    const cut = this.ledger.entries.length > 0;
    const wrong = this.account.noteUsage(usage, { profile, cut, prefix: this.#prefix(), window });
    if (wrong === undefined) return;
    const estimate = Math.round(this.account.with.last.total);
    const message = `the last response reports ${wrong} tokens of input, and its request was about ${estimate}: the figure was not used (a sum over the session, perhaps)`;
    issues.push({ code: "usage-doubted", message, severity: "info" });
  }

  /** A person may turn Coppice off and on again, or let it only watch. */
  #obey(commands: Delta["commands"], { standing }: Boundary): SessionStatus {
    const switches = commands.flatMap(({ action }) =>
      action === "on" || action === "off" || action === "shadow" ? [action] : [],
    );
    const before = this.advances.at(-1)?.status ?? standing;
    return switches.at(-1) ?? before ?? (this.#policy.shadow ? "shadow" : "on");
  }

  #listOrders(commands: Delta["commands"]): Orders {
    const shake = commands.findLast((command) => command.action === "shake");
    const restore = commands.flatMap((command): readonly (Ref | "all")[] => {
      if (command.action !== "restore") return [];
      if (command.target === "all") return ["all"];
      return isRef(command.target) ? [command.target] : [];
    });
    return { shake: shake && this.#policy.shake(shake.aggressive), restore };
  }

  /** The first part that is shown otherwise than it is. */
  #findChanged(): number {
    const { tokens } = this.transcript;
    const first = this.view.tokens.findIndex((shown, i) => shown !== tokens[i]);
    return first < 0 ? tokens.length : first;
  }

  #remind(at: AdvanceView, issues: Issue[]): string | undefined {
    const { remind } = this.#policy;
    if (!remind || at.boundary.subagent) return undefined;
    try {
      return remind(this.facts, describeSituation(this, this.#policy, at));
    } catch (error) {
      const message = `there was no reminder at this step: ${describeError(error)}`;
      issues.push({ code: "strategy-failed", message, where: "reminder", severity: "error" });
      return undefined;
    }
  }

  #guard(draft: Draft, boundary: Boundary): ReturnType<typeof guard> {
    const context: GuardContext = {
      transcript: this.transcript,
      ledger: this.ledger,
      view: this.view,
      refs: this.facts.refs,
      reasoning: boundary.profile.reasoning,
      protectedFrom: (part, author) => this.#protection(this.facts, part, author),
    };
    return guard(draft, context);
  }

  /** What the provider will count for a request whose messages come to so many estimated tokens. */
  #predict(tokens: number, window: number): number {
    const { prefixTokens, prefixIn, overheadTokens } = this.#policy;
    const prefix = this.account.isCalibrated ? prefixTokens : prefixIn(window);
    return this.account.predict(prefix + overheadTokens + tokens);
  }

  #prefix(): number {
    return this.#policy.prefixTokens + this.#policy.overheadTokens;
  }

  #note(issues: readonly Issue[]): void {
    for (const issue of issues) this.transcript.journal.push(this.inputIssues, issue);
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
