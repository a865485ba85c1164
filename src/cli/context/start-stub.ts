import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { decodeBody } from "../../hosts/proxy/decode-body.ts";
import { findWire } from "../../wires/find-wire.ts";
import type { WireName } from "../../wires/wire.ts";
import { answerDone } from "./done-answer.ts";

/** A client's request to a model. */
export interface StubRequest {
  readonly wire: WireName;
  readonly body: string;
  readonly model: string | undefined;
  readonly hasTools: boolean;
}

export interface Stub {
  readonly url: string;
  /** The first request with tools. */
  readonly found: Promise<StubRequest>;
  /** All requests to a model, in order. */
  readonly requests: readonly StubRequest[];
  /** Hosts that the client tried to reach through this proxy. None was reached. */
  readonly refused: ReadonlySet<string>;
  close(): Promise<void>;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** A model on loopback that answers "done", and a proxy that refuses everything. */
export async function startStub(): Promise<Stub> {
  const requests: StubRequest[] = [];
  const refused = new Set<string>();
  const sockets = new Set<Socket>();
  let find: (request: StubRequest) => void = () => {};
  const found = new Promise<StubRequest>((resolve) => {
    find = resolve;
  });
  const note = (request: StubRequest): void => {
    requests.push(request);
    if (request.hasTools) find(request);
  };
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    if (path.startsWith("/")) void answer(incoming, outgoing, path, note).catch(() => outgoing.destroy());
    else {
      if (URL.canParse(path)) refused.add(new URL(path).host);
      outgoing.writeHead(403).end();
    }
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    // When a client is ended, it resets its connections.
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  });
  server.on("connect", ({ url = "" }: IncomingMessage, socket: Socket) => {
    refused.add(url.replace(/:443$/, ""));
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  // Codex falls back to HTTP at once.
  server.on("upgrade", (_: IncomingMessage, socket: Socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    found,
    requests,
    refused,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
  note: (request: StubRequest) => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const method = incoming.method ?? "GET";
  const wire = findWire(method, path);
  const encoding = incoming.headers["content-encoding"];
  const body = await decodeBody(Buffer.concat(chunks), encoding, MOST_BYTES);
  const request = body === undefined ? undefined : wire?.read(body, path);
  if (!wire || !request) {
    answerAside(method, path, outgoing);
    return;
  }
  const { model, hasTools, isStream } = request;
  const done = answerDone(wire.name, request.body, isStream);
  outgoing.writeHead(200, { "content-type": done.type }).end(done.body);
  if (wire.name !== "anthropic-count-tokens") note({ wire: wire.name, body: request.body, model, hasTools });
}

/** Answers other requests: health checks, lists of models, token counts. */
function answerAside(method: string, path: string, outgoing: ServerResponse): void {
  const [plain = ""] = path.split("?");
  const send = (status: number, value: unknown) =>
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (method === "HEAD") outgoing.writeHead(200).end();
  else if (plain.endsWith(":countTokens")) send(200, { totalTokens: 1 });
  else if (method === "GET" && plain.endsWith("/models")) send(200, { object: "list", data: [], models: [] });
  else send(404, {});
}
