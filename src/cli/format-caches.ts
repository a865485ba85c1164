import { adviseKey, adviseLife } from "../analysis/advise-caches.ts";
import type { CacheFigures } from "../analysis/cache-figures.ts";
import { countOf, formatDollars, shortCount } from "../basics/numbers.ts";
import { percent } from "../replay/table.ts";
import type { Screen } from "./screen.ts";
import { formatTable, wrap } from "./table.ts";

type Canvas = Pick<Screen, "columns" | "paint">;

/** Why the provider's cache was lost, and which cache lifetime would have cost less. */
export function formatCaches(
  { losses, lives, keyed }: CacheFigures,
  dollars: number,
  canvas: Canvas,
): string {
  const { columns, paint } = canvas;
  const isPriced = dollars > 0;
  const table =
    losses.length === 0
      ? ""
      : formatTable(
          [
            ...(isPriced
              ? [
                  { title: "money", align: "right" } as const,
                  { title: "of the bill", align: "right" } as const,
                ]
              : []),
            { title: "times", align: "right" },
            { title: "tokens", align: "right", spare: 1 },
            { title: "cause (inferred)", align: "left", atLeast: 20 },
          ],
          losses.map((loss) => [
            ...(isPriced ? [formatDollars(loss.dollars), percent(loss.dollars / dollars)] : []),
            String(loss.count),
            shortCount(loss.tokens),
            loss.cause,
          ]),
          { width: columns, paint },
        );
  const advice = [sayLives(lives), adviseKey(keyed)].filter((line) => line !== "");
  return [table, ...advice.map((line) => wrap(line, columns))].join("");
}

function sayLives(lives: CacheFigures["lives"]): string {
  const { requests, short, long } = lives;
  if (requests === 0) return "";
  return `Input of ${countOf(requests, "request")} with a cache of 5 minutes: ${formatDollars(short)}; of an hour: ${formatDollars(long)}. ${adviseLife(lives)}`;
}
