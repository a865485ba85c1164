export { agentDiscards } from "./agent/agent-discards.ts";
export { type AgentView, answerPrune, pruneTool } from "./agent/answer-prune.ts";
export type { Config, PartialConfig } from "./config/config.ts";
export { mergeLevels } from "./config/merge.ts";
export { PRESETS, resolveFlags } from "./config/presets.ts";
export { applyLedger, type Rewritten } from "./edits/apply.ts";
export type { Cut, DropEdit, Edit, EditId, Ref, ReplaceEdit, UndoEdit } from "./edits/edit.ts";
export { exportLedger, type LedgerExport, restoreMessages } from "./edits/inverse.ts";
export type { LedgerEntry } from "./edits/ledger.ts";
export type { Delta, Facts } from "./facts/facts.ts";
export { detectFormat, formatByName } from "./formats/detect.ts";
export type { Format, FormatName, MessageChanges } from "./formats/format.ts";
export type { Issue, IssueCode, Result } from "./issue.ts";
export type { CachePrices, ModelProfile, ReasoningRule, TokenizerName } from "./models/profile.ts";
export { profileFor } from "./models/profile-for.ts";
export type { PolicyOptions } from "./policy.ts";
export {
  createPruner,
  type PruneRequest,
  type PruneResult,
  type Pruner,
  type PrunerOptions,
} from "./pruner.ts";
export type { CutReport, Report, WaitingReport } from "./report.ts";
export type { CutReason, ScheduleMode } from "./schedule/choose-cut.ts";
export type { Pressure, PressureLevel } from "./schedule/pressure.ts";
export { duplicateCalls } from "./strategies/duplicate-calls.ts";
export {
  type Pass,
  type Proposal,
  type ProposedSpan,
  type Strategy,
  usePass,
} from "./strategies/strategy.ts";
export {
  type ClassificationContext,
  type ClassifiedMessage,
  classifyMessage,
} from "./strategies/trim/classify-message.ts";
export { ContentPriority } from "./strategies/trim/content-priority.ts";
export { ContextOverflowError, type OverflowSizes } from "./strategies/trim/context-overflow-error.ts";
export { type FileAccess, type FileReference, FileTracker } from "./strategies/trim/file-tracker.ts";
export type { MessageMetadata } from "./strategies/trim/prioritize.ts";
export { type Summarize, trimAndSummarize } from "./strategies/trim/trim-and-summarize.ts";
export { trimByAge } from "./strategies/trim/trim-by-age.ts";
export { trimByPriority } from "./strategies/trim/trim-by-priority.ts";
export { type TrimConversationOptions, trimConversation } from "./strategies/trim/trim-conversation.ts";
export type { TrimOptions, TrimResult, TruncatedResult } from "./strategies/trim/trim-options.ts";
export { trimWithPlaceholders } from "./strategies/trim/trim-with-placeholders.ts";
export type { ToolKindEntry } from "./tool-kinds/tool-kind-entry.ts";
export { createToolKinds, type ToolKinds } from "./tool-kinds/tool-kinds.ts";
export type { ToolKind, ToolUse } from "./tool-kinds/tool-use.ts";
export { ESTIMATOR_VERSION, estimateTokens } from "./transcript/estimate.ts";
export type { DecodedMessage, MessageMeta, Usage } from "./transcript/message.ts";
export type { Leaf, Part, PartKey, PartKind, Role } from "./transcript/part.ts";
