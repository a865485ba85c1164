import type { Rewritten } from "../../edits/apply.ts";
import type { LedgerEntry } from "../../edits/ledger.ts";
import type { FormatChoice } from "../../formats/format.ts";
import type { ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import type { DroppedMessage } from "./classify-dropped.ts";
import type { FileTracker } from "./file-tracker.ts";

export const TRIM_STRATEGIES = ["priority-based", "age-based"] as const;
export type TrimStrategy = (typeof TRIM_STRATEGIES)[number];

/** The default number of recent steps. */
export const RECENT_STEPS = 5;

export interface TrimOptions {
  /** The most tokens of the messages, as estimated. */
  readonly targetTokens: number;
  /** How many steps count as recent. Default: 5. */
  readonly preserveRecentTurns?: number;
  /** Data on files. Default: taken from the messages. */
  readonly fileTracker?: FileTracker;
  /** Return an extractive summary of the cut text. */
  readonly summarizeDropped?: boolean;
  /** For `trimByAge`: results older than this many steps are dropped first. Default: 5. */
  readonly maxAge?: number;
  /** Recognises agent instructions that have no known file name or tag. */
  readonly isAgentInstruction?: (text: string) => boolean;
  /** The model that gets the messages: some require all text before their reasoning to be unchanged. */
  readonly model?: string;
  /** For messages whose format can't be detected. */
  readonly format?: FormatChoice;
  readonly toolKinds?: ToolKinds;
}

/** A result that a placeholder replaced. */
export interface TruncatedResult {
  /** Index of its message in the trimmed messages, and in the original ones. */
  readonly message: number;
  readonly source: number;
  readonly callId?: string;
  readonly filePath?: string;
  readonly truncated: true;
  /** Tokens of the original result, and of its placeholder. */
  readonly originalTokens: number;
  readonly tokens: number;
}

/** The messages that fit, and the cuts. `exportLedger` and `restoreMessages` can undo them. */
export interface TrimResult<M = unknown> extends Rewritten<M> {
  /** The messages that were dropped completely, in order, with their priorities. */
  readonly droppedMessages: readonly DroppedMessage<M>[];
  readonly savedTokens: number;
  /** Not inserted into the messages: the caller decides what to do with it. */
  readonly summary?: string;
  /** The truncated results. None of this is in the messages. */
  readonly metadata: readonly TruncatedResult[];
  readonly edits: readonly LedgerEntry[];
}
