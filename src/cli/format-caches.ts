import type { CacheFigures } from "../analysis/cache-figures.ts";
import { countOf, shortCount } from "../basics/numbers.ts";
import { percent } from "../replay/table.ts";
import type { Screen } from "./screen.ts";
import { formatDollars, formatTable, wrap } from "./table.ts";

type Canvas = Pick<Screen, "columns" | "paint">;

/** Why the provider's cache was lost, and which life of its entries would have cost less. */
export function formatCaches({ losses, lives }: CacheFigures, dollars: number, canvas: Canvas): string {
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
  return [table, ...adviseLife(lives).map((line) => wrap(line, columns))].join("");
}

/** Less than this share of the input's cost is not worth a setting. */
const WORTH_A_SETTING = 0.01;

function adviseLife({ requests, asked, short, long }: CacheFigures["lives"]): readonly string[] {
  if (requests === 0) return [];
  const costs = `Input of ${countOf(requests, "request")} with a cache of 5 minutes: ${formatDollars(short)}; of an hour: ${formatDollars(long)}.`;
  const saved = Math.abs(short - long) / Math.max(short, long);
  const isLongBetter = long < short;
  const isSet = isLongBetter ? asked > requests / 2 : asked <= requests / 2;
  if (saved < WORTH_A_SETTING) return [`${costs} That is about the same.`];
  const better = `${isLongBetter ? "An hour" : "5 minutes"} would cost ${percent(saved)} less for these pauses`;
  if (isSet) return [`${costs} ${better}, and most requests ask for it.`];
  const setting = `"promptCacheTtl": "${isLongBetter ? "1h" : "5m"}"`;
  return [`${costs} ${better}. In Claude Code, ${setting} in settings.json asks for it. See docs/caches.md.`];
}
