import { createHash } from "node:crypto";
import { describePrefix, type SessionPrefix } from "../../../analysis/session-prefix.ts";
import { formatByName } from "../../../formats/detect.ts";
import { cutHistory } from "../../../prefix/cut-history.ts";
import { type InventoryItem, takeInventory } from "../../../prefix/inventory.ts";
import { readPrefix } from "../../../prefix/read-prefix.ts";
import { listCalled } from "../../../recordings/called-tools.ts";
import { storableText } from "../../../stores/storable.ts";
import { isOwnQuestion } from "../../../wires/index.ts";
import { isCounted } from "../measure-request.ts";
import type { SentRequest, WatchedAnswer, Watcher } from "../watcher.ts";

export interface LivePrefixesOptions {
  readonly mostSessions?: number;
  /** Counts the tokens of a text. */
  readonly count: (text: string) => number;
  readonly fail: (what: string, error: unknown) => void;
}

interface Kept {
  /** The items of the newest request. */
  readonly items: readonly InventoryItem[];
  readonly hasTools: boolean;
  /** Names of the tools that were called. */
  readonly called: Set<string>;
  /** How many messages of each conversation were searched for calls. */
  readonly searched: Map<string, number>;
}

const MOST_SESSIONS = 1_000;
const MOST_INVENTORIES = 100;
const MOST_CONVERSATIONS = 50;
const MOST_NAMES = 2_000;
const MOST_TOOLS = 500;
const LONGEST_NAME = 200;

/**
 * What the sessions of this proxy send before their first message: names and sizes of tools and servers, sums of
 * everything else, no text. A prefix is analysed once, after the answer to its request was passed on.
 */
export class LivePrefixes implements Watcher {
  /** The one used last is at the end. */
  readonly #sessions = new Map<string, Kept>();
  /** Keyed by a hash of the prefix, because sessions of one client often begin alike. */
  readonly #inventories = new Map<string, readonly InventoryItem[]>();
  readonly #options: LivePrefixesOptions;

  constructor(options: LivePrefixesOptions) {
    this.#options = options;
  }

  answered(sent: SentRequest, { answer }: WatchedAnswer): void {
    if (!isCounted(sent) || sent.session === "" || !answer) return;
    // Otherwise the end of the answer would wait for this.
    setImmediate(() => {
      try {
        this.#note(sent, answer.calledTools);
      } catch (error) {
        this.#options.fail("reading the text before the messages", error);
      }
    });
  }

  of(session: string): SessionPrefix | undefined {
    const kept = this.#sessions.get(session);
    return kept && describePrefix(kept.items, (tool) => kept.called.has(tool));
  }

  #note(sent: SentRequest, calledTools: readonly string[]): void {
    const { request, root } = sent;
    const id = storableText(sent.session);
    const known = this.#sessions.get(id);
    // Requests for titles and summaries have another prompt, and no session tools.
    if (known?.hasTools && isOwnQuestion(request)) return;
    const items = this.#takeApart(sent);
    if (!items) return;
    const { called = new Set<string>(), searched = new Map<string, number>() } = known ?? {};
    const { decode } = formatByName(request.format);
    const parts = request.messages.slice(searched.get(root) ?? 0).flatMap((each) => decode(each).parts);
    for (const name of [...parts.flatMap(listCalled), ...calledTools])
      if (called.size < MOST_NAMES) called.add(name);
    putLast(searched, root, request.messages.length, MOST_CONVERSATIONS);
    const kept = { items, hasTools: request.hasTools, called, searched };
    putLast(this.#sessions, id, kept, this.#options.mostSessions ?? MOST_SESSIONS);
  }

  #takeApart({ wire, request }: SentRequest): readonly InventoryItem[] | undefined {
    const body = cutHistory(wire, request);
    if (body === undefined) return undefined;
    const key = createHash("sha256").update(body).digest("hex");
    const known = this.#inventories.get(key);
    const pieces = known ? undefined : readPrefix(body, { wire: wire.name });
    const items = known ?? (pieces && slim(takeInventory(pieces, undefined, this.#options.count).items));
    if (!items) return undefined;
    putLast(this.#inventories, key, items, MOST_INVENTORIES);
    return items;
  }
}

/**
 * Keeps the names of tools. Headings, files and first words of reminders could be the user's text, so only their
 * sums are kept.
 */
function slim(items: readonly InventoryItem[]): readonly InventoryItem[] {
  const tools = items.filter(({ isTool }) => isTool).toSorted((a, b) => b.tokens - a.tokens);
  const named = new Set(tools.slice(0, MOST_TOOLS));
  const sums = new Map<string, InventoryItem>();
  for (const item of items) {
    if (named.has(item)) continue;
    const { group, server, isHidden, tokens } = item;
    const key = JSON.stringify([group, server, isHidden]);
    const sum = {
      ...{ group, name: group, tokens: tokens + (sums.get(key)?.tokens ?? 0) },
      ...(server !== undefined && { server: server.slice(0, LONGEST_NAME) }),
      ...(isHidden && { isHidden }),
    };
    sums.set(key, sum);
  }
  return [
    ...sums.values(),
    ...[...named].map(({ server, ...tool }) => ({
      ...{ ...tool, name: tool.name.slice(0, LONGEST_NAME) },
      ...(server !== undefined && { server: server.slice(0, LONGEST_NAME) }),
    })),
  ];
}

function putLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
