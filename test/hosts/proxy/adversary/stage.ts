import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach } from "vitest";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../../../src/stores/memory-store.ts";
import type { Store } from "../../../../src/stores/store.ts";
import { type Respond, respondWithEvents, startUpstream, type Upstream } from "../upstream.ts";

/** Cuts repeated text at once, so that a pruned request differs from an unpruned one. */
export const EAGER = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 500, pruneMinimum: 500 },
} as const;

export interface Stage {
  readonly upstream: Upstream;
  readonly proxy: RunningProxy;
  readonly store: Store;
  /** The reports to the person. */
  readonly complaints: readonly string[];
}

const open: { close(): Promise<void> }[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A proxy before one upstream, which stands for every provider. Closed after the test. */
export async function setStage(
  respond: Respond = respondWithEvents,
  options: Partial<ProxyOptions> = {},
): Promise<Stage> {
  const upstream = await startUpstream(respond);
  open.push(upstream);
  const complaints: string[] = [];
  const store = options.store ?? memoryStore();
  const { url } = upstream;
  const proxy = await startProxy({
    settings: EAGER,
    upstreams: { anthropic: url, openai: url, gemini: url, chatgpt: url },
    onIssue: (_, text) => complaints.push(text),
    ...options,
    store,
  });
  open.push(proxy);
  return { upstream, proxy, store, complaints };
}

/** To be closed after the test, before everything that was opened earlier. */
export function closeLater(what: { close(): Promise<void> }): void {
  open.push(what);
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Sends bytes unchanged, and returns everything received until the other end closes. */
export async function sendRaw(port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = await openSocket(port);
  for (const piece of pieces) socket.write(piece);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(chunk as Buffer);
  } catch (error) {
    // Bytes received before a reset count.
    if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
  }
  return Buffer.concat(chunks).toString("latin1");
}

/** A request to a model in one piece of text; the connection ends with it. */
export function postText(path: string, headers: readonly string[], body: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
