import { formatNumber } from "../basics/numbers.ts";
import type { WorkState } from "../facts/task-files.ts";
import type { TextKind } from "./need-table.ts";
import type { PricedRisk } from "./risk.ts";

/**
 * Describes the risk of a cut.
 *
 *   needed again in 27 of 100 such cases (view of a file, 1,834 tokens, 31 steps old): costs 812 tokens on average
 */
export function describeRisk({ chance, price, kind, tokens, age, work, regret }: PricedRisk): string {
  const cases = chance < 0.005 ? "fewer than 1 of 100" : `${Math.round(chance * 100)} of 100`;
  const such =
    kind === undefined
      ? []
      : [
          KINDS[kind],
          `${formatNumber(tokens ?? 0)} tokens`,
          `${formatNumber(age ?? 0)} steps old`,
          ...(work ? [WORK[work]] : []),
        ];
  const fetched =
    regret === undefined ? [] : [`${Math.round(regret * 100)} of 100 fetched again in this session`];
  const by = [...such, ...fetched].join(", ");
  return `needed again in ${cases} such cases${by && ` (${by})`}: costs ${formatNumber(Math.round(price))} tokens on average`;
}

const KINDS: Readonly<Record<TextKind, string>> = {
  view: "view of a file",
  search: "search or list",
  run: "output of a command",
  git: "output of git",
  other: "result of a tool",
};

const WORK: Readonly<Record<WorkState, string>> = {
  planned: "the task names it",
  mentioned: "mentioned",
  unnamed: "nobody names it",
  changing: "being changed",
  resting: "changed a few steps before",
  left: "changed long before",
};
