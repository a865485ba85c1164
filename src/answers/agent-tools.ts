import type { AgentSettings } from "../agent/agent-settings.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { SYSTEM_TEXT } from "../agent/system-text.ts";
import { listAgentTools, type ToolDefinition } from "../agent/tool-definitions.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import { answerInfo } from "./answer-info.ts";
import { answerPrune } from "./answer-prune.ts";
import { answerRecall } from "./answer-recall.ts";

/** One of our tools, with the function that answers it. */
export interface AgentTool extends ToolDefinition {
  readonly answer: (input: unknown, view: AgentView) => string;
}

const ANSWERS: Readonly<Record<string, AgentTool["answer"]>> = {
  context_prune: answerPrune,
  context_recall: answerRecall,
  context_info: answerInfo,
};

/** The tools that an agent gets under these settings. */
export function makeAgentTools(settings: AgentSettings): readonly AgentTool[] {
  return listAgentTools(settings).flatMap((tool) => {
    const answer = ANSWERS[tool.name];
    return answer ? [{ ...tool, answer }] : [];
  });
}

/** Tokens that these tools and our system text add to every request. */
export function measureOverhead(tools: readonly AgentTool[]): number {
  // JSON leaves out the functions.
  return estimateTokens(`${SYSTEM_TEXT}\n${JSON.stringify(tools)}`);
}
