/** What people call the parts of what a client sends before the first message. */
export const PREFIX_GROUPS = [
  "system prompt",
  "memory files",
  "skills",
  "agents",
  "MCP servers",
  "built-in tools",
  "reminders",
  "deferred tools",
] as const;

export type PrefixGroup = (typeof PREFIX_GROUPS)[number];

/** What a piece of a prefix is called. */
export interface PieceName {
  readonly group: PrefixGroup;
  /** A heading, a file, a tool, a skill, an agent. */
  readonly name: string;
  /** The MCP server that it belongs to. */
  readonly server?: string;
  /** The tool whose description holds it: Codex describes most of its tools inside `exec`. */
  readonly within?: string;
  /** It is a tool that can be called. */
  readonly isTool?: true;
  /** Its definition is sent, but the provider only shows it to the model once the model has searched for it. */
  readonly isHidden?: true;
}

/** A piece with its text. The pieces of a request are all of its text, each line once, but for the prompt. */
export interface PrefixPiece extends PieceName {
  readonly text: string;
}
