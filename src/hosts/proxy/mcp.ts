import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Conversations } from "../conversation/conversations.ts";
import { replyError } from "./reply.ts";
import type { Service } from "./service.ts";
import { takeBody } from "./take-body.ts";

/** In bytes. A replace contains passages of the context. */
const LARGEST_BODY = 4_000_000;

/** `/mcp`: the agent's tools for every client that accepts an MCP server by address. It keeps no sessions. */
export function mcp(conversations: Conversations): Service {
  let opened: Promise<McpHttpHandler> | undefined;
  const open = (): Promise<McpHttpHandler> => {
    // Loading takes a third of a second, which only users of it should wait for.
    opened ??= import("./mcp-handler.ts").then(({ openHandler }) => openHandler(conversations));
    return opened;
  };
  return {
    pages: [
      {
        methods: ["POST", "GET", "DELETE"],
        path: "/mcp",
        async handle(incoming, outgoing) {
          const body = await takeBody(incoming, LARGEST_BODY);
          if (body.kind === "stream")
            return replyError(outgoing, 413, "the body is too large for a tool call");
          const handler = await open();
          await answer(outgoing, (signal) => handler.fetch(toRequest(incoming, body.bytes, signal)));
        },
      },
    ],
    // An error on opening was reported when it happened.
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

function toRequest(
  { method = "GET", headers }: IncomingMessage,
  bytes: Buffer,
  signal: AbortSignal,
): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new Request("http://localhost/mcp", {
    method,
    headers: pairs,
    signal,
    ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
  });
}

async function answer(
  outgoing: ServerResponse,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await ask(gone.signal);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(response.body as never), outgoing);
  } catch (error) {
    // The client has disconnected, so nobody waits for the answer.
    if (!gone.signal.aborted) throw error;
  }
}
