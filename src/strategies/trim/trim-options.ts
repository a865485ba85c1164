import type { Rewritten } from "../../edits/apply.ts";
import type { LedgerEntry } from "../../edits/ledger.ts";
import type { FormatChoice } from "../../formats/format.ts";
import type { ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import type { DroppedMessage } from "./classify-dropped.ts";
import type { FileTracker } from "./file-tracker.ts";

export const TRIM_STRATEGIES = ["priority-based", "age-based"] as const;
export type TrimStrategy = (typeof TRIM_STRATEGIES)[number];

/** How many steps count as recent by default. */
export const RECENT_STEPS = 5;

export interface TrimOptions {
  /** The messages have to fit into this many tokens, by the fixed estimator. */
  readonly targetTokens: number;
  /** How many steps count as recent. Default: 5. */
  readonly preserveRecentTurns?: number;
  /** What is known of files. Default: what the messages tell. */
  readonly fileTracker?: FileTracker;
  /** Give an extractive summary of what was cut. */
  readonly summarizeDropped?: boolean;
  /** For `trimByAge`: results older than this many steps are dropped first. Default: 5. */
  readonly maxAge?: number;
  /** Recognises agent instructions that have no known file name or tag. */
  readonly isAgentInstruction?: (text: string) => boolean;
  /** The model that the messages go to: some want all text before their reasoning unchanged. */
  readonly model?: string;
  /** Where the messages are of no format that can be told by looking at them. */
  readonly format?: FormatChoice;
  readonly toolKinds?: ToolKinds;
}

/** A result that was replaced by a placeholder. */
export interface TruncatedResult {
  /** Index of its message in the trimmed messages, and in the given ones. */
  readonly message: number;
  readonly source: number;
  readonly callId?: string;
  readonly filePath?: string;
  readonly truncated: true;
  /** Tokens of the original result, and of its placeholder. */
  readonly originalTokens: number;
  readonly tokens: number;
}

/** The messages that fit, and what was cut. `exportLedger` and `restoreMessages` can undo it. */
export interface TrimResult<M = unknown> extends Rewritten<M> {
  /** The messages of which nothing is left, in order, with their priorities. */
  readonly droppedMessages: readonly DroppedMessage<M>[];
  readonly savedTokens: number;
  /** Not inserted into the messages: what to do with it is up to the caller. */
  readonly summary?: string;
  /** The truncated results. Nothing of this is in the messages. */
  readonly metadata: readonly TruncatedResult[];
  readonly edits: readonly LedgerEntry[];
}
