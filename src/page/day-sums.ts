import type { DayRow } from "../stores/store.ts";
import type { WithAndWithout } from "./data.ts";

/** Totals of requests over some days. */
export interface DaySums {
  readonly requests: number;
  readonly tokens: WithAndWithout;
  /** Of those whose model has a price, in USD. */
  readonly dollars?: WithAndWithout;
}

export function addUpDays(days: readonly DayRow[]): DaySums {
  const add = (pick: (day: DayRow) => number | undefined): number =>
    days.reduce((sum, day) => sum + (pick(day) ?? 0), 0);
  return {
    requests: add(({ requests }) => requests),
    tokens: { with: add(({ tokensWith }) => tokensWith), without: add(({ tokensWithout }) => tokensWithout) },
    ...(days.some(({ priced }) => priced > 0) && {
      dollars: { with: add(({ costWith }) => costWith), without: add(({ costWithout }) => costWithout) },
    }),
  };
}

/** `2026-11-17`, in UTC as in the store. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2026-11-17".length);
}
