import { PROTECTED_FILES, PROTECTED_TOOLS } from "../protection/defaults.ts";
import type { Config } from "./config.ts";
import { passDefaults } from "./pass-settings.ts";

export const DEFAULT_CONFIG: Config = {
  enabled: true,
  debug: false,
  pruneNotification: "minimal",
  commands: { enabled: true, protectedTools: [] },
  protectedFilePatterns: PROTECTED_FILES,
  unprotect: [],
  tools: {
    settings: {
      protectedTools: PROTECTED_TOOLS,
      protectedCommands: [],
      enableAssistantMessagePruning: true,
      enableReasoningPruning: true,
      enableVisibleAssistantHashes: true,
    },
    discard: { enabled: true },
    distill: { enabled: true, showDistillation: false },
    replace: { enabled: true },
    recall: { enabled: true },
    todoReminder: { enabled: true, initialTurns: 5, repeatTurns: 4, stuckTaskTurns: 12 },
    automataMode: { enabled: true, initialTurns: 8 },
  },
  strategies: {
    ...passDefaults("strategies"),
    purgeErrors: { enabled: false, ...passDefaults("strategies.purgeErrors") },
    aggressivePruning: { preset: "balanced" },
    intelligentPruning: true,
    spent: { enabled: true, ...passDefaults("strategies.spent") },
    pruneProtect: 40_000,
    compactThreshold: 0.75,
    shake: { protectTokens: 16_000, minSavings: 4_000, fenceMinTokens: 400, protectedTools: ["skill"] },
    trim: { strategy: "priority-based", preserveRecentTurns: 5, maxAge: 5, reservedOutputTokens: 4_096 },
  },
  summaries: [],
  toolKinds: [],
  textProtocols: [],
  window: null,
  shadow: false,
  statistics: { store: true },
  keepBytes: 64_000_000,
  prefix: { dropTools: [] },
  schedule: {
    ...passDefaults("schedule"),
    mode: "rent-or-buy",
    model: null,
    prices: {},
    requestedLimit: 20_000,
    dropReasoning: false,
    ownMark: true,
  },
};

/** Lists that every level adds to, by dotted key. `unprotect` removes names from them. */
export const PROTECTED_LISTS: readonly string[] = [
  "tools.settings.protectedTools",
  "tools.settings.protectedCommands",
  "commands.protectedTools",
  "protectedFilePatterns",
  "strategies.shake.protectedTools",
];
