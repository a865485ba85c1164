import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CachedPrefixes } from "./cached-prefixes.ts";
import { DIALECTS, type Dialect, type DialectName } from "./dialects.ts";
import { findRefusal } from "./refusals.ts";

/** One call that the scripted model makes. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What the scripted model says. */
export interface Reply {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly ScriptedCall[];
  /** An HTTP error instead of an answer. */
  readonly fail?: { readonly status: number; readonly message: string };
}

/** A request as it came. */
export interface Received {
  readonly dialect: DialectName;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly body: Record<string, unknown>;
  /** The messages of the body. */
  readonly messages: readonly unknown[];
}

/** Input tokens as a provider counts them. */
export interface Counted {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface Provider {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** Every request in the order of arrival. */
  readonly received: readonly Received[];
  /** Why requests were refused: what a real provider would answer 400 to. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

/** Decides what the model says to a request. */
export type Script = (request: Received) => Reply | Promise<Reply>;

/**
 * A provider on loopback that speaks every wire, streaming or not, refuses what providers refuse, and bills a prompt cache.
 */
export async function startProvider(script: Script): Promise<Provider> {
  const received: Received[] = [];
  const refused: string[] = [];
  const cache = new CachedPrefixes();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? "";
    const raw = await readAll(incoming);
    const dialect = DIALECTS.find(({ paths }) => paths.test(path.split("?")[0] ?? ""));
    if (incoming.method !== "POST" || !dialect) {
      outgoing.writeHead(404).end("{}");
      return;
    }
    const body = JSON.parse(raw) as Record<string, unknown>;
    const messages = dialect.messagesOf(body);
    const request: Received = { dialect: dialect.name, path, headers: incoming.headers, raw, body, messages };
    received.push(request);
    const refusal = findRefusal(request);
    if (refusal !== undefined) {
      refused.push(refusal);
      return send(outgoing, dialect, 400, dialect.error(400, refusal));
    }
    const reply = await script(request);
    if (reply.fail)
      return send(outgoing, dialect, reply.fail.status, dialect.error(reply.fail.status, reply.fail.message));
    const usage = { ...cache.count(request), output: 20 };
    const isStream = body.stream === true || path.includes("stream");
    const answered = { reply, usage, model: String(body.model ?? "m"), serial: received.length };
    if (!isStream) return send(outgoing, dialect, 200, dialect.whole(answered));
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of dialect.events(answered)) {
      outgoing.write(event);
      // Each event in a chunk of its own, as it comes from a real one.
      await new Promise((resolve) => setImmediate(resolve));
    }
    outgoing.end();
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      refused.push(`the script failed: ${String(error)}`);
      if (!outgoing.headersSent) outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    refused,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function send(outgoing: ServerResponse, _: Dialect, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
