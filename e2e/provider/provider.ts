import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { CachedPrefixes } from "./cached-prefixes.ts";
import { decodeBody } from "./decode-body.ts";
import { type Answered, DIALECTS, type DialectName } from "./dialects.ts";
import { findRefusal } from "./refusals.ts";
import { answerSideQuestion } from "./side-questions.ts";
import { Signatures } from "./signatures.ts";

/** One call that the scripted model makes. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** Of a custom tool (OpenAI's): a text. */
  readonly input: unknown;
  /** Responses: the owner of the tool. */
  readonly namespace?: string;
}

/** The scripted model's answer. */
export interface Reply {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Responses: the compacted history; only the provider can read it. */
  readonly compaction?: string;
  /** An HTTP error instead of an answer. */
  readonly fail?: {
    readonly status: number;
    readonly message: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** The connection is reset after this many events. */
  readonly cutAfter?: number;
  /** Milliseconds before each event, and before the reset. */
  readonly pause?: number;
}

/** A request, unchanged. */
export interface Received {
  readonly dialect: DialectName;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The body's original bytes, compressed or not. */
  readonly bytes: Buffer;
  readonly raw: string;
  readonly body: Record<string, unknown>;
  /** The messages of the body. */
  readonly messages: readonly unknown[];
  /** The written bytes of the answer's body. */
  answer(): Buffer;
}

/** Any received request: for a model's answer, another path, a WebSocket. */
export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly isUpgrade: boolean;
}

/** Input tokens as a provider counts them. */
export interface Counted {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface Billed extends Counted {
  readonly model: string;
}

export interface Provider {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** Every request for an answer, in the order of arrival. */
  readonly received: readonly Received[];
  /** Every request at all. */
  readonly requests: readonly ProviderRequest[];
  /** Why requests were refused: the errors that a real provider would answer with 400. */
  readonly refused: readonly string[];
  /** The cost of every answer, in tokens, in the order of the requests. */
  readonly billed: readonly Billed[];
  close(): Promise<void>;
}

/** Decides the model's answer to a request. */
export type Script = (request: Received) => Reply | Promise<Reply>;

/**
 * A provider on loopback that speaks every wire, streaming or not, refuses invalid requests like real ones, and
 * bills a prompt cache. Its cache entries age by `clock`.
 */
export async function startProvider(script: Script, clock: () => number = Date.now): Promise<Provider> {
  const received: Received[] = [];
  const requests: ProviderRequest[] = [];
  const refused: string[] = [];
  const billed: Billed[] = [];
  const cache = new CachedPrefixes(clock);
  const signatures = new Signatures();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = incoming;
    requests.push({ method, path, headers, isUpgrade: false });
    const bytes = await readAll(incoming);
    const dialect = DIALECTS.find(({ paths }) => paths.test(path.split("?")[0] ?? ""));
    if (method !== "POST" || !dialect) return answerSideQuestion({ method, path, bytes }, outgoing);
    const raw = decodeBody(bytes, headers["content-encoding"]);
    const body = JSON.parse(raw) as Record<string, unknown>;
    const messages = dialect.messagesOf(body);
    const written: Buffer[] = [];
    const request: Received = {
      ...{ dialect: dialect.name, path, headers, bytes, raw, body, messages },
      answer: () => Buffer.concat(written),
    };
    received.push(request);
    const serial = received.length;
    const refusal = findRefusal(request) ?? signatures.findProblem(request);
    if (refusal !== undefined) {
      refused.push(refusal);
      return send(outgoing, 400, dialect.error(400, refusal), written);
    }
    const reply = await script(request);
    if (reply.fail) {
      const { status, message, headers: more } = reply.fail;
      return send(outgoing, status, dialect.error(status, message), written, more);
    }
    const usage = { ...cache.count(request), output: 20 };
    const model = modelOf(request);
    billed.push({ ...usage, model });
    const answered: Answered = {
      ...{ reply, usage, model, serial },
      signature: signatures.sign(request, reply, serial),
      ...(reply.thinking !== undefined && { thinking: shownThinking(request, reply.thinking) }),
    };
    const isStream = body.stream === true || path.includes("stream");
    if (!isStream) return send(outgoing, 200, dialect.whole(answered), written);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    await stream(outgoing, dialect.events(answered), reply, written);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      refused.push(`the script failed: ${String(error)}`);
      if (!outgoing.headersSent) outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  server.on("upgrade", ({ method = "", url: path = "", headers }: IncomingMessage, socket: Socket) => {
    requests.push({ method, path, headers, isUpgrade: true });
    socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ received, requests, refused, billed },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Each event in its own chunk, as from a real one. */
async function stream(
  outgoing: ServerResponse,
  events: Iterable<string>,
  { cutAfter = Number.POSITIVE_INFINITY, pause = 0 }: Reply,
  written: Buffer[],
): Promise<void> {
  let sent = 0;
  for (const event of events) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (outgoing.destroyed) return;
    if (sent++ >= cutAfter) {
      outgoing.socket?.resetAndDestroy();
      return;
    }
    const bytes = Buffer.from(event);
    written.push(bytes);
    outgoing.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  outgoing.end();
}

function send(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  written: Buffer[],
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  written.push(bytes);
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(bytes);
}

/** Anthropic sends only the signature if the client wants no more. */
function shownThinking({ body }: Received, thinking: string): string {
  const asked = body.thinking as { readonly display?: string } | undefined;
  return asked?.display === "omitted" ? "" : thinking;
}

/** Gemini has it in the path. */
function modelOf({ body, path }: Received): string {
  return String(body.model ?? /\/models\/([^:/]+):/.exec(path)?.[1] ?? "m");
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
