import type { JSX } from "preact";
import type { Trend } from "../../dashboard-data.ts";

const WIDTH = 132;
const HEIGHT = 36;
const EDGE = 2;

/**
 * The context over the last requests: without pruning above, with pruning below. The row's figures contain the same
 * data.
 */
export function Sparkline({ trend }: { readonly trend: Trend }): JSX.Element {
  const peak = Math.max(1, ...trend.flat());
  const step = (WIDTH - 2 * EDGE) / Math.max(1, trend.length - 1);
  const place = (tokens: number, i: number): string =>
    `${(EDGE + i * step).toFixed(1)},${(HEIGHT - EDGE - (tokens / peak) * (HEIGHT - 2 * EDGE)).toFixed(1)}`;
  const raw = trend.map(([tokens], i) => place(tokens, i));
  const pruned = trend.map(([, tokens], i) => place(tokens, i));
  const last = pruned.at(-1)?.split(",");
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {trend.length > 1 && (
        <>
          <polygon class="spark-saved" points={[...raw, ...pruned.toReversed()].join(" ")} />
          <polyline class="spark-raw" points={raw.join(" ")} />
          <polyline class="spark-pruned" points={pruned.join(" ")} />
        </>
      )}
      {last && <circle class="spark-end" cx={last[0]} cy={last[1]} r="2.5" />}
    </svg>
  );
}
