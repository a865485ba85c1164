import type { Conversations } from "../conversation/conversations.ts";

/** A schema as https://standardschema.dev has it, with its JSON schema. */
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

/** A tool as the AI SDK takes it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly execute: (input: unknown, call: { readonly toolCallId: string }) => string;
}

/**
 * What is turned off by the configuration is not there: they are meant to be spread into an agent's tools. No interface, since
 * the SDK takes only what may have any name.
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

/** Takes every input: what is wrong with one is told in the tool's answer, where the agent reads it. */
export function toToolSchema(parameters: object): ToolSchema {
  // The SDK writes into what it is given.
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
