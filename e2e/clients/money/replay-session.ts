import { type IncomingMessage, request } from "node:http";
import { startProxy } from "../../../src/hosts/proxy/proxy.ts";
import { type RunSums, runSums } from "../../../src/hosts/proxy/run-sums.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { type Provider, startProvider } from "../../provider/provider.ts";
import { priceBill } from "./price-bill.ts";
import type { RecordedRequest } from "./record-session.ts";
import type { Pace } from "./scenarios.ts";

/** The cost of the same requests directly with the provider and through a proxy. */
export interface Replayed {
  readonly straight: Bill;
  readonly through: Bill;
  /** The proxy's figure. */
  readonly sums: RunSums;
  /** The reports to the person. */
  readonly complaints: readonly string[];
}

export interface Bill {
  /** In USD, after each request. */
  readonly after: readonly number[];
  readonly refused: readonly string[];
}

export async function replaySession(recorded: readonly RecordedRequest[], pace: Pace): Promise<Replayed> {
  const straight = await replay(recorded, pace, async (provider) => ({ url: provider.url, close() {} }));
  const sums = runSums();
  const complaints: string[] = [];
  const through = await replay(recorded, pace, ({ url }, clock) =>
    startProxy({
      ...{ store: memoryStore(), services: [sums.service], clock },
      upstreams: { anthropic: url, openai: url, gemini: url },
      onIssue: (_, text) => complaints.push(text),
    }),
  );
  return { straight, through, sums: sums.read(), complaints };
}

type Open = (
  provider: Provider,
  clock: () => number,
) => Promise<{ readonly url: string; close(): Promise<void> | void }>;

async function replay(recorded: readonly RecordedRequest[], pace: Pace, open: Open): Promise<Bill> {
  let now = Date.UTC(2026, 10, 18);
  const clock = () => now;
  const replies = recorded.values();
  const provider = await startProvider(() => replies.next().value?.reply ?? {}, clock);
  const front = await open(provider, clock);
  for (const [index, each] of recorded.entries()) {
    now += pace.gap(index, recorded.length);
    await send(front.url, each);
  }
  await front.close();
  await provider.close();
  return { after: priceBill(provider.billed), refused: provider.refused };
}

/** About one connection: the client's transport is not replayed. */
const HOP_BY_HOP = ["host", "connection", "content-length", "transfer-encoding"];

async function send(url: string, { path, headers, bytes }: RecordedRequest): Promise<void> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: "POST", path, headers: Object.fromEntries(kept) as Record<string, string> })
      .on("response", resolve)
      .on("error", reject)
      .end(bytes);
  });
  for await (const _ of answer);
}
