import type { ReplayTotals } from "../../src/replay/index.ts";
import type { SessionFigures } from "./replay-session.ts";

/** Coppice as it is. */
export const DEFAULT = "Coppice";

export function listPolicyNames(sessions: readonly SessionFigures[]): readonly string[] {
  return sessions[0]?.totals.map(({ policy }) => policy) ?? [];
}

export function totalsOf(sessions: readonly SessionFigures[], policy: string): readonly ReplayTotals[] {
  return sessions.flatMap(({ totals }) => totals.find((each) => each.policy === policy) ?? []);
}

/** No pruning is always the first. */
export function unprunedOf(sessions: readonly SessionFigures[]): readonly ReplayTotals[] {
  return sessions.flatMap(({ totals }) => totals[0] ?? []);
}
