import type { ServerResponse } from "node:http";

export interface StreamOptions {
  readonly mostListeners?: number;
  /** A reader with more unread data than this is disconnected, in bytes. It reconnects and gets a new snapshot. */
  readonly mostUnread?: number;
  /** Time between keep-alive messages, in milliseconds. */
  readonly pulse?: number;
}

const MOST_LISTENERS = 32;
const MOST_UNREAD = 4_000_000;
const PULSE = 15_000;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 1_000;

/** Sends server-sent events to all listeners. Nothing is kept for others. */
export class EventSender {
  readonly #listeners = new Set<ServerResponse>();
  readonly #options: Required<StreamOptions>;
  readonly #pulse: NodeJS.Timeout;

  constructor(options: StreamOptions = {}) {
    this.#options = { mostListeners: MOST_LISTENERS, mostUnread: MOST_UNREAD, pulse: PULSE, ...options };
    this.#pulse = setInterval(() => this.send("pulse", {}), this.#options.pulse).unref();
  }

  get size(): number {
    return this.#listeners.size;
  }

  get isFull(): boolean {
    return this.#listeners.size >= this.#options.mostListeners;
  }

  /** Adds a listener, which gets all later events; its first event is `first`. */
  add(outgoing: ServerResponse, name: string, first: unknown): void {
    // The connection closed while its first event was made, and would not be reported later.
    if (outgoing.destroyed) return;
    outgoing.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Tells gateways not to buffer the answer.
      "x-accel-buffering": "no",
    });
    outgoing.on("close", () => this.#listeners.delete(outgoing));
    outgoing.on("error", () => outgoing.destroy());
    this.#listeners.add(outgoing);
    outgoing.write(`retry: ${RETRY}\n\n${writeEvent(name, first)}`);
  }

  send(name: string, value: unknown): void {
    if (this.#listeners.size === 0) return;
    const event = writeEvent(name, value);
    for (const listener of this.#listeners) {
      if (listener.writableLength > this.#options.mostUnread) listener.destroy();
      else listener.write(event);
    }
  }

  close(): void {
    clearInterval(this.#pulse);
    for (const listener of this.#listeners) listener.end();
  }
}

/** `JSON.stringify` adds no line breaks. */
function writeEvent(name: string, value: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}
