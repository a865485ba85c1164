interface RegionBase {
  /** Index of the message. */
  readonly entry: number;
  /** Index of the block in the content, or of the OpenCode part; −1 if the content is one plain text or result. */
  readonly blockIndex: number;
  /** Its offsets in the text of the block, excluding the line break after it. */
  readonly start: number;
  readonly end: number;
  /** Estimated tokens of `originalText`. */
  readonly tokens: number;
  readonly originalText: string;
  /** The tool's name, the role, or the type of a custom message. */
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
