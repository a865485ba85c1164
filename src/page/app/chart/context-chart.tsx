import type { JSX } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { countOf, formatNumber, formatSaved } from "../format.ts";
import { REASON_WORDS } from "../words.ts";
import {
  type ContextRequest,
  type ContextSegment,
  drawContext,
  layOutContext,
  type Point,
} from "./draw-context.ts";
import type { MeasureText } from "./measure-text.ts";
import { PlotFigure } from "./plot-figure.tsx";

interface ContextChartProps {
  readonly requests: readonly ContextRequest[];
  /** If unknown, every segment continues the one before. */
  readonly segments?: readonly ContextSegment[];
  readonly goTo?: (request: number) => void;
}

const HEIGHT = 320;

/** The size of each request without pruning and with it, and how much of it was cached. */
export function ContextChart({ requests, segments, goTo }: ContextChartProps): JSX.Element {
  const layout = useMemo(() => layOutContext(requests, segments ?? [], HEIGHT), [requests, segments]);
  const draw = useCallback(
    (width: number, measure: MeasureText) => drawContext(layout, width, measure, describePoint),
    [layout],
  );
  const last = requests.at(-1);
  const cuts = requests.filter(({ cut }) => cut).length;
  const label = `Context size over ${countOf(requests.length, "request")}: the last one has ${formatNumber(last?.raw ?? 0)} tokens without pruning and ${formatNumber(last?.pruned ?? 0)} with it; ${countOf(cuts, "cut")}.`;
  const pick = goTo && {
    count: requests.length,
    go: goTo,
    describe: (request: number) => {
      const point = layout.points[request];
      return point ? `${describePoint(point).replaceAll("\n", ", ")}.` : "";
    },
  };
  return (
    <div class="chart">
      <ul class="legend">
        <li class="key-raw">
          without pruning <span class="end-figure">{formatNumber(last?.raw ?? 0)} at the end</span>
        </li>
        <li class="key-pruned">
          with Coppice <span class="end-figure">{formatNumber(last?.pruned ?? 0)} at the end</span>
        </li>
        <li class="key-cached">of it from the cache</li>
        {cuts > 0 && <li class="key-cut">cut</li>}
        {layout.unnamed.map(({ name, tokens, isAbove }) => (
          <li class="key-limit" key={name}>
            {name} {formatNumber(tokens)}
            {isAbove && ", above the chart"}
          </li>
        ))}
      </ul>
      <PlotFigure label={label} height={HEIGHT} draw={draw} pick={pick} />
    </div>
  );
}

function describePoint({ number, raw, pruned, cached, cut }: Point): string {
  const lines = [
    `Request ${formatNumber(number)}`,
    `${formatNumber(raw)} without pruning`,
    `${formatNumber(pruned)} with Coppice`,
    `${formatNumber(cached)} from the cache`,
  ];
  if (cut) lines.push(`Cut: ${formatSaved(cut.saved)} tokens, ${REASON_WORDS[cut.reason]}`);
  return lines.join("\n");
}
