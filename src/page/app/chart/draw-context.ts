import {
  areaY,
  dot,
  lineY,
  type Markish,
  type PlotOptions,
  pointerX,
  ruleX,
  ruleY,
  text,
  tip,
} from "@observablehq/plot";
import type { CutData, RequestData, SegmentData } from "../../data.ts";
import { formatNumber, shortCount } from "../format.ts";
import { drawAxes } from "./draw-axes.ts";
import { drawEndLabel, endMargin, placeEndLabels, WIDE } from "./end-labels.ts";
import { placeLaneLabels } from "./lane-labels.ts";
import { type LimitLabel, placeLimitLabels } from "./limit-labels.ts";
import type { MeasureText } from "./measure-text.ts";
import { listTicks, listWholeTicks } from "./ticks.ts";

/** What is drawn of a request. */
export interface ContextRequest
  extends Pick<RequestData, "segment" | "raw" | "pruned" | "window" | "threshold"> {
  readonly cached?: number;
  readonly cut?: Pick<CutData, "reason" | "saved">;
}

export type ContextSegment = Pick<SegmentData, "continues">;

export interface Point extends ContextRequest {
  readonly number: number;
  readonly cached: number;
  /** From 1. */
  readonly conversation: number;
}

interface Limit {
  readonly name: string;
  readonly tokens: number;
}

/** The data that does not depend on the chart's width. */
export interface ContextLayout {
  readonly points: readonly Point[];
  /** The first request of each segment but the first. */
  readonly begins: readonly Point[];
  /** In tokens. */
  readonly top: number;
  readonly frame: { readonly top: number; readonly bottom: number };
  readonly limits: readonly Limit[];
  readonly limitLabels: readonly LimitLabel[];
  /** Limits without a label in the chart. */
  readonly unnamed: readonly (Limit & { readonly isAbove: boolean })[];
}

/**
 * A limit more than this many times the largest request is named but not drawn, because it would flatten everything
 * else.
 */
const TALLEST = 2.5;
const BOTTOM = 36;
/** In pixels. */
const CLOSEST_RULES = 10;

export function layOutContext(
  requests: readonly ContextRequest[],
  segments: readonly ContextSegment[],
  height: number,
): ContextLayout {
  let conversation = 1;
  const points = requests.map((request, i): Point => {
    const isNew = i > 0 && requests[i - 1]?.segment !== request.segment;
    if (isNew && segments[request.segment]?.continues === false) conversation++;
    return { cached: 0, ...request, number: i + 1, conversation };
  });
  const begins = points.filter(({ segment }, i) => i > 0 && points[i - 1]?.segment !== segment);
  const peak = points.reduce((most, { raw, pruned }) => Math.max(most, raw, pruned), 1);
  const all = listLimits(requests);
  const limits = all.filter(({ tokens }) => tokens <= TALLEST * peak);
  const top = Math.max(1.05 * peak, ...limits.map(({ tokens }) => 1.04 * tokens));
  const frame = { top: begins.length > 0 ? 30 : 18, bottom: height - BOTTOM };
  const lines = limits.map((limit) => ({ text: nameLimit(limit), y: toPixels(limit.tokens, top, frame) }));
  const limitLabels = placeLimitLabels(lines, { top: frame.top - 16, bottom: frame.bottom });
  const named = new Set(limitLabels.map((label) => label.text));
  const unnamed = all
    .filter((limit) => !named.has(nameLimit(limit)))
    .map((limit) => ({ ...limit, isAbove: !limits.includes(limit) }));
  return { points, begins, top, frame, limits, limitLabels, unnamed };
}

function toPixels(tokens: number, top: number, frame: ContextLayout["frame"]): number {
  return frame.bottom - (tokens / top) * (frame.bottom - frame.top);
}

function nameLimit({ name, tokens }: Limit): string {
  return `${name} ${formatNumber(tokens)}`;
}

/** The limits at the last request: if a window has grown, the new one is used. */
function listLimits(requests: readonly ContextRequest[]): readonly Limit[] {
  const { window = 0, threshold = 0 } = requests.at(-1) ?? {};
  const limits = [
    { name: "window", tokens: window },
    { name: "pressure from", tokens: threshold },
  ];
  return limits.filter(({ tokens }, i) => tokens > 0 && (i === 0 || tokens !== window));
}

