import type { Fold } from "./fold.ts";
import type { PruneArguments } from "./terms.ts";

/** A request that was made, and from which its fold can be made again. */
export interface MadeRequest {
  readonly key: string;
  readonly fold: Fold;
  readonly args: PruneArguments;
}

/** Requests that may still be answered, and calls that may still be asked about. */
const REQUESTS_KEPT = 64;
const CALLS_KEPT = 512;

/** Which request a call belongs to: its answer had the call in it. */
export class AnsweredCalls {
  readonly #requests = new Map<string, MadeRequest>();
  readonly #calls = new Map<string, MadeRequest>();
  /** By fold: the request that was answered last, and the tools that its answer calls. */
  readonly #newest = new WeakMap<Fold, { readonly key: string; readonly tools: readonly string[] }>();

  /** A request that is about to be sent. */
  expect(request: MadeRequest): void {
    put(this.#requests, request.key, request, REQUESTS_KEPT);
  }

  note(key: string, calls: readonly string[], tools: readonly string[]): void {
    const request = this.#requests.get(key);
    if (!request) return;
    for (const call of calls) put(this.#calls, call, request, CALLS_KEPT);
    this.#newest.set(request.fold, { key, tools });
  }

  /** The tools that a fold's newest answer calls. None once the next request was made: it has their results. */
  openTools(fold: Fold): readonly string[] {
    const newest = this.#newest.get(fold);
    return newest && newest.key === fold.prefixes.at(-1) ? newest.tools : [];
  }

  find(call: string): MadeRequest | undefined {
    return this.#calls.get(call);
  }

  /** The text of a fold that had to go is not kept for its calls' sake. */
  forget(fold: Fold): void {
    for (const known of [this.#requests, this.#calls])
      for (const [key, request] of known) if (request.fold === fold) known.delete(key);
  }
}

function put<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
