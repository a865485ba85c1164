import type { Admitted } from "../edits/admit.ts";
import { AGENT } from "../edits/authors.ts";
import { boundFloor } from "../edits/bound-reasoning.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { Proposal } from "../edits/proposal.ts";
import type { Guarded } from "../edits/refusal.ts";
import type { View } from "../edits/view.ts";
import type { Facts } from "../facts/facts.ts";
import type { ModelProfile } from "../models/profile.ts";
import type { ScheduleMode } from "../schedule/choose-cut.ts";
import { measurePressure, type Pressure } from "../schedule/pressure.ts";
import type { Rehearsal, RehearsedSession, Wishes } from "../schedule/rehearse.ts";
import type { Waiting } from "../schedule/waiting.ts";
import type { Pass } from "../strategies/strategy.ts";
import type { SessionStatus } from "../transcript/session-command.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { AgentSettings } from "./agent-settings.ts";

/** What the agent's tools answer from: the session as of its last request. */
export interface AgentView {
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  readonly waiting: readonly Waiting[];
  readonly settings: AgentSettings;
  /** Not `on`: nothing is cut. */
  readonly status: SessionStatus;
  /** Is what the agent asks for carried out? */
  readonly obeys: boolean;
  readonly pressure: Pressure;
  /** Tokens per part as they were sent: those of the view, or, where Coppice is off or only watches, as they came. */
  readonly sent: readonly number[];
  /** Tokens of the transcript without edits. */
  readonly original: number;
  /** Requests made so far. */
  readonly requests: number;
  /** The host has put a summary in place of older messages. */
  readonly compacted: boolean;
  /** What this would save if it were cut now, or why it can't be. */
  tryOut(proposal: Proposal): Guarded<Admitted>;
  /** Why the agent must not cut this part, or `undefined`. */
  protectedFrom(part: number): string | undefined;
  /** What the next request does with what the agent wants. */
  rehearse(wishes: Omit<Wishes, "author">): Rehearsal;
  /** What a change at this part that saves so much costs now, in tokens of plain input. */
  costOf(at: number, saves: number): number;
  /** Does the provider bind reasoning to the text before it, this step's too, which is not in the view yet? */
  readonly bindsReasoning: boolean;
  /** Is reasoning that was sent bound to this part? */
  isBound(at: number): boolean;
  /** Is it reasoning of the current turn, and nothing else stands in the way of a change? */
  isBoundForTurn(at: number): boolean;
}

/** The session that a view is of: the session. */
export interface AgentSession extends Workbench, RehearsedSession {
  /** Tokens of the transcript without edits. */
  readonly original: number;
  readonly advances: readonly unknown[];
  rehearse(wishes: Wishes, request: Pick<RequestState, "profile" | "window">): Rehearsal;
}

/** What of the settings counts. */
export interface AgentPolicy {
  readonly agent: AgentSettings;
  readonly passes: readonly Pick<Pass, "name">[];
  readonly mode: ScheduleMode;
}

/** How one of its requests stood. */
export interface RequestState {
  readonly profile: ModelProfile;
  /** Tokens of the request as it goes out, and of the window. */
  readonly used: number;
  readonly window: number;
  readonly status: SessionStatus;
}

/** The session at one of its requests. */
export function makeAgentView(session: AgentSession, policy: AgentPolicy, request: RequestState): AgentView {
  const { facts, ledger, view, account } = session;
  const { profile, used, window, status } = request;
  const prices = account.pricesFor(profile);
  const costOf = (at: number, saves: number): number =>
    (prices.write - prices.read) * Math.max(0, sumFrom(view.tokens, at) - saves);
  const bindsReasoning = profile.reasoning === "bound";
  const isBound = (at: number): boolean => bindsReasoning && at <= boundFloor(facts, ledger, false);
  const costsNothing = policy.mode === "eager" || prices.write === prices.read;
  return {
    facts,
    ledger,
    view,
    waiting: session.scheduler.waiting,
    settings: policy.agent,
    status,
    obeys: status === "on" && policy.passes.some(({ name }) => name === AGENT),
    pressure: measurePressure(used, window),
    sent: status === "on" ? view.tokens : facts.transcript.tokens,
    original: session.original,
    requests: session.advances.length,
    get compacted() {
      return session.messages.some(({ opensEpoch }) => opensEpoch);
    },
    tryOut: (proposal) => session.tryOut(proposal, AGENT, profile.reasoning),
    protectedFrom: (part) => session.protectedFrom(part, AGENT),
    rehearse: (wishes) => session.rehearse({ ...wishes, author: AGENT }, request),
    costOf,
    bindsReasoning,
    isBound,
    isBoundForTurn: (at) => costsNothing && bindsReasoning && at <= boundFloor(facts, ledger, true),
  };
}

function sumFrom(numbers: readonly number[], from: number): number {
  let total = 0;
  for (let i = from; i < numbers.length; i++) total += numbers[i] ?? 0;
  return total;
}
