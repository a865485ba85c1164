import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived at the provider, byte for byte. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface Upstream {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

export type Respond = (request: Arrived, outgoing: ServerResponse) => void | Promise<void>;

/** A provider on loopback that records requests and answers as configured. */
export async function startUpstream(respond: Respond): Promise<Upstream> {
  const arrived: Arrived[] = [];
  const server = createServer({ maxHeaderSize: 131_072 }, async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const request: Arrived = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(chunks),
      };
      arrived.push(request);
      await respond(request, outgoing);
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Anthropic's answer with one call, as events, each in its own chunk. */
export const EVENTS: readonly string[] = [
  { type: "message_start", message: { model: "claude-sonnet-4-5", usage: { input_tokens: 7 } } },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "t99", name: "read_file" },
  },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

export async function respondWithEvents(_: Arrived, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "r1" });
  for (const event of EVENTS) {
    outgoing.write(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
  outgoing.end();
}
