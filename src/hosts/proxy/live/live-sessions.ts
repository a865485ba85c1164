import type { LiveRequest, LiveSession, Snapshot } from "../../../page/dashboard-data.ts";
import { storableText } from "../../../stores/storable.ts";
import { isCounted } from "../measure-request.ts";
import type { SentRequest, WatchedAnswer, Watcher } from "../watcher.ts";
import { findFolder } from "./find-folder.ts";
import type { FigureSettings } from "./live-request.ts";
import {
  describeLive,
  findRequest,
  listTrend,
  noteAnswered,
  noteFailed,
  noteSent,
  openSession,
  type SessionState,
} from "./live-session.ts";
import { type HeldText, SessionTexts } from "./session-texts.ts";

export interface LiveOptions extends FigureSettings {
  readonly mostSessions?: number;
  /** The most requests, over all sessions. */
  readonly mostRequests?: number;
  /** The most characters of messages in memory, over all sessions. */
  readonly mostText?: number;
}

/** A session that changed, with the number of the changed request, or that is no longer in memory. */
export interface LiveChange {
  readonly id: string;
  readonly request?: number;
}

/** A session with its messages, for its report page. */
export interface OpenableSession {
  readonly state: SessionState;
  readonly texts: ReadonlyMap<string, HeldText>;
}

const MOST_SESSIONS = 1_000;
const MOST_REQUESTS = 100_000;
const MOST_TEXT = 64_000_000;

/**
 * The current sessions of this proxy: figures for all, and messages for the newest. Everything is in memory, within
 * limits.
 */
export class LiveSessions implements Watcher {
  /** The one used last is at the end. */
  readonly #sessions = new Map<string, SessionState>();
  readonly #texts: SessionTexts;
  readonly #options: LiveOptions;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  #requests = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#texts = new SessionTexts(options.mostText ?? MOST_TEXT);
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Characters of the messages in memory. */
  get textSize(): number {
    return this.#texts.size;
  }

  sent(sent: SentRequest): void {
    if (!isCounted(sent) || sent.session === "") return;
    const id = storableText(sent.session);
    const known = this.#sessions.get(id) ?? openSession(id, sent, findFolder(sent.request.body));
    const next = noteSent(known, sent, this.#options);
    this.#put(next, known);
    if (next.count > known.count) this.#hold(id, sent);
    this.#tell({ id, ...(next.count > known.count && { request: next.count }) });
    this.#makeRoom(id);
  }

  answered(sent: SentRequest, answered: WatchedAnswer): void {
    this.#change(sent, (session) => noteAnswered(session, sent, answered));
  }

  failed(sent: SentRequest): void {
    this.#change(sent, (session) => noteFailed(session, sent.serial));
  }

  /** Calls the listener after each change. Returns the function that removes it. */
  listen(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sessions with the newest request first. */
  list(): Snapshot["sessions"] {
    return [...this.#sessions.values()]
      .map((session) => ({ ...this.#describe(session), trend: listTrend(session) }))
      .reverse();
  }

  find(id: string): LiveSession | undefined {
    const session = this.#sessions.get(id);
    return session && this.#describe(session);
  }

  /** Requests of a session, the oldest first: all that are in memory, or those with these numbers. */
  requestsOf(id: string, numbers?: ReadonlySet<number>): readonly LiveRequest[] {
    const shown = (this.#sessions.get(id)?.requests ?? []).map((kept) => kept.shown);
    return numbers ? shown.filter(({ number }) => numbers.has(number)) : shown;
  }

  /** `undefined` if its messages are no longer in memory. */
  open(id: string): OpenableSession | undefined {
    const state = this.#sessions.get(id);
    const texts = this.#texts.of(id);
    return state && texts && { state, texts };
  }

  folderOf(session: string): string | undefined {
    return this.#sessions.get(storableText(session))?.folder;
  }

  #describe(session: SessionState): LiveSession {
    return describeLive(session, this.#texts.has(session.id));
  }

  #change({ session, serial }: SentRequest, change: (session: SessionState) => SessionState): void {
    const id = storableText(session);
    const known = this.#sessions.get(id);
    if (!known?.underWay.includes(serial)) return;
    const next = change(known);
    this.#put(next, known);
    const number = findRequest(next, serial)?.shown.number;
    this.#tell({ id, ...(number !== undefined && { request: number }) });
  }

  #put(next: SessionState, known: SessionState): void {
    if (this.#sessions.delete(next.id)) this.#requests -= known.requests.length;
    this.#sessions.set(next.id, next);
    this.#requests += next.requests.length;
  }

  #hold(id: string, { root, request }: SentRequest): void {
    const { format, messages, body } = request;
    for (const gone of this.#texts.put(id, root, { format, messages, size: body.length }))
      if (gone !== id) this.#tell({ id: gone });
  }

  #makeRoom(newest: string): void {
    const { mostSessions = MOST_SESSIONS, mostRequests = MOST_REQUESTS } = this.#options;
    for (const [id, { requests }] of this.#sessions) {
      if ((this.#sessions.size <= mostSessions && this.#requests <= mostRequests) || id === newest) return;
      this.#sessions.delete(id);
      this.#requests -= requests.length;
      this.#texts.drop(id);
      this.#tell({ id });
    }
  }

  #tell(change: LiveChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
