import type { Config } from "../config/config.ts";

export type PruneAction = "discard" | "distill" | "replace" | "restore";

/** The permissions of the agent over its context. */
export interface AgentSettings {
  /** Empty: the agent has no `context_prune`. */
  readonly actions: readonly PruneAction[];
  readonly recall: boolean;
  /** Do assistant texts have refs? Does reasoning? */
  readonly messages: boolean;
  readonly reasoning: boolean;
  /** Are the refs of a step's text and reasoning shown on its last result? */
  readonly visibleHashes: boolean;
}

export function readAgentSettings({ tools }: Config): AgentSettings {
  const { settings } = tools;
  const cutting = (["discard", "distill", "replace"] as const).filter((action) => tools[action].enabled);
  return {
    actions: cutting.length > 0 ? [...cutting, "restore"] : [],
    recall: tools.recall.enabled,
    messages: settings.enableAssistantMessagePruning,
    reasoning: settings.enableReasoningPruning,
    visibleHashes: settings.enableVisibleAssistantHashes,
  };
}
