import {
  areaY,
  axisX,
  axisY,
  gridY,
  lineY,
  type PlotOptions,
  pointerX,
  ruleX,
  tip,
} from "@observablehq/plot";
import type { JSX } from "preact";
import { useCallback } from "preact/hooks";
import type { BillData, ReportData, WithAndWithout } from "../data.ts";
import { drawEndLabel, placeEndLabels, roomFor } from "./end-labels.ts";
import { formatDollars, formatNumber, shortCount } from "./format.ts";
import { PlotFigure } from "./plot-figure.tsx";

interface Point {
  readonly number: number;
  readonly with: number;
  readonly without: number;
}

const HEIGHT = 220;

/** What the session had cost after each request, with and without. */
export function BillChart({ data }: { readonly data: ReportData }): JSX.Element {
  const draw = useCallback((width: number) => drawBill(data, width), [data]);
  const { shown, show } = chooseUnit(data.bill);
  const label = `The bill so far, request by request: in the end ${show(shown.without)} without pruning and ${show(shown.with)} with it.`;
  return <PlotFigure label={label} height={HEIGHT} draw={draw} />;
}

/** Dollars where all prices are known, else tokens of plain input. */
export function chooseUnit(bill: BillData): {
  readonly shown: WithAndWithout;
  readonly show: (amount: number) => string;
} {
  return bill.dollars ? { shown: bill.dollars, show: formatDollars } : { shown: bill, show: formatNumber };
}

function drawBill(data: ReportData, width: number): PlotOptions {
  const points = addUp(data);
  const { show } = chooseUnit(data.bill);
  const last = points.at(-1);
  const isWide = width >= 420;
  const top = roomFor(isWide) * points.reduce((most, point) => Math.max(most, point.with, point.without), 0);
  const marginTop = 12;
  const marginBottom = 36;
  const scale = (HEIGHT - marginTop - marginBottom) / top;
  return {
    marginTop,
    marginBottom,
    marginLeft: 52,
    marginRight: isWide ? 116 : 12,
    x: { domain: [1, Math.max(2, points.length)] },
    y: { domain: [0, top] },
    marks: [
      gridY({ ticks: 4, stroke: "var(--grid)", strokeOpacity: 1 }),
      axisY({
        ticks: 4,
        tickFormat: (tokens: number) => (data.bill.dollars ? `$${tokens}` : shortCount(tokens)),
        tickSize: 0,
        label: null,
      }),
      axisX({
        ticks: isWide ? 8 : 5,
        tickFormat: "d",
        tickSize: 4,
        label: "request",
        labelArrow: "none",
        labelAnchor: "center",
      }),
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
      ...(last
        ? placeEndLabels(
            [
              { text: `${show(last.without)} without`, value: last.without, fill: "var(--muted)" },
              { text: `${show(last.with)} with`, value: last.with, fill: "var(--accent-text)" },
            ],
            scale,
            isWide,
          ).map((label) => drawEndLabel(label, last.number))
        : []),
      ruleX(points, pointerX({ x: "number", stroke: "var(--muted)", strokeOpacity: 0.5 })),
      tip(
        points,
        pointerX({
          x: "number",
          y: "with",
          title: (point: Point) =>
            `After request ${formatNumber(point.number)}\n${show(point.without)} without pruning\n${show(point.with)} with Coppice`,
          fontSize: 12,
          stroke: "var(--line)",
        }),
      ),
    ],
  };
}

function addUp({ requests, bill }: ReportData): readonly Point[] {
  const sum = { with: 0, without: 0 };
  return requests.map((request, i) => {
    const added = (bill.dollars && request.dollars) ?? request.bill;
    sum.with += added.with;
    sum.without += added.without;
    return { number: i + 1, ...sum };
  });
}
