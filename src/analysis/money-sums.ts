import type { PresetName } from "../strategies/pass-setting.ts";
import type { ModelSpending } from "./session-analysis.ts";

/** Totals of sessions, days or models. */
export interface Money extends Omit<ModelSpending, "model"> {}

const NOTHING: Readonly<Record<PresetName, number>> = { compact: 0, balanced: 0, verbose: 0 };

export function addMoney(all: readonly Money[]): Money {
  const sum = { requests: 0, sent: 0, written: 0, dollars: 0, estimated: 0, avoidable: 0, unpriced: 0 };
  const saved = { ...NOTHING };
  for (const each of all) {
    sum.requests += each.requests;
    sum.sent += each.sent;
    sum.written += each.written;
    sum.dollars += each.dollars;
    sum.estimated += each.estimated;
    sum.avoidable += each.avoidable;
    sum.unpriced += each.unpriced;
    saved.compact += each.saved.compact;
    saved.balanced += each.saved.balanced;
    saved.verbose += each.saved.verbose;
  }
  return { ...sum, saved };
}
