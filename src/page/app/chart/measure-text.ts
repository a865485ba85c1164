/** The width of a drawn text, in pixels. */
export type MeasureText = (text: string, weight?: number) => number;
