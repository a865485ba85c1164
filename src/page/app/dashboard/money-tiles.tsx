import type { JSX } from "preact";
import { addLosses, LOSS_WORDS, type LossSum } from "../../../prefix/cache-loss.ts";
import { addUpDays, type DaySums, dayOf } from "../../day-sums.ts";
import { countOf, formatPercent, shortCount } from "../format.ts";
import { Tile } from "../tile.tsx";
import type { Board } from "./board.ts";
import type { SessionListRow } from "./list-rows.ts";
import { formatMoney } from "./names.ts";

interface MoneyTilesProps {
  readonly board: Board;
  readonly rows: readonly SessionListRow[];
  readonly now: number;
}

/** Savings of today and this month, and current activity. */
export function MoneyTiles({ board, rows, now }: MoneyTilesProps): JSX.Element {
  const today = dayOf(now + board.ahead);
  const days = [...board.days.values()].filter(({ day }) => day.slice(0, 7) === today.slice(0, 7));
  return (
    <section class="tiles" aria-label="Summary">
      <SavedTile name="Saved today" sums={addUpDays(days.filter(({ day }) => day === today))} />
      <SavedTile name="Saved this month" sums={addUpDays(days)} />
      <NowTile rows={rows.filter(({ isNow }) => isNow)} />
      <CacheTile board={board} />
    </section>
  );
}

function SavedTile({ name, sums }: { readonly name: string; readonly sums: DaySums }): JSX.Element {
  const { requests, tokens, dollars } = sums;
  if (!dollars)
    return (
      <Tile name={name} figure={`${shortCount(tokens.without - tokens.with)} tokens`}>
        {requests === 0
          ? "No requests yet."
          : `${countOf(requests, "request")}; the prices of the models are not known.`}
      </Tile>
    );
  return (
    <Tile
      name={name}
      figure={formatMoney(dollars.without - dollars.with)}
      change={[dollars.without, dollars.with]}
    >
      {formatMoney(dollars.with)} paid, {formatMoney(dollars.without)} without Coppice:{" "}
      {countOf(requests, "request")}, {shortCount(tokens.without - tokens.with)} tokens not sent.
    </Tile>
  );
}

function NowTile({ rows }: { readonly rows: readonly SessionListRow[] }): JSX.Element {
  const underWay = rows.reduce((sum, { live }) => sum + (live?.underWay ?? 0), 0);
  const saved = rows.reduce(
    (sum, { live }) => sum + (live?.dollars ? live.dollars.without - live.dollars.with : 0),
    0,
  );
  const waits = rows.reduce((sum, { live }) => sum + (live?.waits ?? 0), 0);
  return (
    <Tile name="Now" figure={countOf(rows.length, "session")}>
      {rows.length === 0
        ? "No requests in the last half hour."
        : `${formatMoney(saved)} saved, ${countOf(underWay, "request")} under way, ${shortCount(waits)} tokens waiting to be cut.`}
    </Tile>
  );
}

function CacheTile({ board }: { readonly board: Board }): JSX.Element {
  let [hits, misses] = [0, 0];
  for (const session of board.live.values()) [hits, misses] = [hits + session.hits, misses + session.misses];
  const [worst] = [...board.live.values()].reduce<readonly LossSum[]>(
    (sums, { losses = [] }) => addLosses(sums, losses),
    [],
  );
  return (
    <Tile name="Cache hits" figure={hits + misses === 0 ? "–" : formatPercent(hits / (hits + misses))}>
      {hits + misses === 0
        ? "No request yet that could use the cache."
        : `${countOf(hits, "hit")}, ${countOf(misses, "miss", "misses")} where a prefix should have been cached. Misses caused by cuts are included.`}
      {worst &&
        ` The most expensive cause of a lost cache: ${LOSS_WORDS[worst.cause]}, ${countOf(worst.count, "time")}, ${formatMoney(worst.dollars)}.`}
    </Tile>
  );
}
