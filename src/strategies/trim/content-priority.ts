/** What is worth how much when not everything fits. The lowest goes first. */
export const ContentPriority = {
  /** System and developer messages. Never removed. */
  SYSTEM: 100,
  /** AGENTS.md, CLAUDE.md and the like, wherever a host put them. Never removed. */
  AGENT_INSTRUCTIONS: 90,
  /** The newest user message that opened the current work. Never removed. */
  CURRENT_TASK: 80,
  /** Results about files changed in this session: they leave a placeholder, when nothing lower is left. */
  MODIFIED_FILES: 70,
  /** Text and other results of the last steps. */
  RECENT_TURNS: 60,
  RECENT_FILE_READS: 50,
  /** Older conversation. */
  OLD_HISTORY: 40,
  /** Older results; file reads last among them. */
  STALE_TOOL_OUTPUTS: 30,
  /** What is a summary, a placeholder or a compaction already. */
  SUMMARIZED: 20,
} as const;

export type ContentPriority = (typeof ContentPriority)[keyof typeof ContentPriority];
