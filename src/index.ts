export { agentCommands } from "./agent/agent-commands.ts";
export { type AgentSettings, type PruneAction, readAgentSettings } from "./agent/agent-settings.ts";
export type { AgentView } from "./agent/agent-view.ts";
export {
  type AnthropicTool,
  type McpTool,
  type OpenAiChatTool,
  type OpenAiResponsesTool,
  toAnthropicTool,
  toMcpTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from "./agent/provider-tools.ts";
export type { ContextTarget, ReplaceOperation } from "./agent/prune-input.ts";
export { SYSTEM_TEXT } from "./agent/system-text.ts";
export {
  infoTool,
  listAgentTools,
  pruneTool,
  recallTool,
  type ToolDefinition,
} from "./agent/tool-definitions.ts";
export { answerInfo } from "./answers/answer-info.ts";
export { answerPrune } from "./answers/answer-prune.ts";
export { answerRecall } from "./answers/answer-recall.ts";
export type { Issue, IssueCode, Result } from "./basics/issue.ts";
export type { Config, PartialConfig } from "./config/config.ts";
export { mergeLevels } from "./config/merge.ts";
export { PRESETS, resolveFlags } from "./config/presets.ts";
export { applyLedger, type Rewritten } from "./edits/apply.ts";
export type { CutPlan, PlannedSpan, RestoreWish, Timing } from "./edits/cut-plan.ts";
export type { Cut, DropEdit, Edit, EditId, ReplaceEdit, UndoEdit } from "./edits/edit.ts";
export { exportLedger, type LedgerExport, type Pruned, restoreMessages } from "./edits/inverse.ts";
export type { LedgerEntry } from "./edits/ledger.ts";
export type { Mechanism } from "./edits/mechanism.ts";
export type { Refusal, RefusalIssue } from "./edits/refusal.ts";
export type { Delta, Facts } from "./facts/facts.ts";
export type { TodoTask } from "./facts/todo-list.ts";
export type { WorkCounts } from "./facts/work-counts.ts";
export type { AnsweredRequest, ConversationChoice } from "./fold/known-conversations.ts";
export type { PolicyOptions } from "./fold/policy.ts";
export type { PruneRequest } from "./fold/prune-request.ts";
export type { RequestRow } from "./fold/request-memory.ts";
export { detectFormat, formatByName } from "./formats/detect.ts";
export type {
  Codec,
  Format,
  FormatChoice,
  FormatName,
  MessageChanges,
  PlacedNote,
} from "./formats/format.ts";
export { stripNote } from "./formats/note.ts";
export { isHistoryOnServer } from "./formats/openai-responses/openai-responses.ts";
export type { Marks, OwnProtocol } from "./formats/text-protocols/own-protocol.ts";
export type { CachePrices, ModelProfile, ReasoningRule, TokenizerName } from "./models/profile.ts";
export { profileFor } from "./models/profile-for.ts";
export type { ProtectableCall, ProtectionRules } from "./protection/protection.ts";
export {
  createPruner,
  type OpenedRequest,
  type PruneResult,
  type Pruner,
  type PrunerOptions,
} from "./pruner.ts";
export { mayRemindNow } from "./reminders/may-remind.ts";
export {
  createReminder,
  type PrunableItem,
  type Reminder,
  type ReminderOptions,
  type Situation,
} from "./reminders/reminder.ts";
export {
  executeReplace,
  executeReplaceOrThrow,
  ReplaceError,
  type ReplaceOptions,
  type ReplaceResult,
  type ReplaceTarget,
} from "./replace/execute-replace.ts";
export { type PatternKind, type PatternSuggestion, suggestPatterns } from "./replace/suggest-patterns.ts";
export { formatNotice, type NoticeOptions } from "./reports/notice.ts";
export type { CutReport, Report, WaitingReport } from "./reports/report.ts";
export { addStatistics, formatStatistics, makeStatistics, type Statistics } from "./reports/statistics.ts";
export { countByMechanism, type Tallies, type Tally } from "./reports/tally.ts";
export type { Uncut, UncutCode } from "./reports/uncut.ts";
export { describeRisk } from "./risk/describe-risk.ts";
export type { TextKind } from "./risk/need-table.ts";
export type { PricedRisk } from "./risk/risk.ts";
export type { CutReason, ScheduleMode } from "./schedule/choose-cut.ts";
export type { Pressure, PressureLevel } from "./schedule/pressure.ts";
export type { Regret } from "./schedule/regrets.ts";
export { duplicateCalls } from "./strategies/duplicate-calls.ts";
export {
  applyShakeRegion,
  applyShakeRegions,
  type RegionReplacement,
  type Shaken,
  type ShakeReplacement,
} from "./strategies/shake/apply-shake-regions.ts";
export { collectShakeRegions, type ShakeOptions } from "./strategies/shake/collect-shake-regions.ts";
export {
  AGGRESSIVE_SHAKE_CONFIG,
  DEFAULT_SHAKE_CONFIG,
  type ProtectedToolMatcher,
  type ShakeConfig,
} from "./strategies/shake/shake-config.ts";
export type {
  BlockShakeRegion,
  ShakeRegion,
  ToolResultShakeRegion,
} from "./strategies/shake/shake-region.ts";
export { type Pass, type Strategy, usePass } from "./strategies/strategy.ts";
export {
  type SummarizeToolOutputOptions,
  summarizeToolOutput,
} from "./strategies/summaries/summarize-tool-output.ts";
export type { DroppedMessage } from "./strategies/trim/classify-dropped.ts";
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
export type { TodoItem, TodoStatus, ToolKind, ToolUse } from "./tool-kinds/tool-use.ts";
export type { ClearingRule } from "./transcript/clearing-rule.ts";
export { ESTIMATOR_VERSION, estimateTokens } from "./transcript/estimate.ts";
export type { DecodedMessage, MessageMeta, RequestTerms, Usage } from "./transcript/message.ts";
export { stripTags } from "./transcript/own-tags.ts";
export type { CallPart, Leaf, Part, PartKey, PartKind, ResultPart, Role } from "./transcript/part.ts";
export type { Ref } from "./transcript/refs.ts";
