/* What a pass of your own is written with. */
export { agentCommands } from "../agent/agent-commands.ts";
export type { CutPlan, PlannedSpan, RestoreWish, Timing } from "../edits/cut-plan.ts";
export type { Refusal, RefusalIssue } from "../edits/refusal.ts";
export type { Delta, Facts } from "../facts/facts.ts";
export type { TodoTask } from "../facts/todo-list.ts";
export { duplicateCalls } from "../strategies/duplicate-calls.ts";
export { type Pass, type Strategy, usePass } from "../strategies/strategy.ts";
export { createToolKinds, type ToolKinds } from "../tool-kinds/tool-kinds.ts";
export type { TodoItem, TodoStatus, ToolKind, ToolUse } from "../tool-kinds/tool-use.ts";
export type { CallPart, Leaf, Part, PartKey, PartKind, ResultPart, Role } from "../transcript/part.ts";
