interface RegionBase {
  /** Index of the message. */
  readonly entry: number;
  /** Index of the block in its content, or of the OpenCode part; −1 where the content is one plain text, or one result. */
  readonly blockIndex: number;
  /** Where it stands in the text of the block; a line break behind it is not part of it. */
  readonly start: number;
  readonly end: number;
  /** By the fixed estimator, of the text alone. */
  readonly tokens: number;
  readonly originalText: string;
  /** The tool, the role, or a custom message's type. */
  readonly label: string;
}

/** All the text of one tool result; several text blocks are joined by line breaks. */
export interface ToolResultShakeRegion extends RegionBase {
  readonly kind: "toolResult";
}

/** A fenced or XML block inside one text. */
export interface BlockShakeRegion extends RegionBase {
  readonly kind: "block";
}

export type ShakeRegion = ToolResultShakeRegion | BlockShakeRegion;
