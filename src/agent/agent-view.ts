import type { Ledger } from "../edits/ledger.ts";
import type { View } from "../edits/view.ts";
import type { Facts } from "../facts/facts.ts";
import type { Advance, Fold, SessionStatus } from "../fold.ts";
import type { Result } from "../issue.ts";
import type { Policy } from "../policy.ts";
import { boundFloor } from "../schedule/bound-reasoning.ts";
import { measurePressure, type Pressure } from "../schedule/pressure.ts";
import type { Rehearsal, Wishes } from "../schedule/rehearse.ts";
import type { Waiting } from "../schedule/waiting.ts";
import type { PartDrop, Proposal } from "../strategies/strategy.ts";
import type { AgentSettings } from "./agent-settings.ts";

/** Whom edits that the agent asked for are ascribed to. */
export const AGENT = "agent";

/** What the agent's tools answer from: the session as of its last request. */
export interface AgentView {
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  readonly waiting: readonly Waiting[];
  readonly settings: AgentSettings;
  /** Not `on`: nothing that is asked for would happen. */
  readonly status: SessionStatus;
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
  tryOut(proposal: Proposal | PartDrop): Result<Waiting>;
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

/** What a view has to know of the request. */
export type AdvanceView = Pick<Advance, "boundary" | "used" | "window" | "status">;

/** The session at one of its requests. */
export function makeAgentView(
  fold: Fold,
  policy: Policy,
  { boundary, used, window, status }: AdvanceView,
): AgentView {
  const { facts, ledger, view, account } = fold;
  const prices = account.pricesFor(boundary.profile);
  const costOf = (at: number, saves: number): number =>
    (prices.write - prices.read) * Math.max(0, sumFrom(view.tokens, at) - saves);
  const bindsReasoning = boundary.profile.reasoning === "bound";
  const isBound = (at: number): boolean => bindsReasoning && at <= boundFloor(facts, ledger, false);
  const costsNothing = policy.mode === "eager" || prices.write === prices.read;
  return {
    facts,
    ledger,
    view,
    waiting: fold.scheduler.waiting,
    settings: policy.agent,
    status,
    pressure: measurePressure(used, window),
    sent: status === "on" ? view.tokens : facts.transcript.tokens,
    original: fold.original,
    requests: fold.advances.length,
    compacted: fold.messages.some(({ opensEpoch }) => opensEpoch),
    tryOut: (proposal) => fold.tryOut(proposal, AGENT, boundary),
    protectedFrom: (part) => fold.protectedFrom(part, AGENT),
    rehearse: (wishes) => fold.rehearse({ ...wishes, author: AGENT }, boundary),
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
