import type { Rewritten } from "../../edits/apply.ts";
import type { LedgerEntry } from "../../edits/ledger.ts";
import type { FormatChoice } from "../../formats/format.ts";
import type { ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import type { DroppedMessage } from "./classify-dropped.ts";
import type { FileTracker } from "./file-tracker.ts";

export const TRIM_STRATEGIES = ["priority-based", "age-based"] as const;
export type TrimStrategy = (typeof TRIM_STRATEGIES)[number];

/** How many steps count as recent where nobody says. */
export const RECENT_STEPS = 5;

export interface TrimOptions {
  /** What the messages have to fit into, by the fixed estimator. */
  readonly targetTokens: number;
  /** How many steps count as recent; 5 unless told. */
  readonly preserveRecentTurns?: number;
  /** Instead of what the messages themselves tell of files. */
  readonly fileTracker?: FileTracker;
  /** Give an extractive summary of what went. */
  readonly summarizeDropped?: boolean;
  /** `trimByAge`: results older than this, in steps, go first; 5 unless told. */
  readonly maxAge?: number;
  /** Tells agent instructions that no name and no tag gives away. */
  readonly isAgentInstruction?: (text: string) => boolean;
  /** Whom the request goes to: some models want what was said before their reasoning unchanged. */
  readonly model?: string;
  /** Where the messages are of no format that can be told by looking at them. */
  readonly format?: FormatChoice;
  readonly toolKinds?: ToolKinds;
}

/** A result that a placeholder stands for. */
export interface TruncatedResult {
  /** Index of the message that it stands in: in the result, and in what was given. */
  readonly message: number;
  readonly source: number;
  readonly callId?: string;
  readonly filePath?: string;
  readonly truncated: true;
  /** Tokens of the result before, and of its placeholder. */
  readonly originalTokens: number;
  readonly tokens: number;
}

/** The messages that fit, and what became of the others. With `exportLedger` and `restoreMessages` it can be undone. */
export interface TrimResult<M = unknown> extends Rewritten<M> {
  /** Those of which nothing is left, in order, each with what it was worth. */
  readonly droppedMessages: readonly DroppedMessage<M>[];
  readonly savedTokens: number;
  /** Never inserted: what to do with it is the caller's choice. */
  readonly summary?: string;
  /** What was truncated and from how many tokens; nothing of it is on the wire. */
  readonly metadata: readonly TruncatedResult[];
  readonly edits: readonly LedgerEntry[];
}
