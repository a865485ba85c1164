import { request as httpRequest } from "node:http";
import { afterEach } from "vitest";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { type Respond, respondWithEvents, startUpstream, type Upstream } from "./upstream.ts";

/** Cuts stale text at once. */
export const EAGER = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 500, pruneMinimum: 500 },
} as const;

export interface Stage {
  readonly upstream: Upstream;
  readonly proxy: RunningProxy;
  /** The proxy's reports. */
  readonly complaints: readonly string[];
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A proxy before a provider on loopback; both end with the test. */
export async function setStage(
  respond: Respond = respondWithEvents,
  options: Partial<ProxyOptions> = {},
): Promise<Stage> {
  const complaints: string[] = [];
  const upstream = await startUpstream(respond);
  const { url } = upstream;
  const proxy = await startProxy({
    store: memoryStore(),
    settings: EAGER,
    upstreams: { anthropic: url, openai: url, gemini: url, chatgpt: url },
    onIssue: (_, text) => complaints.push(text),
    ...options,
  });
  open.push(upstream, proxy);
  return { upstream, proxy, complaints };
}

export interface Answered {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A client that sends just these headers, in this order. */
export function post(url: string, headers: readonly string[], body: string | Buffer): Promise<Answered> {
  const length = String(Buffer.byteLength(body));
  const sent = ["host", new URL(url).host, ...headers, "content-length", length];
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { method: "POST", headers: sent as never }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
