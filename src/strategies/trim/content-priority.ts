/** How important content is if not everything fits. The lowest is removed first. */
export const ContentPriority = {
  /** System and developer messages. Never removed. */
  SYSTEM: 100,
  /** AGENTS.md, CLAUDE.md and similar files, wherever a host put them. Never removed. */
  AGENT_INSTRUCTIONS: 90,
  /** The newest user message that opened the current work. Never removed. */
  CURRENT_TASK: 80,
  /** Results about files changed in this session. If nothing lower is left, they become placeholders. */
  MODIFIED_FILES: 70,
  /** Text and other results of the last steps. */
  RECENT_TURNS: 60,
  RECENT_FILE_READS: 50,
  /** Older conversation. */
  OLD_HISTORY: 40,
  /** Older results; file reads last among them. */
  STALE_TOOL_OUTPUTS: 30,
  /** Summaries, placeholders and compactions. */
  SUMMARIZED: 20,
} as const;

export type ContentPriority = (typeof ContentPriority)[keyof typeof ContentPriority];
