import type { Fold } from "./fold.ts";
import type { PruneArguments } from "./terms.ts";

/** A request that was made, and from which its fold can be made again. */
export interface MadeRequest {
  readonly key: string;
  readonly fold: Fold;
  readonly args: PruneArguments;
}

/** The newest messages of a conversation, and their keys. Its earlier requests had the first of them. */
interface SharedList {
  messages: PruneArguments["messages"];
  keys: PruneArguments["keys"];
}

interface KeptRequest extends Omit<MadeRequest, "args"> {
  readonly args: Omit<PruneArguments, keyof SharedList>;
  readonly list: SharedList;
  /** How many messages of the list the request had. */
  readonly count: number;
}

/** Requests that may still be answered, and calls that may still be asked about. */
const REQUESTS_KEPT = 64;
const CALLS_KEPT = 512;

/** Which request a call belongs to: its answer had the call in it. */
export class AnsweredCalls {
  readonly #requests = new Map<string, KeptRequest>();
  readonly #calls = new Map<string, KeptRequest>();
  readonly #lists = new WeakMap<Fold, SharedList>();
  /** By fold: the request that was answered last, and the tools that its answer calls. */
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

  /** The tools that a fold's newest answer calls. None once the next request was made: it has their results. */
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
