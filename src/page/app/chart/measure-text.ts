/** How wide a text is drawn, in pixels. */
export type MeasureText = (text: string, weight?: number) => number;
