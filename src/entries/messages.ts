/* Functions over messages, without a session: each takes messages and gives messages, or says something of them. */
export { applyLedger } from "../edits/apply.ts";
export {
  executeReplace,
  executeReplaceOrThrow,
  ReplaceError,
  type ReplaceOptions,
  type ReplaceResult,
  type ReplaceTarget,
} from "../replace/execute-replace.ts";
export { type PatternKind, type PatternSuggestion, suggestPatterns } from "../replace/suggest-patterns.ts";
export {
  applyShakeRegion,
  applyShakeRegions,
  type RegionReplacement,
  type Shaken,
  type ShakeReplacement,
} from "../strategies/shake/apply-shake-regions.ts";
export { collectShakeRegions, type ShakeOptions } from "../strategies/shake/collect-shake-regions.ts";
export {
  AGGRESSIVE_SHAKE_CONFIG,
  DEFAULT_SHAKE_CONFIG,
  type ProtectedToolMatcher,
  type ShakeConfig,
} from "../strategies/shake/shake-config.ts";
export type {
  BlockShakeRegion,
  ShakeRegion,
  ToolResultShakeRegion,
} from "../strategies/shake/shake-region.ts";
export {
  type SummarizeToolOutputOptions,
  summarizeToolOutput,
} from "../strategies/summaries/summarize-tool-output.ts";
export type { DroppedMessage } from "../strategies/trim/classify-dropped.ts";
export {
  type ClassificationContext,
  type ClassifiedMessage,
  classifyMessage,
} from "../strategies/trim/classify-message.ts";
export { ContentPriority } from "../strategies/trim/content-priority.ts";
export { ContextOverflowError, type OverflowSizes } from "../strategies/trim/context-overflow-error.ts";
export { type FileAccess, type FileReference, FileTracker } from "../strategies/trim/file-tracker.ts";
export type { MessageMetadata } from "../strategies/trim/prioritize.ts";
export { type Summarize, trimAndSummarize } from "../strategies/trim/trim-and-summarize.ts";
export { trimByAge } from "../strategies/trim/trim-by-age.ts";
export { trimByPriority } from "../strategies/trim/trim-by-priority.ts";
export { type TrimConversationOptions, trimConversation } from "../strategies/trim/trim-conversation.ts";
export type { TrimOptions, TrimResult, TruncatedResult } from "../strategies/trim/trim-options.ts";
export { trimWithPlaceholders } from "../strategies/trim/trim-with-placeholders.ts";
