import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { EnvHttpProxyAgent } from "undici";
import { isHeldOut } from "../../analysis/held-out.ts";
import type { PartialConfig } from "../../config/config.ts";
import { mergeLevels } from "../../config/merge.ts";
import type { SoftStore } from "../../stores/soft-store.ts";
import type { Store } from "../../stores/store.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { Conversations } from "../conversation/conversations.ts";
import type { HostOptions } from "../conversation/host-options.ts";
import { type AllowedCallers, isAllowed, isForeign, isOtherOrigin, readToken } from "./check-caller.ts";
import { dashboard } from "./dashboard/dashboard.ts";
import { health } from "./health.ts";
import { isLoopback } from "./is-loopback.ts";
import { keepWarm } from "./keep-warm.ts";
import { LivePrefixes } from "./live/live-prefixes.ts";
import { LiveSessions } from "./live/live-sessions.ts";
import { mcp } from "./mcp.ts";
import { metrics } from "./metrics.ts";
import { nameClient } from "./name-client.ts";
import { isRepeated } from "./raw-headers.ts";
import { Relay, replyFault } from "./relay.ts";
import { replyError } from "./reply.ts";
import { findPage, type Service } from "./service.ts";
import { storeSums } from "./store-sums.ts";
import { passUpgrade, refuse } from "./upgrade.ts";
import { findRoute, type Upstreams, USUAL_UPSTREAMS } from "./upstreams.ts";
import { watchAll } from "./watch-all.ts";

export interface ProxyOptions extends Pick<HostOptions, "directory" | "onIssue" | "clock"> {
  /** A store from `openStore` also counts its failures. */
  readonly store: Store & Partial<Pick<SoftStore, "faults">>;
  readonly settings?: PartialConfig;
  /** Default: any free port. */
  readonly port?: number;
  /** The address to listen on; addresses beyond loopback require a token. */
  readonly host?: string;
  readonly token?: string;
  /** Required for the proxy's own pages, which show text of sessions; default: `token`. */
  readonly pageToken?: string;
  /** Host names under which callers reach it, in addition to its plain address. */
  readonly allowHosts?: readonly string[];
  /** Added to the usual ones, or replacing them. */
  readonly upstreams?: Upstreams;
  /** The name of the client program, if there is only one. */
  readonly client?: string;
  /** Larger bodies are passed on without reading them, in bytes. */
  readonly largestBody?: number;
  readonly mostConnections?: number;
  /** How long a client may take to send a request's headers, in milliseconds. */
  readonly headerPatience?: number;
  /** The percentage of conversations that are not pruned, so that the savings can be measured. */
  readonly holdout?: number;
  /**
   * Sends requests again during pauses, so that the provider's cache does not expire; for subscriptions only if set
   * so.
   */
  readonly keepWarm?: boolean | "with-subscriptions";
  /** Where the bundle of the dashboard and the report page is; default: next to our code. */
  readonly pages?: URL;
  /** Services in addition to the proxy's own. */
  readonly services?: readonly Service[];
}

export interface RunningProxy {
  /** `http://127.0.0.1:8787`, without a final slash. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections. Resolves when open requests have ended, or after `patience` milliseconds. */
  close(patience?: number): Promise<void>;
}

const LARGEST_BODY = 64_000_000;
const MOST_CONNECTIONS = 4_096;
/** Login tokens are headers, and long. */
const LARGEST_HEADERS = 65_536;
/** How long a connection without a complete request stays open, in milliseconds. */
const HEADER_PATIENCE = 60_000;

