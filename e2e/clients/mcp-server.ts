import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string; readonly _meta?: object };
}

export interface McpServer {
  readonly url: string;
  /** The received messages, except notifications. */
  readonly requests: readonly Message[];
  close(): Promise<void>;
}

/** The smallest MCP server that clients accept: a tool `context_info`, which answers with `text`. */
export async function startMcpServer(text: string): Promise<McpServer> {
  const requests: Message[] = [];

  function answer({ method, params }: Message): object {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "coppice", version: "0" },
        };
      case "tools/list":
        return { tools: [TOOL] };
      case "tools/call":
        return { content: [{ type: "text", text }] };
      default:
        return {};
    }
  }

  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const message = JSON.parse(body) as Message;
    if (message.id === undefined) return void outgoing.writeHead(202).end();
    requests.push(message);
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const TOOL = {
  name: "context_info",
  description: "What is in the context.",
  inputSchema: { type: "object", properties: { about: { type: "string" } } },
  annotations: { readOnlyHint: true },
  _meta: { "anthropic/alwaysLoad": true },
};
