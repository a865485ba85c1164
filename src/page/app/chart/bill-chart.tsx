import { areaY, lineY, type PlotOptions, pointerX, ruleX, tip } from "@observablehq/plot";
import type { JSX } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import type { BillData, ReportData, WithAndWithout } from "../../data.ts";
import { formatNumber, shortCount } from "../format.ts";
import { amountOf } from "../money-words.ts";
import { drawAxes } from "./draw-axes.ts";
import { drawEndLabel, endMargin, placeEndLabels, WIDE } from "./end-labels.ts";
import type { MeasureText } from "./measure-text.ts";
import { PlotFigure } from "./plot-figure.tsx";
import { formatDollarTick, listTicks, listWholeTicks } from "./ticks.ts";

interface Point {
  readonly number: number;
  readonly with: number;
  readonly without: number;
}

interface BillChartProps {
  readonly data: ReportData;
  readonly goTo: (request: number) => void;
}

const HEIGHT = 220;
const FRAME = { top: 12, bottom: HEIGHT - 36 };

/** The session's cost after each request, with and without Coppice. */
export function BillChart({ data, goTo }: BillChartProps): JSX.Element {
  const points = useMemo(() => addUp(data), [data]);
  const draw = useCallback(
    (width: number, measure: MeasureText) => drawBill(points, data.bill, width, measure),
    [points, data],
  );
  const shown = unitOf(data.bill);
  const show = amountOf(data.bill);
  const label = `The bill so far, request by request: in the end ${show(shown.without)} without pruning and ${show(shown.with)} with it.`;
  const pick = {
    count: points.length,
    go: goTo,
    describe: (request: number) => {
      const point = points[request];
      return point ? `${describePoint(point, show).replaceAll("\n", ", ")}.` : "";
    },
  };
  return (
    <div class="chart">
      <ul class="legend">
        <li class="key-raw">
          without pruning <span class="end-figure">{show(shown.without)} at the end</span>
        </li>
        <li class="key-pruned">
          with Coppice <span class="end-figure">{show(shown.with)} at the end</span>
        </li>
      </ul>
      <PlotFigure label={label} height={HEIGHT} draw={draw} pick={pick} />
    </div>
  );
}

/** Dollars if all prices are known, or else tokens of plain input. */
export function unitOf(bill: BillData): WithAndWithout {
  return bill.dollars ?? bill;
}

function drawBill(
  points: readonly Point[],
  bill: BillData,
  width: number,
  measure: MeasureText,
): PlotOptions {
  const show = amountOf(bill);
  const isWide = width >= WIDE;
  const top = 1.05 * points.reduce((most, point) => Math.max(most, point.with, point.without), 1e-9);
  const toY = (amount: number): number => FRAME.bottom - (amount / top) * (FRAME.bottom - FRAME.top);
  const ticks = listTicks(top, 4);
  const nameTick = (amount: number): string =>
    bill.dollars ? formatDollarTick(amount, ticks) : shortCount(amount);
  const requestTicks = listWholeTicks(points.length, isWide ? 8 : 5);
  const last = points.at(-1);
  const ends =
    last &&
    placeEndLabels(
      [
        { text: `${show(last.without)} without`, y: toY(last.without), fill: "var(--muted)" },
        { text: `${show(last.with)} with`, y: toY(last.with), fill: "var(--accent-text)" },
      ],
      FRAME.bottom,
    );
  return {
    marginTop: FRAME.top,
    marginBottom: HEIGHT - FRAME.bottom,
    marginLeft: Math.max(...ticks.map((tick) => measure(nameTick(tick)))) + 12,
    marginRight: Math.max(
      isWide && ends ? endMargin(ends, measure) : 0,
      measure(formatNumber(requestTicks.at(-1) ?? 0)) / 2 + 4,
    ),
    x: { domain: [1, Math.max(2, points.length)] },
    y: { domain: [0, top] },
    marks: [
      ...drawAxes(ticks, nameTick, requestTicks),
      areaY(points, { x: "number", y1: "with", y2: "without", fill: "var(--cached)" }),
      lineY(points, {
        x: "number",
        y: "without",
        stroke: "var(--raw)",
        strokeWidth: 1.75,
        className: "line-without",
      }),
      lineY(points, {
        x: "number",
        y: "with",
        stroke: "var(--accent)",
        strokeWidth: 2.25,
        className: "line-with",
      }),
      ...(isWide && ends ? ends.map((label) => drawEndLabel(label, FRAME.top)) : []),
      ruleX(points, pointerX({ x: "number", stroke: "var(--muted)", strokeOpacity: 0.5 })),
      tip(
        points,
        pointerX({
          x: "number",
          y: "with",
          title: (point: Point) => describePoint(point, show),
          fontSize: 12,
          stroke: "var(--line)",
        }),
      ),
    ],
  };
}

function describePoint(point: Point, show: (amount: number) => string): string {
  return `After request ${formatNumber(point.number)}\n${show(point.without)} without pruning\n${show(point.with)} with Coppice`;
}

function addUp({ requests, bill }: ReportData): readonly Point[] {
  const sum = { with: 0, without: 0 };
  return requests.map((request, i) => {
    const added = (bill.dollars && request.dollars) ?? request.bill;
    const beside = bill.dollars ? (request.beside ?? 0) : 0;
    sum.with += added.with + beside;
    sum.without += added.without + beside;
    return { number: i + 1, ...sum };
  });
}