/**
 * A proxy between agents and model providers: it prunes requests to models, and passes everything else on.
 *
 * @throws if it can't listen, or if it would listen beyond this machine without a token
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const {
    store,
    settings = {},
    host = "127.0.0.1",
    token,
    pageToken = token,
    allowHosts = [],
    client,
    clock = Date.now,
  } = options;
  if (!isLoopback(host) && token === undefined)
    throw new RangeError(`${host} can be reached from outside this machine: set a token`);
  const upstreams: Upstreams = { ...USUAL_UPSTREAMS, ...options.upstreams };
  const callers: AllowedCallers = { token, hosts: allowHosts };
  const { holdout = 0, keepWarm: warm = false } = options;
  const conversations = new Conversations(
    {
      ...settings,
      store,
      clock,
      ...(options.directory !== undefined && { directory: options.directory }),
      ...(options.onIssue && { onIssue: options.onIssue }),
    },
    // An agent without our tools can't use refs, and the text that is sent never comes back.
    false,
  );
  // Answers may take any time, and so may the pauses between their parts.
  const dispatcher = new EnvHttpProxyAgent({
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: LARGEST_HEADERS,
  });
  const { schedule, strategies } = mergeLevels([{ name: "options", config: settings }]).config;
  const { prices } = schedule;
  const live = new LiveSessions({ prices, compactThreshold: strategies.compactThreshold });
  const prefixes = new LivePrefixes({
    count: estimateTokens,
    fail: (what, error) => conversations.fail(what, error),
  });
  const board = dashboard({ live, prefixes, store, settings, clock, pages: options.pages });
  const withSubscriptions = warm === "with-subscriptions";
  const services: readonly Service[] = [
    health(),
    live,
    prefixes,
    storeSums(store, {
      hasHoldout: holdout > 0,
      folderOf: (session) => live.folderOf(session),
    }),
    board,
    mcp(conversations),
    metrics({
      listeners: () => board.listeners,
      sessions: () => live.count,
      textSize: () => live.textSize,
      journalFaults: () => store.faults ?? 0,
    }),
    ...(warm ? [keepWarm({ conversations, store, dispatcher, prices, withSubscriptions, clock })] : []),
    ...(options.services ?? []),
  ];
  const pages = services.flatMap((service) => service.pages ?? []);
  const relay = new Relay({
    conversations,
    dispatcher,
    largestBody: options.largestBody ?? LARGEST_BODY,
    isHeldOut: (group) => isHeldOut(group, holdout),
    prices,
    nameClient: (headers) => client ?? nameClient(headers),
    clock,
    watch: watchAll(services, (what, error) => conversations.fail(what, error)),
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (isRepeated(incoming.rawHeaders, "host"))
      return replyError(outgoing, 400, "more than one Host header");
    const shown = readToken(incoming.url ?? "/", incoming.headers);
    const { path } = shown;
    const page = findPage(pages, path);
    const wanted = page ? (page.isOpen ? undefined : pageToken) : token;
    if (!isAllowed(shown, wanted)) return replyError(outgoing, 401, "this proxy requires its token");
    const foreign = isForeign(incoming.headers, callers);
    if (page) {
      if (foreign || isOtherOrigin(incoming.headers))
        return replyError(outgoing, 403, "other sites can't use this page");
      if (!page.methods.includes(incoming.method ?? ""))
        return replyError(outgoing, 405, "method not allowed");
      return page.handle(incoming, outgoing, path);
    }
    const route = findRoute(path, incoming.headers, upstreams);
    try {
      await relay.pass(incoming, outgoing, route, !foreign);
    } catch (error) {
      replyFault(outgoing, route, error);
    }
  }

  const { headerPatience = HEADER_PATIENCE } = options;
  const server = createServer(
    {
      maxHeaderSize: LARGEST_HEADERS,
      // A body may take any time. Headers need a limit of their own, or they could too.
      requestTimeout: 0,
      headersTimeout: headerPatience,
      connectionsCheckingInterval: Math.min(headerPatience, 30_000),
      keepAliveTimeout: 600_000,
    },
    (incoming, outgoing) => {
      handle(incoming, outgoing).catch((error: unknown) => {
        conversations.fail("answering a request", error);
        replyError(outgoing, 500, "something failed; see the proxy's log");
      });
    },
  );
  server.maxConnections = options.mostConnections ?? MOST_CONNECTIONS;
  // The server no longer tracks these sockets.
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (incoming, socket, head) => {
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    const shown = readToken(incoming.url ?? "/", incoming.headers);
    if (isRepeated(incoming.rawHeaders, "host")) refuse(socket, "400 Bad Request");
    else if (!isAllowed(shown, token) || isForeign(incoming.headers, callers))
      refuse(socket, "403 Forbidden");
    else
      void passUpgrade(
        incoming,
        socket,
        head,
        findRoute(shown.path, incoming.headers, upstreams),
        dispatcher,
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    async close(patience = PATIENCE) {
      await Promise.all(services.map((service) => service.close?.()));
      const closed = new Promise((resolve) => server.close(resolve));
      // Also closes connections whose answers end later: a client would keep them open.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => {
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }, patience);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
      await dispatcher.destroy();
    },
  };
}

/** How long open answers have to end, in milliseconds. */
const PATIENCE = 2_000;
