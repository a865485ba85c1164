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
export type { Rewritten } from "./edits/apply.ts";
export type { Cut, DropEdit, Edit, EditId, ReplaceEdit, UndoEdit } from "./edits/edit.ts";
export { exportLedger, type LedgerExport, type Pruned, restoreMessages } from "./edits/inverse.ts";
export type { LedgerEntry } from "./edits/ledger.ts";
export type { Mechanism } from "./edits/mechanism.ts";
export type { WorkCounts } from "./facts/work-counts.ts";
export type { AnsweredRequest, ConversationChoice } from "./fold/known-conversations.ts";
export type { PolicyOptions } from "./fold/policy.ts";
export type { PruneRequest } from "./fold/prune-request.ts";
export type { RequestRow } from "./fold/request-memory.ts";
export type { FormatChoice, FormatName } from "./formats/format.ts";
export type { Marks, OwnProtocol } from "./formats/text-protocols/own-protocol.ts";
export type { ProtectableCall, ProtectionRules } from "./protection/protection.ts";
export {
  createPruner,
  type OpenedRequest,
  type PruneResult,
  type Pruner,
  type PrunerOptions,
} from "./pruner.ts";
export type { CutReport, Report, WaitingReport } from "./reports/report.ts";
export type { Uncut, UncutCode } from "./reports/uncut.ts";
export type { TextKind } from "./risk/need-table.ts";
export type { PricedRisk } from "./risk/risk.ts";
export type { CutReason, ScheduleMode } from "./schedule/choose-cut.ts";
export type { Pressure, PressureLevel } from "./schedule/pressure.ts";
export type { Regret } from "./schedule/regrets.ts";
export type { ToolKindEntry } from "./tool-kinds/tool-kind-entry.ts";
export type { ClearingRule } from "./transcript/clearing-rule.ts";
export { estimateTokens } from "./transcript/estimate.ts";
export type { MessageMeta, RequestTerms, Usage } from "./transcript/message.ts";
export type { Ref } from "./transcript/refs.ts";
