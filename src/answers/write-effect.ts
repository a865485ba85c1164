import type { AgentView } from "../agent/agent-view.ts";
import { countOf, formatNumber } from "../basics/numbers.ts";
import type { Timing } from "../edits/cut-plan.ts";

/** An accepted change: its part, the tokens that it saves or restores, and when. */
export interface AcceptedChange {
  readonly part: number;
  readonly tokens: number;
  readonly when: Timing;
}

/**
 * Describes how much the changes of one call save, and when. They may take effect at different times.
 *
 *   Saved: 900 tokens, from the next request on.
 *   Saved: 1,400 tokens: 900 from the next request on; 500 with the next cut that reaches it (rewriting …).
 */
export function writeEffect(changes: readonly AcceptedChange[], view: AgentView): string {
  const saved = `Saved: ${countOf(sumTokens(changes), "token")}`;
  const waiting = changes.filter(({ when }) => when === "later");
  const later = waiting.filter(({ part }) => !view.isBound(part));
  return writeTimed(saved, [
    { changes: changes.filter(({ when }) => when === "now"), when: addCondition(NEXT_REQUEST, view) },
    { changes: later, when: addCondition(writeLater(later, view), view) },
    {
      changes: waiting.filter(({ part }) => view.isBound(part)),
      when: `${WINDOW_FULL}: reasoning after it is bound to it`,
    },
  ]);
}

/** Describes how many tokens come back, and when. Withdrawing a waiting cut restores none. */
export function writeBack(changes: readonly AcceptedChange[], view: AgentView): string {
  const tokens = sumTokens(changes);
  if (tokens === 0) return "It was waiting and is withdrawn.";
  const back = `Back: ${countOf(tokens, "token")}`;
  const next = view.bindsReasoning
    ? `${NEXT_REQUEST}, or, if this step holds reasoning, in a later turn`
    : NEXT_REQUEST;
  const brought = changes.filter((change) => change.tokens > 0);
  const waiting = brought.filter(({ when }) => when === "later");
  return writeTimed(back, [
    { changes: brought.filter(({ when }) => when === "now"), when: next },
    {
      changes: waiting.filter(({ part }) => view.isBoundForTurn(part)),
      when: "in the next turn: reasoning after it is bound to it",
    },
    {
      changes: waiting.filter(({ part }) => !view.isBoundForTurn(part)),
      when: "with the next cut that reaches it, or once the cache is cold",
    },
  ]);
}

interface Timed {
  readonly changes: readonly AcceptedChange[];
  readonly when: string;
}

function writeTimed(total: string, all: readonly Timed[]): string {
  const filled = all.filter(({ changes }) => changes.length > 0);
  const [only, ...others] = filled;
  if (only && others.length === 0) return `${total}, ${only.when}.`;
  const each = filled.map(({ changes, when }) => `${formatNumber(sumTokens(changes))} ${when}`);
  return `${total}: ${each.join("; ")}.`;
}

const NEXT_REQUEST = "from the next request on";
const WINDOW_FULL = "when the window fills up";

/** The reasoning of this step is not in the view yet: it may bind the change. */
function addCondition(when: string, { bindsReasoning }: AgentView): string {
  return bindsReasoning
    ? `${when}, or, if this step holds reasoning, ${WINDOW_FULL}: that is bound to it`
    : when;
}

function writeLater(later: readonly AcceptedChange[], view: AgentView): string {
  const first = later.reduce((least, { part }) => Math.min(least, part), Number.POSITIVE_INFINITY);
  const cost = view.costOf(first, sumTokens(later));
  const why = cost > 0 ? ` (rewriting the cache now would cost ${formatNumber(cost)} tokens)` : "";
  return `with the next cut that reaches it${why}`;
}

function sumTokens(changes: readonly AcceptedChange[]): number {
  return changes.reduce((sum, { tokens }) => sum + tokens, 0);
}
