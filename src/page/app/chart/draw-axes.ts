import { axisX, axisY, gridY, type Markish } from "@observablehq/plot";
import { formatNumber } from "../format.ts";

/** A grid of amounts and an axis of requests, the same for every chart over a session. */
export function drawAxes(
  ticks: readonly number[],
  nameTick: (tick: number) => string,
  requestTicks: readonly number[],
): readonly Markish[] {
  return [
    gridY(ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
    axisY(ticks, { tickFormat: nameTick, tickSize: 0, label: null }),
    axisX(requestTicks, {
      tickFormat: formatNumber,
      tickSize: 4,
      label: "request",
      labelArrow: "none",
      labelAnchor: "center",
    }),
  ];
}
