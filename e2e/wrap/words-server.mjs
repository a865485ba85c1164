// The smallest MCP server over standard input: two tools and some instructions.
import { createInterface } from "node:readline";

const TOOLS = [
  {
    name: "look_up",
    description: "Looks up a word in the dictionary, and gives its meaning.",
    inputSchema: {
      type: "object",
      properties: { word: { type: "string", description: "The word to look up." } },
      required: ["word"],
    },
  },
  {
    name: "list_words",
    description: "Lists the words of the dictionary.",
    inputSchema: { type: "object", properties: {} },
  },
];

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === "initialize"
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "words", version: "1" },
          instructions: "Use these tools for the meaning of words.",
        }
      : method === "tools/list"
        ? { tools: TOOLS }
        : {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
