import { axisX, axisY, barY, gridY, type PlotOptions, pointerX, tip } from "@observablehq/plot";
import type { JSX } from "preact";
import { useCallback } from "preact/hooks";
import type { AnalysisGroup } from "../../../analysis/group-analyses.ts";
import type { AnalysisData } from "../../analysis-data.ts";
import type { MeasureText } from "../chart/measure-text.ts";
import { PlotFigure } from "../chart/plot-figure.tsx";
import { formatDollarTick, listTicks } from "../chart/ticks.ts";
import { countOf, formatDollars } from "../format.ts";
import { useIsPrinting } from "../use-is-printing.ts";
import { fillGaps } from "./fill-gaps.ts";
import { showMoney } from "./money-tiles.tsx";

interface MoneyChartProps {
  readonly bars: AnalysisData["bars"];
}

const HEIGHT = 220;

/** A bar for each day: the needed cost, with the avoidable cost above it. A table below has the same figures. */
export function MoneyChart({ bars }: MoneyChartProps): JSX.Element {
  const isPrinting = useIsPrinting();
  const draw = useCallback((width: number, measure: MeasureText) => drawBars(bars, width, measure), [bars]);
  const dearest = bars.groups.reduce((most, each) => (each.dollars > most.dollars ? each : most));
  const label = `What each ${bars.unit} cost: most on ${dearest.name}, ${showMoney(dearest)}.`;
  return (
    <>
      <ul class="legend">
        <li class="key-needed">paid</li>
        <li class="key-avoidable">of it avoidable</li>
      </ul>
      <PlotFigure label={label} height={HEIGHT} draw={draw} />
      <details class="figures" open={isPrinting}>
        <summary>Figures</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <section class="scroll" aria-label={`Figures by ${bars.unit}`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{bars.unit}</th>
                <th scope="col">sessions</th>
                <th scope="col">requests</th>
                <th scope="col">paid</th>
                <th scope="col">avoidable</th>
              </tr>
            </thead>
            <tbody>
              {bars.groups.map((group) => (
                <tr key={group.name}>
                  <th scope="row">{group.name}</th>
                  <td>{group.sessions}</td>
                  <td>{group.requests}</td>
                  <td>{showMoney(group)}</td>
                  <td>{formatDollars(group.avoidable)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}

function drawBars({ unit, groups }: AnalysisData["bars"], width: number, measure: MeasureText): PlotOptions {
  const names = fillGaps(
    groups.flatMap(({ name }) => name ?? []),
    unit,
  );
  const most = groups.reduce((sum, { dollars }) => Math.max(sum, dollars), 0);
  const ticks = listTicks(most, 4);
  const labels = ticks.map((tick) => formatDollarTick(tick, ticks));
  const marginLeft = 12 + labels.reduce((size, text) => Math.max(size, measure(text)), 0);
  // A label is centred on its bar: half of the first and last label may extend beyond the plot.
  const size = measure(names[0] ?? "");
  const room = width - marginLeft - size / 2;
  const step = Math.max(1, Math.ceil((names.length * (size + 14)) / room));
  const needed = (group: AnalysisGroup): number => group.dollars - Math.max(0, group.avoidable);
  return {
    marginTop: 12,
    marginBottom: 38,
    marginLeft: Math.max(marginLeft, size / 2),
    marginRight: size / 2,
    x: { type: "band", domain: names, padding: names.length > 40 ? 0.1 : 0.25 },
    y: { domain: [0, most || 1] },
    marks: [
      gridY(ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
      axisY(ticks, { tickFormat: (_, i) => labels[i] ?? "", tickSize: 0, label: null }),
      axisX(
        names.filter((_, i) => i % step === 0),
        { tickSize: 0, tickPadding: 12, label: null },
      ),
      barY(groups, { x: "name", y: needed, fill: "var(--accent)", className: "bars-needed" }),
      barY(groups, { x: "name", y1: needed, y2: "dollars", fill: "var(--cut)", className: "bars-avoidable" }),
      tip(
        groups,
        pointerX({
          x: "name",
          y: "dollars",
          title: (group: AnalysisGroup) =>
            `${group.name}\n${showMoney(group)} paid\n${formatDollars(group.avoidable)} avoidable\n${countOf(group.sessions, "session")}, ${countOf(group.requests, "request")}`,
          fontSize: 12,
          stroke: "var(--line)",
        }),
      ),
    ],
  };
}
