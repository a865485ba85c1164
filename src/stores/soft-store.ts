import { describeError, type Issue } from "../basics/issue.ts";
import { LostStore } from "./lost-store.ts";
import { memoryStore } from "./memory-store.ts";
import type { Store } from "./store.ts";

export interface SoftOptions {
  /** Called once when trouble begins, and again only if the store has worked since. */
  readonly report: (issue: Issue) => void;
  /** Where the store is: a path, or an address without its password. */
  readonly where?: string;
  /** What Coppice does while the store can't be opened. */
  readonly meanwhile?: string;
  /** The longest that anyone waits for the store, in milliseconds. */
  readonly patience?: number;
  /**
   * The time after which a store that could not be opened is tried again. A store that gave no answer is left alone
   * for as long.
   */
  readonly pause?: number;
}

/** A store that never rejects, and counts its failures. */
export interface SoftStore extends Store {
  readonly faults: number;
}

/**
 * A store that never rejects and never makes anyone wait for long.
 *
 *   can't be opened   ->  reported once; a memory store is used until it can
 *   fails later       ->  reported once; reads return nothing and sums are dropped until it works again
 *   is lost           ->  reported once; opened again (a deleted file is created again)
 *
 * Pending writes to the journal are queued, and written when the store works again. Writing one twice changes
 * nothing.
 */
export async function softStore(open: () => Promise<Store>, options: SoftOptions): Promise<SoftStore> {
  const { report, where, meanwhile = IN_MEMORY, patience = 3_000, pause = 5_000 } = options;
  const substitute = memoryStore();
  let store: Store | undefined;
  let opening: Promise<void> | undefined;
  /** Closes a lost store. The next one is opened after that: closing a file releases the locks of others on it. */
  let closing = Promise.resolve();
  /** The kinds of work that fail: on a full disk, reading works. */
  const failing = new Set<Kind>();
  let isClosed = false;
  let restsUntil = 0;
  let faults = 0;
  const pending = new Map<string, JournalWrite>();
  let flushing: Promise<void> | undefined;

  function complain(kind: Kind, error: unknown): void {
    faults++;
    const wasReported = failing.size > 0;
    failing.add(kind);
    if (wasReported || isClosed) return;
    const what = store
      ? "The store does not work. Coppice continues without it until it works again"
      : `The store can't be opened, and ${meanwhile}`;
    const message = `${what}. ${describeError(error)}`;
    try {
      report({
        code: "store-unavailable",
        message,
        severity: "warning",
        ...(where !== undefined && { where }),
      });
    } catch {
      // An error in `report` must not stop the store.
    }
  }

  function rest(): void {
    restsUntil = performance.now() + pause;
  }

  /** Opens the store in the background; if it opens after the wait is over, it is still used. */
  function tryToOpen(): Promise<void> {
    opening ??= closing
      .then(open)
      .then(
        async (found) => {
          if (isClosed) return found.close();
          store = found;
          failing.clear();
          void flush();
        },
        (error: unknown) => {
          rest();
          complain("open", error);
        },
      )
      .finally(() => {
        opening = undefined;
      });
    return opening;
  }

  /** Opens another store in place of a lost one; `true`: it is open. */
  async function replace(lost: Store): Promise<boolean> {
    if (store === lost) {
      store = undefined;
      closing = lost.close().catch(() => {});
    }
    await within(patience, tryToOpen()).catch(() => {});
    return store !== undefined;
  }

  /** Here too, the first value for a request stays. */
  function queue(name: string, write: JournalWrite): void {
    if (!pending.has(name)) pending.set(name, write);
    const [oldest] = pending.keys();
    if (pending.size > MOST_PENDING && oldest !== undefined) pending.delete(oldest);
  }

  /** Writes in the original order, because an answer needs its request. */
  function flush(): Promise<void> {
    let paid: Store | undefined;
    flushing ??= (async () => {
      for (const [name, write] of pending) {
        if (!store || isClosed || performance.now() < restsUntil) return;
        paid = store;
        await within(patience, write(paid));
        pending.delete(name);
        failing.delete("write");
      }
    })()
      .catch((error: unknown) => {
        if (error instanceof NoAnswer) rest();
        complain("write", error);
        if (error instanceof LostStore && paid) void replace(paid);
      })
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  }

  async function write(name: string, work: JournalWrite): Promise<void> {
    if (store && pending.size > 0) {
      queue(name, work);
      await within(patience, flush()).catch(() => {});
      return;
    }
    const writeTo = async (to: Store) => {
      await work(to);
      return to !== substitute;
    };
    const isWritten = await ask("write", writeTo, false);
    if (!isWritten) queue(name, work);
  }

  async function ask<T>(kind: Kind, work: (store: Store) => Promise<T>, fallback: T): Promise<T> {
    if (isClosed) return fallback;
    const isResting = performance.now() < restsUntil;
    if (!store) {
      if (!isResting) void tryToOpen();
      return work(substitute).catch(() => fallback);
    }
    if (isResting) return fallback;
    const current = store;
    try {
      const answer = await within(patience, work(current));
      failing.delete(kind);
      if (pending.size > 0) void flush();
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) rest();
      complain(kind, error);
      if (error instanceof LostStore && (await replace(current))) return ask(kind, work, fallback);
      return fallback;
    }
  }

  try {
    await within(patience, tryToOpen());
  } catch (error) {
    complain("open", error);
  }
  return {
    get faults() {
      return faults;
    },
    readRequests: (keys) => ask("read", (store) => store.readRequests(keys), []),
    writeRequest: (row) => write(`row ${row.key}`, (store) => store.writeRequest(row)),
    writeAnswer: (key, answer) => write(`answer ${key}`, (store) => store.writeAnswer(key, answer)),
    addRequest: (request) => ask("write", (store) => store.addRequest(request), undefined),
    addPing: (ping) => ask("write", (store) => store.addPing(ping), undefined),
    listSessions: (which) => ask("read", (store) => store.listSessions(which), []),
    listDays: (which) => ask("read", (store) => store.listDays(which), []),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await within(patience, store?.close() ?? Promise.resolve()).catch(() => {});
    },
  };
}

const IN_MEMORY =
  "Coppice continues in memory: after a restart, requests may be rewritten once, at full price";

type Kind = "open" | "read" | "write";

type JournalWrite = (store: Store) => Promise<void>;

/** About 500 bytes each. */
const MOST_PENDING = 10_000;

class NoAnswer extends Error {}

/** @throws `NoAnswer` if it takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new NoAnswer(`There was no answer within ${milliseconds / 1_000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
