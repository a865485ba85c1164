/** The usual names for the parts of a client's text before the first message. */
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

/** The name of a piece of a prefix. */
export interface PieceName {
  readonly group: PrefixGroup;
  /** A heading, a file, a tool, a skill, an agent. */
  readonly name: string;
  /** The MCP server that it belongs to. */
  readonly server?: string;
  /** The tool whose description contains it: Codex describes most of its tools inside `exec`. */
  readonly within?: string;
  /** It is a tool that can be called. */
  readonly isTool?: true;
  /** Its definition is sent, but the provider shows it to the model only after the model has searched for it. */
  readonly isHidden?: true;
}

/** A piece with its text. The pieces of a request contain all of its text except the prompt, each line once. */
export interface PrefixPiece extends PieceName {
  readonly text: string;
}
