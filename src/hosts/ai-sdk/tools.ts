import type { Conversations } from "../conversation/conversations.ts";

/** A schema with its JSON schema, as in https://standardschema.dev. */
export interface ToolSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "coppice";
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** A tool as the AI SDK expects it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly execute: (input: unknown, call: { readonly toolCallId: string }) => string;
}

/**
 * Leaves out tools that the configuration turns off. Meant to be spread into an agent's tools. A type and not an
 * interface, because the SDK accepts only types with an index signature.
 */
export type ContextTools = {
  readonly context_prune: AiSdkTool;
  readonly context_recall: AiSdkTool;
  readonly context_info: AiSdkTool;
};

export function makeContextTools(conversations: Conversations): ContextTools {
  const tools = conversations.tools.map(({ name, description, parameters }) => [
    name,
    {
      description,
      inputSchema: toToolSchema(parameters),
      execute: (input, { toolCallId }) => conversations.answer(name, input, { callId: toolCallId }),
    } satisfies AiSdkTool,
  ]);
  return Object.fromEntries(tools);
}

/** Accepts every input: the tool's answer explains mistakes, where the agent reads it. */
export function toToolSchema(parameters: object): ToolSchema {
  // The SDK modifies the schema that it gets.
  const copy = () => structuredClone(parameters) as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "coppice",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
