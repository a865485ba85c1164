import { isRecord } from "../../basics/json.ts";
import { type ToolSchema, toToolSchema } from "../ai-sdk/tools.ts";
import type { Conversations } from "../conversation/conversations.ts";

/** A tool as Mastra expects it. */
export interface MastraTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly execute: (input: unknown, call: { readonly toolCallId?: string | undefined }) => Promise<string>;
}

/** Leaves out tools that the configuration turns off. Meant to be spread into an agent's tools. */
export type MastraTools = {
  readonly context_prune: MastraTool;
  readonly context_recall: MastraTool;
  readonly context_info: MastraTool;
};

export function makeMastraTools(conversations: Conversations): MastraTools {
  const tools = conversations.tools.map(({ name, description, parameters }) => [
    name,
    {
      id: name,
      description,
      inputSchema: toToolSchema(parameters),
      execute: async (input, { toolCallId }) =>
        conversations.answer(name, input, toolCallId === undefined ? {} : { callId: toolCallId }),
    } satisfies MastraTool,
  ]);
  return Object.fromEntries(tools);
}

/** The tools of a step as the AI SDK would list them for the model. */
export function listStepTools(
  tools: Readonly<Record<string, unknown>>,
  active: readonly string[] | undefined,
): readonly unknown[] {
  return Object.entries(tools).flatMap(([name, tool]) => {
    if (!isRecord(tool) || active?.includes(name) === false) return [];
    const { description, parameters, providerOptions } = tool;
    return [
      { name, description, inputSchema: isRecord(parameters) && parameters.jsonSchema, providerOptions },
    ];
  });
}
