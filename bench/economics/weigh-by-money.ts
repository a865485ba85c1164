import type { ReplayTotals } from "../../src/replay/index.ts";

/** One policy over some sessions, each weighted by what was paid for it without pruning. Shares; 1 is all. */
export interface MoneyRow {
  readonly name: string;
  /** The sessions for which the price of every model is known: the others are left out. */
  readonly count: number;
  readonly dollars: number;
  /** `undefined` where no session has such a figure. */
  readonly bill: number | undefined;
  readonly fetched: number | undefined;
  readonly misses: number | undefined;
  readonly evidence: number | undefined;
  readonly editEvidence: number | undefined;
  readonly lostEdits: number | undefined;
}

/** `unpruned` are the same sessions without the policy, in the same order. */
export function weighByMoney(
  name: string,
  replays: readonly ReplayTotals[],
  unpruned: readonly ReplayTotals[],
): MoneyRow {
  const priced = replays.flatMap((replay, i) => {
    const dollars = unpruned[i]?.dollars;
    return dollars === undefined || replay.count === 0 ? [] : [{ replay, dollars }];
  });
  /** `part` of `whole`, where there is a whole. */
  const weigh = (share: (replay: ReplayTotals) => readonly [part: number, whole: number]) => {
    let [sum, weight] = [0, 0];
    for (const { replay, dollars } of priced) {
      const [part, whole] = share(replay);
      if (whole === 0) continue;
      sum += (dollars * part) / whole;
      weight += dollars;
    }
    return weight > 0 ? sum / weight : undefined;
  };
  return {
    name,
    count: priced.length,
    dollars: priced.reduce((sum, { dollars }) => sum + dollars, 0),
    bill: weigh(({ share }) => [share, 1]),
    fetched: weigh(({ fetchedShare }) => [fetchedShare, 1]),
    misses: weigh(({ misses, count }) => [misses, count]),
    evidence: weigh(({ evidence: { kept, counted } }) => [kept, counted]),
    editEvidence: weigh(({ editEvidence: { kept, counted } }) => [kept, counted]),
    lostEdits: weigh(({ lostEdits: { lost, counted } }) => [lost, counted]),
  };
}