export function drawContext(
  layout: ContextLayout,
  width: number,
  measure: MeasureText,
  describe: (point: Point) => string,
): PlotOptions {
  const { points, begins, top, frame, limits } = layout;
  const cuts = points.filter(({ cut }) => cut);
  const isWide = width >= WIDE;
  const last = points.at(-1);
  const ends = last ? labelEnds(last, layout) : undefined;
  const ticks = listTicks(top, 5);
  const requestTicks = listWholeTicks(points.length, isWide ? 10 : 5);
  const marginLeft = Math.max(...ticks.map((tick) => measure(shortTick(tick)))) + 12;
  const marginRight = Math.max(
    isWide && ends ? endMargin(ends, measure) : 0,
    measure(formatNumber(requestTicks.at(-1) ?? 0)) / 2 + 4,
  );
  const isDense = cuts.length > width / 14;
  return {
    marginTop: frame.top,
    marginBottom: BOTTOM,
    marginLeft,
    marginRight,
    x: { domain: [1, Math.max(2, points.length)] },
    y: { domain: [0, top] },
    marks: [
      ...drawAxes(ticks, shortTick, requestTicks),
      areaY(points, {
        x: "number",
        y: "cached",
        z: "segment",
        fill: "var(--cached)",
        className: "line-cached",
      }),
      ruleY(limits, { y: "tokens", stroke: "var(--limit)", strokeDasharray: "4 4" }),
      ...layout.limitLabels.map((label) => drawLimitLabel(label, frame.top)),
      ...drawBegins(
        begins,
        { left: marginLeft, right: width - 4, last: points.length },
        marginRight,
        measure,
      ),
      lineY(points, {
        x: "number",
        y: "raw",
        z: "conversation",
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
      ruleX(cuts, {
        x: "number",
        y1: "pruned",
        y2: "raw",
        stroke: "var(--cut)",
        strokeOpacity: isDense ? 0.2 : 0.45,
      }),
      dot(cuts, {
        x: "number",
        y: "pruned",
        r: isDense ? 2 : 4,
        fill: "var(--surface)",
        stroke: "var(--cut)",
        strokeWidth: isDense ? 1.25 : 2,
        className: "line-cuts",
      }),
      ...(isWide && ends ? ends.map((label) => drawEndLabel(label, frame.top)) : []),
      ruleX(points, pointerX({ x: "number", stroke: "var(--muted)", strokeOpacity: 0.5 })),
      tip(
        points,
        pointerX({ x: "number", y: "pruned", title: describe, fontSize: 12, stroke: "var(--line)" }),
      ),
    ],
  };
}

function drawLimitLabel({ text: label, middle }: LimitLabel, top: number): Markish {
  return text([label], {
    frameAnchor: "top-left",
    lineAnchor: "middle",
    textAnchor: "start",
    text: [label],
    dx: 4,
    dy: middle - top,
    fill: "var(--muted)",
  });
}

/** Lines at the starts of segments, with their labels in a lane above the chart. */
function drawBegins(
  begins: readonly Point[],
  lane: { readonly left: number; readonly right: number; readonly last: number },
  marginRight: number,
  measure: MeasureText,
): readonly Markish[] {
  if (begins.length === 0) return [];
  const { left, right, last } = lane;
  const scale = (right + 4 - marginRight - left) / Math.max(1, last - 1);
  const isConversation = ({ conversation, number }: Point, i: number): boolean =>
    conversation !== (begins[i - 1]?.conversation ?? 1) && number > 1;
  const marks = begins.map((point, i) => ({
    x: left + (point.number - 1) * scale,
    kind: isConversation(point, i) ? ("conversation" as const) : ("compaction" as const),
    number: point.conversation,
  }));
  // Too many lines would hide the curves, which show new starts themselves.
  const isFence = marks.length * CLOSEST_RULES > right - left;
  return [
    ...(isFence
      ? []
      : [
          ruleX(begins, {
            x: "number",
            insetTop: -12,
            stroke: (_: Point, i: number) =>
              marks[i]?.kind === "conversation" ? "var(--muted)" : "var(--limit)",
            strokeOpacity: marks.length > 20 ? 0.5 : 1,
            className: "line-begins",
          }),
        ]),
    ...placeLaneLabels(marks, { left, right }, measure).map((label) =>
      text([label.text], {
        frameAnchor: "top-left",
        lineAnchor: "middle",
        textAnchor: "start",
        text: [label.text],
        dx: label.left - left,
        dy: -18,
        fill: "var(--muted)",
      }),
    ),
  ];
}

function labelEnds({ raw, pruned }: Point, { top, frame }: ContextLayout) {
  return placeEndLabels(
    [
      { text: `${formatNumber(raw)} without`, y: toPixels(raw, top, frame), fill: "var(--muted)" },
      { text: `${formatNumber(pruned)} with`, y: toPixels(pruned, top, frame), fill: "var(--accent-text)" },
    ],
    frame.bottom,
  );
}

function shortTick(tokens: number): string {
  return tokens === 0 ? "0" : shortCount(tokens).replace(".0", "");
}
