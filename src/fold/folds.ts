import type { Format } from "../formats/format.ts";
import { decodeAt, decodeMessage } from "../formats/intake/decode.ts";
import { isKnownAs } from "../formats/intake/recognise.ts";
import type { TextProtocol } from "../formats/text-protocols/text-protocol.ts";
import { hashMessage } from "../transcript/hash-prefixes.ts";
import type { Fold } from "./fold.ts";
import type { PruneRequest } from "./prune-request.ts";

/** A list of messages as the host gave it, not yet decoded. */
export interface HostMessages<M = unknown> {
  readonly format: Format;
  readonly messages: readonly M[];
  readonly session: string;
  readonly meta: NonNullable<PruneRequest["meta"]>;
  readonly protocols: readonly TextProtocol[];
  /**
   * Identifies the session, the format and the first message. Lists with different openings are different
   * conversations.
   */
  readonly opening: string;
}

export function openList<M>(
  messages: readonly M[],
  format: Format,
  { session = "", meta = [] }: Pick<PruneRequest, "session" | "meta">,
  protocols: readonly TextProtocol[],
): HostMessages<M> {
  const first = hashMessage(decodeMessage(format, messages[0], meta[0]));
  const opening = `${session}\u0000${format.name}\u0000${first}`;
  return { format, messages, session, meta, protocols, opening };
}

/** The memory of a fold besides its texts, in bytes. It is rough, but many small folds must count. */
const BYTES_PER_FOLD = 10_000;
const BYTES_PER_PART = 500;

interface Place extends Pick<HostMessages, "session" | "opening"> {
  /** The memory of the fold when it was last used. */
  readonly bytes: number;
}

/**
 * The folds in memory, the newest last. A list of messages finds the fold that it continues by their common messages,
 * whatever the session is called; the session's name only narrows the search.
 */
export class Folds {
  readonly #places = new Map<Fold, Place>();
  readonly #byOpening = new Map<string, Set<Fold>>();
  readonly #limit: number;
  #bytes = 0;

  /** @param limit bytes that all folds together may take up; the newest is always kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * A fold that probably knows most of this list, judged by one message: the messages that it knows need not be
   * decoded again.
   */
  guess(list: HostMessages): Fold | undefined {
    return this.#findBest(list, (fold, messages) => messages > 0 && isAt(fold, messages - 1, list));
  }

  /**
   * The fold that this list continues: the list has all of the fold's messages, or all but those of its newest
   * request (then that request is undone: a retry with another input). A list that differs from the fold earlier is a
   * fork, and has none.
   *
   * @param keys the hash of the list's first messages, by their number
   */
  choose(list: HostMessages, keys: readonly string[]): Fold | undefined {
    return this.#findBest(list, ({ prefixes }, messages) => prefixes[messages] === keys[messages]);
  }

  /** The fold that shares most messages with the list; of equals the newest. */
  #findBest(list: HostMessages, shares: (fold: Fold, messages: number) => boolean): Fold | undefined {
    let best: Fold | undefined;
    let most = 0;
    for (const fold of this.#byOpening.get(list.opening) ?? []) {
      const shared = [fold.messages.length, beforeNewest(fold)].find(
        (messages) => messages <= list.messages.length && shares(fold, messages),
      );
      if (shared === undefined || shared < most) continue;
      best = fold;
      most = shared;
    }
    return best;
  }

  /** All folds with their sessions, the newest first. */
  list(): readonly { readonly fold: Fold; readonly session: string }[] {
    return [...this.#places].reverse().map(([fold, { session }]) => ({ fold, session }));
  }

  /** The fold of a session that was used last. */
  newest(session: string): Fold | undefined {
    let newest: Fold | undefined;
    for (const [fold, place] of this.#places) if (place.session === session) newest = fold;
    return newest;
  }

  /** Notes that the fold was used for this list. Returns the folds that were removed to make room. */
  use(fold: Fold, { session, opening }: HostMessages): readonly Fold[] {
    this.remove(fold);
    const bytes = fold.characters + BYTES_PER_FOLD + BYTES_PER_PART * fold.transcript.length;
    this.#places.set(fold, { session, opening, bytes });
    this.#bytes += bytes;
    const others = this.#byOpening.get(opening);
    if (others) others.add(fold);
    else this.#byOpening.set(opening, new Set([fold]));
    const gone: Fold[] = [];
    for (const oldest of this.#places.keys()) {
      if (this.#bytes <= this.#limit || oldest === fold) break;
      this.remove(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  remove(fold: Fold): void {
    const place = this.#places.get(fold);
    if (!place) return;
    this.#places.delete(fold);
    this.#bytes -= place.bytes;
    const others = this.#byOpening.get(place.opening);
    others?.delete(fold);
    if (others?.size === 0) this.#byOpening.delete(place.opening);
  }
}

/** The number of messages before the fold's newest request. */
function beforeNewest({ advances }: Fold): number {
  return advances.at(-2)?.messages ?? 0;
}

function isAt(fold: Fold, index: number, { format, messages, meta, protocols }: HostMessages): boolean {
  const known = fold.messages[index];
  if (!known) return false;
  const message = messages[index];
  if (isKnownAs(known, { message, meta: meta[index] }, format)) return true;
  return hashMessage(known) === hashMessage(decodeAt(format, messages, meta, index, protocols));
}
