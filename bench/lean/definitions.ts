import type { InventoryItem } from "../../src/prefix/inventory.ts";

/** A look at a client: which tools it defines with each request, and how large these definitions are. */
export interface Look {
  readonly client: string;
  /** The day of the look. */
  readonly date: string;
  /** The model that the client asked. */
  readonly model: string;
  /** What that model's provider bills for one of the tokens. */
  readonly billed: number;
  readonly items: readonly InventoryItem[];
  /** Tools that older versions of the client called otherwise: old name, new name. */
  readonly renamed: ReadonlyMap<string, string>;
}

export function defineTool(name: string, tokens: number): InventoryItem {
  return { group: "built-in tools", isTool: true, name, tokens };
}

/**
 * From `coppice context --json claude` in an empty folder and an empty home: `prefix.groups`, `billed` and `prefix.model`.
 * Recordings have no definitions, so these are today's sizes, whatever version a session was recorded with. Deferred tools
 * are not here: only their names are sent, and `--lean` leaves them alone.
 */
export const CLAUDE_CODE: Look = {
  client: "Claude Code 2.1.325",
  date: "2026-11-18",
  model: "claude-opus-5-5",
  billed: 1.7146,
  items: [
    defineTool("Workflow", 1_296),
    defineTool("Agent", 1_179),
    defineTool("ScheduleWakeup", 1_160),
    defineTool("Bash", 892),
    defineTool("ReportFindings", 493),
    defineTool("Read", 480),
    defineTool("Skill", 413),
    defineTool("ToolSearch", 342),
    defineTool("ListAgents", 261),
    defineTool("Edit", 229),
    defineTool("Write", 150),
  ],
  renamed: new Map([["Task", "Agent"]]),
};
