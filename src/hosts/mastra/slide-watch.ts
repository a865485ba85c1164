import type { Conversations } from "../conversation/conversations.ts";

/** The part of Mastra's message list that is read here. */
export interface MessageList {
  readonly get: {
    readonly all: { db(): readonly { readonly id: string; readonly threadId?: string | undefined }[] };
  };
}

/** The first and last ids of a list of messages. */
interface Ends {
  readonly first: string;
  readonly last: string;
}

/** The most threads whose last list is remembered, at about 200 bytes each. */
const THREADS_KEPT = 1_000;

/**
 * Notices a memory that returns only the last messages of a thread, so that each turn's request begins with a
 * different message. A memory that returns no messages is fine: every turn is then a separate conversation.
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
      "the agent's memory returns only the last messages of a thread, so each turn begins with a different message: requests miss the provider's cache, and Coppice computes its cuts anew; raise `lastMessages` or `messageHistory` of the memory, because Coppice keeps the requests small";
    this.#conversations.tell({ code: "history-slides", message, severity: "warning" });
  }
}
