import type { Fold } from "./fold.ts";
import type { PruneArguments } from "./terms.ts";

/** A request that was sent, with everything that is needed to fold it again. */
export interface MadeRequest {
  readonly key: string;
  readonly fold: Fold;
  readonly args: PruneArguments;
}

/** The newest messages of a conversation, and their keys. Its earlier requests had a prefix of them. */
interface SharedList {
  messages: PruneArguments["messages"];
  keys: PruneArguments["keys"];
}

interface KeptRequest extends Omit<MadeRequest, "args"> {
  readonly args: Omit<PruneArguments, keyof SharedList>;
  readonly list: SharedList;
  /** The number of messages that the request had. */
  readonly count: number;
}

/** Limits for requests that may still get a response, and for calls that may still be looked up. */
const REQUESTS_KEPT = 64;
const CALLS_KEPT = 512;

/** Finds the request whose response had a call. */
export class AnsweredCalls {
  readonly #requests = new Map<string, KeptRequest>();
  readonly #calls = new Map<string, KeptRequest>();
  readonly #lists = new WeakMap<Fold, SharedList>();
  /** By fold: the request with the newest response, and the tools that the response calls. */
  readonly #newest = new WeakMap<Fold, { readonly key: string; readonly tools: readonly string[] }>();

  /** A request that is about to be sent. */
  expect({ key, fold, args: { messages, keys, ...args } }: MadeRequest): void {
    const before = this.#lists.get(fold);
    const goesOn = before && keys[before.messages.length] === before.keys.at(-1);
    const list = goesOn ? Object.assign(before, { messages, keys }) : { messages, keys };
    this.#lists.set(fold, list);
    put(this.#requests, key, { key, fold, args, list, count: messages.length }, REQUESTS_KEPT);
  }

  note(key: string, calls: readonly string[], tools: readonly string[]): void {
    const request = this.#requests.get(key);
    if (!request) return;
    for (const call of calls) put(this.#calls, call, request, CALLS_KEPT);
    this.#newest.set(request.fold, { key, tools });
  }

  /** The tools that a fold's newest response calls. Empty after the next request, which has their results. */
  openTools(fold: Fold): readonly string[] {
    const newest = this.#newest.get(fold);
    return newest && newest.key === fold.prefixes.at(-1) ? newest.tools : [];
  }

  find(call: string): MadeRequest | undefined {
    const request = this.#calls.get(call);
    if (!request) return undefined;
    const { key, fold, args, list, count } = request;
    const messages = list.messages.slice(0, count);
    return { key, fold, args: { ...args, messages, keys: list.keys.slice(0, count + 1) } };
  }

  /** Forgets the calls of a fold that was removed, so that its text is not kept in memory. */
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
