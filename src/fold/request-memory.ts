import { hashPrefixes } from "../transcript/hash-prefixes.ts";
import type { Asked, DecodedMessage } from "../transcript/message.ts";
import type { Fold } from "./fold.ts";

/** Requests whose terms are kept after their session's fold had to go; some 100 bytes each. */
const REQUESTS_KEPT = 50_000;

/** What hosts told of requests whose folds are no longer in memory: folded anew they give the same bytes. */
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
      if (this.#requests.size <= REQUESTS_KEPT) break;
      this.#requests.delete(key);
    }
  }

  /** What is known of the requests that ended after so many messages. */
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
