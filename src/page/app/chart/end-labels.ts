import { type Markish, text } from "@observablehq/plot";
import type { MeasureText } from "./measure-text.ts";

/** The label of a line, next to its end. */
export interface EndLabel {
  readonly text: string;
  /** Where the line ends, in pixels from the top. */
  readonly y: number;
  readonly fill: string;
}

/** From this width on, labels are next to the ends of lines; in a narrower chart, the legend has them (page.css). */
export const WIDE = 480;
const LINE = 16;
const GAP = 8;
const WEIGHT = 600;

/** Room that labels need to the right of the chart. */
export function endMargin(labels: readonly Pick<EndLabel, "text">[], measure: MeasureText): number {
  return Math.max(...labels.map((label) => measure(label.text, WEIGHT))) + GAP + 4;
}

/** The two labels, moved apart if they would overlap, the upper one first. Neither is lower than `bottom`. */
export function placeEndLabels(
  labels: readonly [EndLabel, EndLabel],
  bottom: number,
): readonly [EndLabel, EndLabel] {
  const [high, low] = labels[0].y <= labels[1].y ? labels : [labels[1], labels[0]];
  const move = Math.max(0, LINE - (low.y - high.y)) / 2;
  const y = Math.min(bottom - LINE / 2, low.y + move);
  return [
    { ...high, y: Math.min(high.y - move, y - LINE) },
    { ...low, y },
  ];
}

/** `top`: where the chart's frame begins. */
export function drawEndLabel({ text: label, y, fill }: EndLabel, top: number): Markish {
  return text([label], {
    frameAnchor: "top-right",
    lineAnchor: "middle",
    textAnchor: "start",
    text: [label],
    dx: GAP,
    dy: y - top,
    fill,
    fontWeight: WEIGHT,
  });
}
