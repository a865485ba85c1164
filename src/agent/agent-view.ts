import { AGENT } from "../edits/authors.ts";
import { boundFloor } from "../edits/bound-reasoning.ts";
import type { CutPlan, PricedPlan } from "../edits/cut-plan.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { Guarded } from "../edits/refusal.ts";
import type { View } from "../edits/view.ts";
import type { Workbench } from "../edits/workbench.ts";
import type { Facts } from "../facts/facts.ts";
import type { ModelProfile } from "../models/profile.ts";
import type { ScheduleMode } from "../schedule/choose-cut.ts";
import { measurePressure, type Pressure } from "../schedule/pressure.ts";
import type { Rehearsal, RehearsedSession, Wishes } from "../schedule/rehearse.ts";
import type { Pass } from "../strategies/strategy.ts";
import type { SessionStatus } from "../transcript/session-command.ts";
import type { AgentSettings } from "./agent-settings.ts";

/** The state that the agent's tools answer from: the session at its last request. */
export interface AgentView {
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  readonly waiting: readonly PricedPlan[];
  readonly settings: AgentSettings;
  /** If not `on`, nothing is cut. */
  readonly status: SessionStatus;
  /** Are the agent's commands carried out? */
  readonly obeys: boolean;
  readonly pressure: Pressure;
  /** Tokens per part as sent: those of the view, or those of the originals if Coppice is off or in shadow mode. */
  readonly sent: readonly number[];
  /** Tokens of the transcript without edits. */
  readonly original: number;
  /** Requests made so far. */
  readonly requests: number;
  /** Has the host replaced older messages with a summary? */
  readonly compacted: boolean;
  /** The savings of this plan if it were made now, or why it can't be made. */
  tryOut(plan: CutPlan): Guarded<PricedPlan>;
  /** Why the agent must not cut this part, or `undefined`. */
  protectedFrom(part: number): string | undefined;
  /** The effects that the agent's requested cuts would have on the next request. */
  rehearse(wishes: Omit<Wishes, "author">): Rehearsal;
  /** The present cost of a change at this part that saves this many tokens, in tokens of plain input. */
  costOf(at: number, saves: number): number;
  /**
   * Does the provider bind reasoning to the text before it? This includes the reasoning of this step, which is not
   * in the view yet.
   */
  readonly bindsReasoning: boolean;
  /** Is reasoning in the view bound to this part? */
  isBound(at: number): boolean;
  /** Would a change of this part cost nothing, if reasoning of the current turn were not bound to it? */
  isBoundForTurn(at: number): boolean;
}

/** The inputs of a view. */
export interface AgentSession extends Workbench, RehearsedSession {
  /** Tokens of the transcript without edits. */
  readonly original: number;
  readonly advances: readonly unknown[];
  readonly handOver: { listSent(isOn: boolean): readonly number[] };
  rehearse(wishes: Wishes, request: Pick<RequestState, "profile" | "window">): Rehearsal;
}

/** The settings that a view needs. */
export interface AgentPolicy {
  readonly agent: AgentSettings;
  readonly passes: readonly Pick<Pass, "name">[];
  readonly mode: ScheduleMode;
}

/** The state of one request. */
export interface RequestState {
  readonly profile: ModelProfile;
  /** Tokens of the request as sent, and of the window. */
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
    sent: session.handOver.listSent(status === "on"),
    original: session.original,
    requests: session.advances.length,
    get compacted() {
      return session.messages.some(({ isCompaction }) => isCompaction);
    },
    tryOut: (plan) => session.tryOut({ ...plan, author: AGENT }, profile),
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
