export interface EndLabel {
  readonly text: string;
  readonly value: number;
  readonly fill: string;
}

export interface PlacedLabel extends EndLabel {
  /** Pixels down. */
  readonly shift: number;
}

const LINE = 16;

/** Moves the labels of two lines apart where their ends are too near to be read. `scale`: pixels for one of the value. */
export function placeEndLabels([a, b]: readonly [EndLabel, EndLabel], scale: number): readonly PlacedLabel[] {
  const apart = Math.abs(a.value - b.value) * scale;
  const move = Math.max(0, LINE - apart) / 2;
  const up = a.value >= b.value ? -1 : 1;
  return [
    { ...a, shift: up * move },
    { ...b, shift: -up * move },
  ];
}
