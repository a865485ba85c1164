import { expect, test } from "vitest";
import {
  infoTool,
  pruneTool,
  recallTool,
  toAnthropicTool,
  toMcpTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from "../../src/index.ts";

const { name, description, parameters } = recallTool;

test.each([
  ["Anthropic", toAnthropicTool, { name, description, input_schema: parameters }],
  ["OpenAI's chat", toOpenAiChatTool, { type: "function", function: { name, description, parameters } }],
  [
    "OpenAI's responses",
    toOpenAiResponsesTool,
    { type: "function", name, description, parameters, strict: false },
  ],
  ["MCP", toMcpTool, { name, description, inputSchema: parameters }],
])("a tool in the form of %s, and nothing else", (_, toTool, expected) => {
  expect(toTool(recallTool)).toEqual(expected);
  // Other fields of a definition (such as an answer) are not sent.
  const more = { ...recallTool, answer: () => "" };
  expect(toTool(more)).toEqual(expected);
  for (const tool of [pruneTool, infoTool]) expect(JSON.stringify(toTool(tool))).toContain(tool.name);
});
