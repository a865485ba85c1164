import type { TestContext } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { type RunningProxy, startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { DIALECTS } from "../provider/dialects.ts";
import { type Provider, type Script, startProvider } from "../provider/provider.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import type { Client, Session } from "./client.ts";
import { createWorkplace, type Workplace } from "./project.ts";
import { type Ran, type Running, startClient } from "./run-client.ts";
import { type Exchange, startWiretap, type Wiretap } from "./wiretap.ts";

/** Cuts stale text at once. */
export const EAGER: PartialConfig = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 500, pruneMinimum: 500 },
};

export interface Stage {
  readonly place: Workplace;
  readonly provider: Provider;
  readonly tap: Wiretap;
  /** The proxy's reports to the person. */
  readonly complaints: readonly string[];
  start(session: Partial<Session> & Pick<Session, "prompt">): Running;
  run(session: Partial<Session> & Pick<Session, "prompt">): Promise<Ran>;
  /** Another proxy replaces this one, with the same store; open answers end first. */
  restart(): void;
  /** Sends a request again, through a proxy that was only started for it. */
  askCold(exchange: Exchange): Promise<void>;
  /** The proxy's number of open answers. */
  inFlight(): Promise<number>;
  /** The proxy's address. */
  url(): Promise<string>;
  /** Requests to a model, as the client sent them. */
  sent(): readonly Exchange[];
}

/**
 * client → wiretap → proxy → scripted provider. All of it ends with the test, which must be passed explicitly,
 * because tests run in parallel.
 */
export async function setStage(
  onTestFinished: TestContext["onTestFinished"],
  client: Client,
  script: (place: Workplace) => Script,
  settings: PartialConfig = {},
): Promise<Stage> {
  const place = createWorkplace();
  const complaints: string[] = [];
  const store = memoryStore();
  const provider = await startProvider(script(place));
  const { url } = provider;
  const open = (): Promise<RunningProxy> =>
    startProxy({
      ...{ store, settings },
      upstreams: { anthropic: url, openai: url, gemini: url, chatgpt: url },
      onIssue: (_, text) => complaints.push(text),
    });
  let proxy = open();
  const tap = await startWiretap(async () => (await proxy).url);
  onTestFinished(async () => {
    await tap.close();
    await (await proxy).close(0);
    await provider.close();
    place.dispose();
  });
  const begin: Stage["start"] = (session) =>
    startClient(client, {
      baseUrl: tap.url,
      home: place.home,
      cwd: place.cwd,
      // Its own default binds reasoning to the text before it: a cut has to wait.
      ...(client === CLAUDE_CODE && { model: "claude-sonnet-4-5" }),
      ...session,
    });
  return {
    ...{ place, provider, tap, complaints, start: begin },
    run: (session) => begin(session).ended,
    restart() {
      const before = proxy;
      proxy = before.then(async (running) => {
        await running.close(60_000);
        return open();
      });
    },
    async askCold({ method, path, rawHeaders, bytes }) {
      const cold = await open();
      const headers: [string, string][] = [];
      for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
        const name = rawHeaders[i] ?? "";
        if (!/^(?:host|connection|content-length|transfer-encoding)$/i.test(name))
          headers.push([name, rawHeaders[i + 1] ?? ""]);
      }
      const response = await fetch(`${cold.url}${path}`, { method, headers, body: new Uint8Array(bytes) });
      await response.arrayBuffer();
      await cold.close(0);
    },
    async inFlight() {
      const metrics = await (await fetch(`${(await proxy).url}/metrics`)).text();
      return Number(/^coppice_answers_in_flight (\d+)$/m.exec(metrics)?.[1]);
    },
    url: async () => (await proxy).url,
    sent: () =>
      tap.exchanges.filter(
        ({ method, path }) =>
          method === "POST" && DIALECTS.some(({ paths }) => paths.test(path.split("?")[0] ?? "")),
      ),
  };
}
