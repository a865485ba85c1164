import type { ToolDefinition } from "../../agent/tool-definitions.ts";
import { isRecord } from "../../basics/json.ts";
import type { Conversations } from "../conversation/conversations.ts";

/** One of our tools with the shape of the SDK's `FunctionTool`. */
export interface AgentsSdkTool {
  type: "function";
  name: string;
  description: string;
  parameters: {
    type: "object";
    properties: Record<string, Record<string, unknown>>;
    required: string[];
    additionalProperties: false;
  };
  strict: false;
  invoke(context: unknown, input: string, details?: { toolCall?: { callId: string } }): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** A call's id tells which conversation it was made in. */
export function makeTools(conversations: Conversations): readonly AgentsSdkTool[] {
  return conversations.tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters: toSchema(parameters),
    // Some of our arguments are optional.
    strict: false,
    invoke: async (_, input, details) => {
      const callId = details?.toolCall?.callId;
      return conversations.answer(name, parseInput(input), callId === undefined ? {} : { callId });
    },
    needsApproval: async () => false,
    isEnabled: async () => true,
  }));
}

function toSchema({ properties, required }: ToolDefinition["parameters"]): AgentsSdkTool["parameters"] {
  const fields = Object.entries(properties).map(([key, value]) => [key, isRecord(value) ? value : {}]);
  return {
    type: "object",
    properties: Object.fromEntries(fields),
    required: [...required],
    additionalProperties: false,
  };
}

/** The tool rejects invalid JSON with an explanation. */
function parseInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
