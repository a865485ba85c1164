import type { Conversations } from "../conversation/conversations.ts";

/** Mastra's list of messages, as far as it is read here. */
export interface MessageList {
  readonly get: {
    readonly all: { db(): readonly { readonly id: string; readonly threadId?: string | undefined }[] };
  };
}

/** The ends of a list of messages, by their ids. */
interface Ends {
  readonly first: string;
  readonly last: string;
}

/** Threads whose last list is remembered; some 200 bytes each. */
const THREADS_KEPT = 1_000;

/**
 * Notices a memory that gives only the last messages of a thread: with each turn the request begins with another one. A
 * memory that gives none makes every turn a conversation of its own, and that is fine.
 */
export class SlideWatch {
  readonly #conversations: Conversations;
  readonly #threads = new Map<string, Ends>();

  constructor(conversations: Conversations) {
    this.#conversations = conversations;
  }

  look(list: MessageList | undefined): void {
    const messages = list?.get.all.db() ?? [];
    const [first, last] = [messages[0], messages.at(-1)];
    if (first?.threadId === undefined || !last) return;
    const before = this.#threads.get(first.threadId);
    const has = (id: string) => messages.some((message) => message.id === id);
    if (before && !has(before.first) && has(before.last)) this.#tell();
    this.#threads.delete(first.threadId);
    this.#threads.set(first.threadId, { first: first.id, last: last.id });
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > THREADS_KEPT && oldest !== undefined) this.#threads.delete(oldest);
  }

  #tell(): void {
    const message =
      "the agent's memory gives only the last messages of a thread, so turns begin with another message each: the provider's cache is missed, and what was cut is worked out anew; raise `lastMessages` or `messageHistory` of the memory, Coppice keeps the requests small";
    this.#conversations.tell({ code: "history-slides", message, severity: "warning" });
  }
}
