import type { ToolDefinition } from "./tool-definitions.ts";

/** A tool in the form that Anthropic's Messages API expects. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ToolDefinition["parameters"];
}

/** A tool in the form that OpenAI's Chat Completions expect. */
export interface OpenAiChatTool {
  readonly type: "function";
  readonly function: ToolDefinition;
}

/** A tool in the form that OpenAI's Responses API expects. Not strict: some of our arguments are optional. */
export interface OpenAiResponsesTool extends ToolDefinition {
  readonly type: "function";
  readonly strict: false;
}

/** A tool in the form in which an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolDefinition["parameters"];
}

export function toAnthropicTool({ name, description, parameters }: ToolDefinition): AnthropicTool {
  return { name, description, input_schema: parameters };
}

export function toOpenAiChatTool({ name, description, parameters }: ToolDefinition): OpenAiChatTool {
  return { type: "function", function: { name, description, parameters } };
}

export function toOpenAiResponsesTool({
  name,
  description,
  parameters,
}: ToolDefinition): OpenAiResponsesTool {
  return { type: "function", name, description, parameters, strict: false };
}

export function toMcpTool({ name, description, parameters }: ToolDefinition): McpTool {
  return { name, description, inputSchema: parameters };
}
