import { hashPrefixes } from "../transcript/hash-prefixes.ts";
import type { Asked, DecodedMessage } from "../transcript/message.ts";
import type { Fold } from "./fold.ts";

/** The most requests whose terms are kept after the fold of their session was dropped; some 100 bytes each. */
const MOST_REQUESTS_KEPT = 50_000;

/** What hosts told of requests whose folds are no longer in memory, so that folding them again gives the same bytes. */
export class RequestMemory {
  readonly #requests = new Map<string, Asked>();

  keep(session: string, fold: Fold): void {
    const names = hashPrefixes(fold.messages);
    for (const { boundary, messages } of fold.advances) {
      if (boundary.assumed) continue;
      const key = keyOf(session, names[messages]);
      this.#requests.delete(key);
      this.#requests.set(key, boundary.asked);
    }
    for (const key of this.#requests.keys()) {
      if (this.#requests.size <= MOST_REQUESTS_KEPT) break;
      this.#requests.delete(key);
    }
  }

  /** What is known of the requests that were made after the first `ends[i]` messages. */
  find(
    session: string,
    messages: readonly DecodedMessage[],
    ends: readonly number[],
  ): readonly (Asked | undefined)[] {
    if (this.#requests.size === 0) return [];
    const names = hashPrefixes(messages);
    return ends.map((end) => this.#requests.get(keyOf(session, names[end])));
  }
}

function keyOf(session: string, prefix: string | undefined): string {
  return `${session}\u0000${prefix}`;
}
