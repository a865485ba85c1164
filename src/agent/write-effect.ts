import { countOf, formatNumber } from "../numbers.ts";
import type { AgentView, BackMoment } from "./agent-view.ts";

/** A change that was accepted: the part, and the tokens that it saves, or had saved. */
export interface Change {
  readonly part: number;
  readonly saves: number;
}

/**
 * What changes save, and when they are there: not all of one call need be there at the same time.
 *
 *   Saved: 900 tokens, from the next request on.
 *   Saved: 1,400 tokens: 900 from the next request on; 500 with the next cut that reaches it (rewriting …).
 */
export function writeEffect(changes: readonly Change[], view: AgentView): string {
  const saved = `Saved: ${countOf(sumSaves(changes), "token")}`;
  const bound = changes.filter(({ part }) => view.isBound(part));
  const free = changes.filter(({ part }) => !view.isBound(part));
  const now = listAtOnce(free, view);
  const later = free.filter((change) => !now.includes(change));
  return writeMoments(saved, [
    { changes: now, when: addCondition(NEXT_REQUEST, view) },
    { changes: later, when: addCondition(writeLater(later, view), view) },
    { changes: bound, when: `${WINDOW_FULL}: reasoning after it is bound to it` },
  ]);
}

/** How many tokens come back, and when. What was only waiting brings none. */
export function writeBack(changes: readonly Change[], view: AgentView): string {
  const tokens = sumSaves(changes);
  if (tokens === 0) return "It was waiting and is withdrawn.";
  const back = `Back: ${countOf(tokens, "token")}`;
  const at = (moment: BackMoment) =>
    changes.filter(({ part, saves }) => saves > 0 && view.comesBack(part) === moment);
  const next = view.bindsReasoning
    ? `${NEXT_REQUEST}, or, if this step holds reasoning, in a later turn`
    : NEXT_REQUEST;
  return writeMoments(back, [
    { changes: at("next-request"), when: next },
    { changes: at("next-turn"), when: "in the next turn: reasoning after it is bound to it" },
    { changes: at("cold-cache"), when: "once the cache is cold" },
  ]);
}

interface Moment {
  readonly changes: readonly Change[];
  readonly when: string;
}

function writeMoments(total: string, moments: readonly Moment[]): string {
  const filled = moments.filter(({ changes }) => changes.length > 0);
  const [only, ...others] = filled;
  if (only && others.length === 0) return `${total}, ${only.when}.`;
  const each = filled.map(({ changes, when }) => `${formatNumber(sumSaves(changes))} ${when}`);
  return `${total}: ${each.join("; ")}.`;
}

const NEXT_REQUEST = "from the next request on";
const WINDOW_FULL = "when the window fills up";

/** What this step says is not in the view yet. */
function addCondition(when: string, { bindsReasoning }: AgentView): string {
  return bindsReasoning
    ? `${when}, or, if this step holds reasoning, ${WINDOW_FULL}: that is bound to it`
    : when;
}

function writeLater(later: readonly Change[], view: AgentView): string {
  const first = later.reduce((least, { part }) => Math.min(least, part), Number.POSITIVE_INFINITY);
  const cost = view.costOf(first, sumSaves(later));
  const why = cost > 0 ? ` (rewriting the cache now would cost ${formatNumber(cost)} tokens)` : "";
  return `with the next cut that reaches it${why}`;
}

/** A cut changes all from its first part on: what stands there behind a cheap one goes with it. */
function listAtOnce(changes: readonly Change[], view: AgentView): readonly Change[] {
  const fromEnd = changes.toSorted((a, b) => b.part - a.part);
  let saves = 0;
  const saved = fromEnd.map((change) => {
    saves += change.saves;
    return saves;
  });
  const last = fromEnd.findLastIndex(({ part }, i) => view.goesAtOnce(part, saved[i] ?? 0));
  return fromEnd.slice(0, last + 1);
}

function sumSaves(changes: readonly Change[]): number {
  return changes.reduce((sum, { saves }) => sum + saves, 0);
}
