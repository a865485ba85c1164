import {
  areaY,
  axisX,
  axisY,
  dot,
  gridY,
  lineY,
  type Markish,
  type PlotOptions,
  pointerX,
  ruleX,
  ruleY,
  text,
  tip,
} from "@observablehq/plot";
import type { JSX } from "preact";
import { useCallback } from "preact/hooks";
import type { CutData, RequestData } from "../data.ts";
import { drawEndLabel, placeEndLabels, roomFor } from "./end-labels.ts";
import { formatNumber, formatSaved, shortCount } from "./format.ts";
import { PlotFigure } from "./plot-figure.tsx";
import { REASON_WORDS } from "./words.ts";

/** What is drawn of a request. */
export interface ContextRequest
  extends Pick<RequestData, "segment" | "raw" | "pruned" | "window" | "threshold"> {
  readonly cached?: number;
  readonly cut?: Pick<CutData, "reason" | "saved">;
}

interface Point extends ContextRequest {
  readonly number: number;
  readonly cached: number;
}

const HEIGHT = 320;
/** A limit more than this many times the largest request is only named: drawn, it would flatten everything else. */
const TALLEST = 2.5;

/** The size of each request without pruning and with it, and how much of it was cached. */
export function ContextChart({ requests }: { readonly requests: readonly ContextRequest[] }): JSX.Element {
  const draw = useCallback((width: number) => drawContext(requests, width), [requests]);
  const last = requests.at(-1);
  const cuts = requests.filter(({ cut }) => cut).length;
  const label = `Context size over ${requests.length} requests: the last one has ${formatNumber(last?.raw ?? 0)} tokens without pruning and ${formatNumber(last?.pruned ?? 0)} with it; ${cuts} cuts.`;
  const peak = findPeak(requests);
  const above = listLimits(requests).filter(({ tokens }) => tokens > TALLEST * peak);
  return (
    <>
      <ul class="legend">
        <li class="key-raw">without pruning</li>
        <li class="key-pruned">with Coppice</li>
        <li class="key-cached">of it from the cache</li>
        <li class="key-cut">cut</li>
        {above.map(({ name, tokens }) => (
          <li class="key-limit" key={name}>
            {name} {formatNumber(tokens)}, above the chart
          </li>
        ))}
      </ul>
      <PlotFigure label={label} height={HEIGHT} draw={draw} />
    </>
  );
}

function drawContext(requests: readonly ContextRequest[], width: number): PlotOptions {
  const points = requests.map((request, i): Point => ({ cached: 0, ...request, number: i + 1 }));
  const cuts = points.filter(({ cut }) => cut);
  const epochs = points.filter(({ segment }, i) => i > 0 && points[i - 1]?.segment !== segment);
  const peak = findPeak(requests);
  const limits = listLimits(requests).filter(({ tokens }) => tokens <= TALLEST * peak);
  const isWide = width >= 640;
  const top = Math.max(roomFor(isWide) * peak, ...limits.map(({ tokens }) => 1.04 * tokens));
  const marginBottom = 36;
  const marginTop = 18;
  const scale = (HEIGHT - marginTop - marginBottom) / top;
  const last = points.at(-1);
  return {
    marginTop,
    marginBottom,
    marginLeft: 44,
    marginRight: isWide ? 128 : 12,
    x: { domain: [1, Math.max(2, points.length)] },
    y: { domain: [0, top] },
    marks: [
      gridY({ ticks: 5, stroke: "var(--grid)", strokeOpacity: 1 }),
      axisY({ ticks: 5, tickFormat: (tokens: number) => shortTick(tokens), tickSize: 0, label: null }),
      axisX({
        ticks: isWide ? 10 : 5,
        tickFormat: "d",
        tickSize: 4,
        label: "request",
        labelArrow: "none",
        labelAnchor: "center",
      }),
      areaY(points, {
        x: "number",
        y: "cached",
        z: "segment",
        fill: "var(--cached)",
        className: "line-cached",
      }),
      ruleY(limits, { y: "tokens", stroke: "var(--limit)", strokeDasharray: "4 4" }),
      text(limits, {
        x: 1,
        y: "tokens",
        text: ({ name, tokens }: Limit) => `${name} ${formatNumber(tokens)}`,
        textAnchor: "start",
        lineAnchor: "bottom",
        dx: 4,
        dy: -4,
        fill: "var(--muted)",
      }),
      ruleX(epochs, { x: "number", stroke: "var(--limit)" }),
      text(epochs, {
        x: "number",
        frameAnchor: "bottom",
        text: () => "compaction",
        textAnchor: "start",
        dx: 4,
        dy: -6,
        fill: "var(--muted)",
      }),
      lineY(points, {
        x: "number",
        y: "raw",
        stroke: "var(--raw)",
        strokeWidth: 1.75,
        className: "line-raw",
      }),
      lineY(points, {
        x: "number",
        y: "pruned",
        z: "segment",
        stroke: "var(--accent)",
        strokeWidth: 2.25,
        className: "line-pruned",
      }),
      ruleX(cuts, { x: "number", y1: "pruned", y2: "raw", stroke: "var(--cut)", strokeOpacity: 0.45 }),
      dot(cuts, {
        x: "number",
        y: "pruned",
        r: 4,
        fill: "var(--surface)",
        stroke: "var(--cut)",
        strokeWidth: 2,
        className: "line-cuts",
      }),
      ...(last ? labelEnds(last, scale, isWide) : []),
      ruleX(points, pointerX({ x: "number", stroke: "var(--muted)", strokeOpacity: 0.5 })),
      tip(
        points,
        pointerX({ x: "number", y: "pruned", title: describePoint, fontSize: 12, stroke: "var(--line)" }),
      ),
    ],
  };
}

interface Limit {
  readonly name: string;
  readonly tokens: number;
}

/** The limits at the last request: where a window has grown, the new one counts. */
function listLimits(requests: readonly ContextRequest[]): readonly Limit[] {
  const { window = 0, threshold = 0 } = requests.at(-1) ?? {};
  const limits = [
    { name: "window", tokens: window },
    { name: "pressure from", tokens: threshold },
  ];
  return limits.filter(({ tokens }, i) => tokens > 0 && (i === 0 || tokens !== window));
}

function findPeak(requests: readonly ContextRequest[]): number {
  return requests.reduce((peak, { raw, pruned }) => Math.max(peak, raw, pruned), 0);
}

function labelEnds({ number, raw, pruned }: Point, scale: number, isBeside: boolean): readonly Markish[] {
  const labels = placeEndLabels(
    [
      { text: `${formatNumber(raw)} without`, value: raw, fill: "var(--muted)" },
      { text: `${formatNumber(pruned)} with`, value: pruned, fill: "var(--accent-text)" },
    ],
    scale,
    isBeside,
  );
  return labels.map((label) => drawEndLabel(label, number));
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

function shortTick(tokens: number): string {
  return tokens === 0 ? "0" : shortCount(tokens).replace(".0", "");
}
