import { countOf } from "../../src/basics/numbers.ts";
import {
  coppicePolicy,
  formatTable,
  keepWarm,
  noPruning,
  type ReplayBench,
  type ReplayColumn,
  type ReplayPolicy,
  type ReplayTotals,
  spread,
} from "../../src/replay/index.ts";

/** Live, not from a cold start: how long the cache was kept warm depends on what was sent. */
const POLICIES: readonly ReplayPolicy[] = [
  keepWarm(noPruning),
  pingUpToRewrite(noPruning),
  coppicePolicy({}, "Coppice"),
  keepWarm(coppicePolicy({}, "Coppice")),
  pingUpToRewrite(coppicePolicy({}, "Coppice")),
];

/** Until the pings of a pause have cost as much as the rewrite. */
function pingUpToRewrite(policy: ReplayPolicy): ReplayPolicy {
  const kept = keepWarm(policy, 1);
  return { ...kept, name: `${kept.name}, budget 1` };
}

/** No pruning first. Nothing for a session with a request whose time is not known: its pauses are not known either. */
export function replayKeepingWarm(bench: ReplayBench): readonly ReplayTotals[] {
  if (bench.unpruned.requests.some(({ time }) => time === undefined)) return [];
  return [bench.unpruned, ...POLICIES.map((policy) => bench.run(policy))].map(
    ({ requests: _, ...totals }) => totals,
  );
}

interface Row {
  readonly policy: string;
  readonly replays: readonly ReplayTotals[];
  readonly unpruned: readonly ReplayTotals[];
}

const COLUMNS: readonly ReplayColumn<Row>[] = [
  ["policy", ({ policy }) => policy],
  ["input bill", ({ replays }) => percent(spread(replays.map(({ inputShare }) => inputShare))?.mean)],
  [
    "middle half",
    ({ replays }) => {
      const shares = spread(replays.map(({ inputShare }) => inputShare));
      return `${percent(shares?.lower)} to ${percent(shares?.upper)}`;
    },
  ],
  ["worst session", ({ replays }) => percent(spread(replays.map(({ inputShare }) => inputShare))?.most)],
  ["if the end were known", (row) => percent(spread(listSharesToEnd(row))?.mean)],
  ["worst session", (row) => percent(spread(listSharesToEnd(row))?.most)],
  ["pings", ({ replays }) => mean(replays.map(({ pings }) => pings.count)).toFixed(1)],
  ["after the end", ({ replays }) => mean(replays.map(({ pingsAtEnd }) => pingsAtEnd.count)).toFixed(1)],
  ["cache breaks", ({ replays }) => mean(replays.map(({ breaks }) => breaks)).toFixed(1)],
];

/** Bills without the pings that were sent after the last request. */
function listSharesToEnd({ replays, unpruned }: Row): readonly number[] {
  return replays.map(({ bill, pingsAtEnd }, i) => (bill - pingsAtEnd.bill) / (unpruned[i]?.bill ?? bill));
}

/** `sessions`: as `replayKeepingWarm` gives them. */
export function formatKeepWarm(sessions: readonly (readonly ReplayTotals[])[]): string {
  const timed = sessions.filter(({ length }) => length > 0);
  const policies = timed[0]?.map(({ policy }) => policy) ?? [];
  if (policies.length === 0) return "";
  const pick = (i: number): readonly ReplayTotals[] => timed.flatMap((totals) => totals[i] ?? []);
  const rows = policies.map((policy, i): Row => ({ policy, replays: pick(i), unpruned: pick(0) }));
  return `${countOf(timed.length, "session")} with times\n\n${formatTable(COLUMNS, rows)}`;
}

function mean(figures: readonly number[]): number {
  return spread(figures)?.mean ?? 0;
}

function percent(share = 0): string {
  return `${(share * 100).toFixed(1)}%`;
}
