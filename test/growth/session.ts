import type { PrunerOptions } from "../../src/index.ts";
import { type Conversation, textOf } from "../conversation.ts";

/**
 * Everything that Coppice does, as soon as it can: every pass runs within a few steps. No window fills up on the
 * way, because the work then would look like growth.
 */
export const EAGER: PrunerOptions = {
  agentTools: true,
  directory: "/work",
  config: {
    window: 1_000_000_000,
    schedule: { mode: "eager" },
    strategies: {
      aggressivePruning: { preset: "compact" },
      pruneProtect: 0,
      pruneMinimum: 0,
      spent: { views: 2 },
      purgeErrors: { turns: 2 },
    },
  },
};

/** The default, under a window that is full: the whole ladder. */
export const PRESSED: PrunerOptions = { agentTools: true, directory: "/work", config: { window: 16_000 } };

/** Steps and another turn, so that the text before them is old. */
export function age(conversation: Conversation, steps = 8): Conversation {
  for (let i = 0; i < steps; i++) {
    if (i === steps / 2) conversation.say("And now the next one.");
    conversation.call("read", { filePath: `src/other-${i}.ts` }, textOf(60, i));
  }
  return conversation;
}
