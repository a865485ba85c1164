import { type Markish, text } from "@observablehq/plot";

export interface EndLabel {
  readonly text: string;
  readonly value: number;
  readonly fill: string;
}

export interface PlacedLabel extends EndLabel {
  readonly isBeside: boolean;
  /** Pixels below the value's own position. */
  readonly shift: number;
}

const LINE = 16;

/**
 * The labels of two lines: beside their ends, moved apart if they would overlap, or both above the higher end if there
 * is no room beside. `scale`: pixels per unit of the value.
 */
export function placeEndLabels(
  labels: readonly [EndLabel, EndLabel],
  scale: number,
  isBeside: boolean,
): readonly PlacedLabel[] {
  const [high, low] = labels[0].value >= labels[1].value ? labels : [labels[1], labels[0]];
  if (!isBeside)
    return [
      { ...high, isBeside, shift: -2 * LINE },
      { ...low, isBeside, value: high.value, shift: -LINE },
    ];
  const move = Math.max(0, LINE - (high.value - low.value) * scale) / 2;
  return [
    { ...high, isBeside, shift: -move },
    { ...low, isBeside, shift: move },
  ];
}

/** How many times as high as its highest value a chart is, so that the labels have room. */
export function roomFor(isBeside: boolean): number {
  return isBeside ? 1.05 : 1.25;
}

export function drawEndLabel({ text: label, value, fill, shift, isBeside }: PlacedLabel, x: number): Markish {
  return text([label], {
    x,
    y: value,
    text: [label],
    textAnchor: isBeside ? "start" : "end",
    dx: isBeside ? 8 : 0,
    dy: shift,
    fill,
    fontWeight: 600,
    stroke: "var(--surface)",
    strokeWidth: 3,
  });
}
