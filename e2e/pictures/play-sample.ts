import { pathToFileURL } from "node:url";
import { type RunningProxy, startProxy } from "../../src/hosts/proxy/proxy.ts";
import { readRecording } from "../../src/recordings/index.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { PlayedSession } from "../dashboard/play-session.ts";
import { startProvider } from "../provider/provider.ts";

export interface PlayedProxy {
  readonly url: string;
  /** Of the sample. */
  readonly session: string;
  /** The end of all replays, in milliseconds since 1970. */
  readonly time: number;
  close(): Promise<void>;
}

/**
 * A proxy through which the sample session was sent at its recorded times, with two made-up sessions and totals of
 * older ones.
 */
export async function playSample(sample: string, pages: string): Promise<PlayedProxy> {
  const read = await readRecording(sample);
  if (!read.ok) throw new Error(read.issue.message);
  const { session = "sample", segments } = read.value;
  const [{ messages = [], meta = [] } = {}] = segments;
  let time = meta[0]?.time ?? 0;
  const clock = (): number => time;
  const provider = await startProvider(() => ({ text: "Fine." }), clock);
  const store = memoryStore();
  await fillStore(store, time);
  const upstreams = { anthropic: provider.url };
  const proxy: RunningProxy = await startProxy({
    store,
    clock,
    upstreams,
    pages: pathToFileURL(`${pages}/`),
  });
  const { url } = proxy;
  const main = new PlayedSession({ url, session, folder: "discount-service" });
  const codex = { session: "0199-codex", program: "codex_cli_rs/0.166", model: "claude-opus-4-5" };
  const others = [
    new PlayedSession({ url, folder: "engine", ...codex }),
    new PlayedSession({ url, folder: "website", session: "9b7d" }),
  ];
  for (const [i, message] of messages.entries()) {
    if ((message as { readonly role?: string }).role !== "assistant") continue;
    time = meta[i]?.time ?? time;
    await main.replay(messages.slice(0, i).map(toSent));
    if (i % 3 === 0)
      for (const other of others) await other.ask({ words: 500 + ((i * 7) % 23) * 60, files: 9 });
  }
  if (provider.refused.length > 0) throw new Error(provider.refused[0]);
  return { url, session, time, close: () => proxy.close().then(() => provider.close()) };
}

/**
 * As Claude Code sends it, with text in blocks. The scripted provider accepts only thinking that it has signed
 * itself.
 */
function toSent(message: unknown): unknown {
  const { content } = message as { readonly content: unknown };
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return { ...(message as object), content: blocks.filter(({ type }) => type !== "thinking") };
}

async function fillStore(store: Store, end: number): Promise<void> {
  for (let i = 0; i < 40; i++)
    await store.addRequest({
      session: `ses_${i % 8}`,
      time: end - (i % 8) * 40_000_000 - 90_000_000 + i * 1_000,
      client: i % 2 ? "opencode" : "pi",
      model: i % 2 ? "gpt-5.4" : "claude-opus-4-5",
      folder: ["garden", "ledger", "atlas"][i % 3] ?? "",
      tokensWith: 60_000,
      tokensWithout: 75_000,
      costWith: 0.05,
      costWithout: 0.06,
      cuts: i % 4 ? 0 : 1,
    });
}
