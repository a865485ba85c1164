import type { AgentSettings, PruneAction } from "./agent-settings.ts";
import { MINIMUM_MATCH, MINIMUM_PATTERN } from "./prune-input.ts";

/** A tool to register with a host; the parameters are plain JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required: readonly string[];
  };
}

const ACTION_LINES: Readonly<Record<PruneAction, string>> = {
  discard: "discard [ref]: a short placeholder stays.",
  distill: "distill [ref, summary]: your summary stays; write what you learned.",
  replace: `replace [start, end, replacement]: the literal text from start through end, both included, becomes the replacement. It must match once and have at least ${MINIMUM_MATCH} characters in all; start or end must be longer than ${MINIMUM_PATTERN}; the replacement must be shorter. The original stays in the history: this hides no secret.`,
  restore: "restore [ref]: takes back your own cut.",
};

/** Targets are lists of strings, not tuples or alternatives: several providers reject every request with those. */
function makePruneTool(actions: readonly PruneAction[]): ToolDefinition {
  return {
    name: "context_prune",
    description: [
      "Free context by cutting what you no longer need. A ref is the six hex digits of a <tool_hash>, <message_hash> or <reasoning_hash> tag, or one listed by context_info. Name many targets in one call.",
      ...actions.map((action) => ACTION_LINES[action]),
      "Never cut what you still work with: open todos, files being edited, the user's requirements.",
    ].join("\n"),
    parameters: {
      type: "object",
      properties: {
        action: { type: "string", enum: actions },
        targets: {
          type: "array",
          description: "Each target is a list of 1 to 3 strings, as the action wants.",
          items: { type: "array", items: { type: "string" } },
        },
      },
      required: ["action", "targets"],
    },
  };
}

export const pruneTool: ToolDefinition = makePruneTool(["discard", "distill", "replace", "restore"]);

export const recallTool: ToolDefinition = {
  name: "context_recall",
  description:
    "Read again what was cut from the context, by the ref in its placeholder. Ask for the lines you need, or search, before asking for all of it.",
  parameters: {
    type: "object",
    properties: {
      ref: { type: "string", description: "Six hex digits." },
      lines: { type: "string", description: 'A range of lines: "10-40".' },
      search: { type: "string", description: "Only lines with this text, and those around them." },
    },
    required: ["ref"],
  },
};

export const infoTool: ToolDefinition = {
  name: "context_info",
  description:
    "Shows how full the context is, what takes the room, what can be cut (with refs), and what to do about it.",
  parameters: { type: "object", properties: {}, required: [] },
};

/** The tools that an agent gets under these settings. */
export function listAgentTools({ actions, recall }: AgentSettings): readonly ToolDefinition[] {
  return [...(actions.length > 0 ? [makePruneTool(actions)] : []), ...(recall ? [recallTool] : []), infoTool];
}
