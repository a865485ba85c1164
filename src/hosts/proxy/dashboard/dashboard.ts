import type { IncomingMessage, ServerResponse } from "node:http";
import { VERSION } from "../../../basics/version.ts";
import type { PartialConfig } from "../../../config/config.ts";
import { loadPageAssets } from "../../../page/assets.ts";
import type { Changes, ProxyStatus, Snapshot } from "../../../page/dashboard-data.ts";
import { renderDashboard } from "../../../page/render-dashboard.ts";
import type { Store } from "../../../stores/store.ts";
import type { LivePrefixes } from "../live/live-prefixes.ts";
import type { LiveSessions } from "../live/live-sessions.ts";
import { replyError, replyJson } from "../reply.ts";
import type { Service } from "../service.ts";
import { EventSender, type StreamOptions } from "./event-sender.ts";
import { replyPage } from "./reply-page.ts";
import { sessionPages } from "./session-pages.ts";
import { statuslinePage } from "./statusline-page.ts";
import { StoredFigures } from "./stored-figures.ts";

export interface DashboardOptions {
  readonly live: LiveSessions;
  readonly prefixes: LivePrefixes;
  readonly store: Store;
  readonly settings: PartialConfig;
  readonly clock: () => number;
  /** Where the pages' bundle is; default: next to our code. */
  readonly pages?: URL | undefined;
  readonly stream?: StreamOptions;
}

export interface Dashboard extends Service {
  /** The number of connected listeners. */
  readonly listeners: number;
}

/** How long changes are collected before they are sent, in milliseconds. */
const GATHERED = 200;
/** How often the store is read again, in milliseconds; sooner if this proxy has added to it. */
const READ_AGAIN = 5_000;
const READ_SOON = 1_000;
const LISTED_IN_STATUS = 100;

/** `/`: shows the proxy's requests live. The page has no data of its own; it listens to `/coppice/events`. */
export function dashboard(options: DashboardOptions): Dashboard {
  const { live, prefixes, store, settings, clock, pages, stream } = options;
  const startedAt = clock();
  const events = new EventSender(stream);
  const figures = new StoredFigures(store, clock);
  const gathered = new Map<string, Set<number>>();
  let sending: NodeJS.Timeout | undefined;
  let reading: NodeJS.Timeout | undefined;
  let page: string | undefined;

  const unlisten = live.listen(({ id, request }) => {
    if (events.size === 0) return;
    const numbers = gathered.get(id) ?? new Set();
    if (request !== undefined) numbers.add(request);
    gathered.set(id, numbers);
    sending ??= setTimeout(sendLive, GATHERED).unref();
  });

  function sendLive(): void {
    sending = undefined;
    const sessions: NonNullable<Changes["sessions"]>[number][] = [];
    const gone: string[] = [];
    for (const [id, numbers] of gathered) {
      const session = live.find(id);
      if (session) sessions.push({ ...session, changed: live.requestsOf(id, numbers) });
      else gone.push(id);
    }
    gathered.clear();
    const changes: Changes = { time: clock(), sessions, ...(gone.length > 0 && { gone }) };
    events.send("changes", changes);
  }

  async function sendStored(): Promise<void> {
    if (events.size === 0) return;
    const changes = await figures.refresh();
    const isNew = changes.stored.length + changes.days.length > 0 || changes.work;
    if (isNew) events.send("changes", { time: clock(), ...changes });
  }

  const readAgain = setInterval(sendStored, READ_AGAIN).unref();

  async function takeStatus(): Promise<ProxyStatus> {
    await figures.refresh();
    const sessions = live.list().map(({ trend: _, ...session }) => session);
    return {
      version: VERSION,
      startedAt,
      time: clock(),
      sessions: sessions.slice(0, LISTED_IN_STATUS),
      stored: figures.sessions.slice(0, LISTED_IN_STATUS),
      days: figures.days,
      ...figures.compared,
    };
  }

  async function listen(_: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await figures.refresh();
    if (events.isFull) return replyError(outgoing, 503, "too many pages listen already");
    const snapshot: Snapshot = {
      version: VERSION,
      startedAt,
      time: clock(),
      sessions: live.list(),
      stored: figures.sessions,
      days: figures.days,
      ...figures.compared,
    };
    events.add(outgoing, "snapshot", snapshot);
  }

  function show(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // The page requests everything by relative path, so that a token in the path stays there.
    const [bare = "/"] = (incoming.url ?? "/").split(/[?#]/, 1);
    if (!bare.endsWith("/")) {
      outgoing.writeHead(308, { location: `${bare.slice(bare.lastIndexOf("/") + 1)}/` }).end();
      return;
    }
    page ??= renderDashboard(loadPageAssets(pages, "dashboard"));
    replyPage(outgoing, 200, page);
  }

  return {
    get listeners() {
      return events.size;
    },
    answered() {
      if (events.size === 0) return;
      reading ??= setTimeout(() => {
        reading = undefined;
        void sendStored();
      }, READ_SOON).unref();
    },
    pages: [
      { methods: ["GET", "HEAD"], path: "/", handle: show },
      { methods: ["GET"], path: "/coppice/events", handle: listen },
      {
        methods: ["GET"],
        path: "/coppice/status",
        handle: async (_, outgoing) => replyJson(outgoing, 200, await takeStatus()),
      },
      statuslinePage({ live, store, clock }),
      sessionPages({ live, prefixes, settings, pages }),
    ],
    close() {
      unlisten();
      clearTimeout(sending);
      clearTimeout(reading);
      clearInterval(readAgain);
      events.close();
    },
  };
}
