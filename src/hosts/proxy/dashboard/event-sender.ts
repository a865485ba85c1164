import type { ServerResponse } from "node:http";

export interface StreamOptions {
  readonly mostListeners?: number;
  /** A reader that leaves more than this unread is dropped, in bytes. It asks again, and gets a new snapshot. */
  readonly mostUnread?: number;
  /** Between signs of life, in milliseconds. */
  readonly pulse?: number;
}

const MOST_LISTENERS = 32;
const MOST_UNREAD = 4_000_000;
const PULSE = 15_000;
/** When a browser that lost the connection tries again, in milliseconds. */
const RETRY = 1_000;

/** Server-sent events to whoever listens. Nothing is kept for those who do not. */
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

  /** From now on, this one gets what is sent to all; its first event is `first`. */
  add(outgoing: ServerResponse, name: string, first: unknown): void {
    // It went while its first event was made: nothing would ever say so again.
    if (outgoing.destroyed) return;
    outgoing.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Gateways that gather an answer before they pass it on are asked not to.
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

/** JSON has no line breaks of its own. */
function writeEvent(name: string, value: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}
