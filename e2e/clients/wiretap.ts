import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A client's request and its answer, byte for byte. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly status: number;
  /** The received data so far. */
  answer(): Buffer;
  /** Was all of it read? Some clients disconnect when they have read enough. */
  hasEnded(): boolean;
}

export interface Wiretap {
  readonly url: string;
  /** Those that were answered, in the order of their answers. */
  readonly exchanges: readonly Exchange[];
  /** The first line of the answer to each client that requested a WebSocket. */
  readonly upgrades: readonly string[];
  close(): Promise<void>;
}

/**
 * Sits between a client and its server, changes nothing and records everything. `to` is called for each request,
 * and may wait.
 */
export async function startWiretap(to: () => Promise<string>): Promise<Wiretap> {
  const exchanges: Exchange[] = [];
  const upgrades: string[] = [];
  const server = createServer({ keepAliveTimeout: 600_000 }, async (incoming, outgoing) => {
    try {
      const { method = "", url: path = "", rawHeaders } = incoming;
      const bytes = await readAll(incoming);
      const asked = request(await to(), { method, path, headers: rawHeaders as never });
      outgoing.on("close", () => asked.destroy());
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        asked.on("response", resolve).on("error", reject).end(bytes);
      });
      outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders as never);
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      exchanges.push({
        ...{ method, path, rawHeaders, bytes, status: response.statusCode ?? 0 },
        answer: () => Buffer.concat(chunks),
        hasEnded: () => response.complete,
      });
      response.on("error", () => outgoing.destroy());
      response.pipe(outgoing);
    } catch {
      outgoing.destroy();
    }
  });
  server.on("upgrade", async ({ method, url, rawHeaders }: IncomingMessage, near: Socket, head: Buffer) => {
    near.on("error", () => near.destroy());
    const { hostname, port } = new URL(await to());
    const far = connect(Number(port), hostname);
    far.on("error", () => near.destroy());
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    far.write(`${lines.join("\r\n")}\r\n\r\n`);
    far.write(head);
    far.once("data", (chunk: Buffer) => upgrades.push(chunk.toString().split("\r\n", 1)[0] ?? ""));
    far.pipe(near).pipe(far);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ exchanges, upgrades },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
