import { describeError, type Issue } from "../basics/issue.ts";
import { memoryStore } from "./memory-store.ts";
import type { Store } from "./store.ts";

export interface SoftOptions {
  /** Told once when trouble begins, and again only if the store has worked since. */
  readonly report: (issue: Issue) => void;
  /** What the store is: a path, an address without its password. */
  readonly where?: string;
  /** What Coppice does while it can't be opened. */
  readonly meanwhile?: string;
  /** Nobody waits longer for the store than this, in milliseconds. */
  readonly patience?: number;
  /** A store that could not be opened is tried again after this time; one that gave no answer is left in peace for it. */
  readonly pause?: number;
}

/** A store that never rejects, and counts how often that was the store's fault. */
export interface SoftStore extends Store {
  readonly faults: number;
}

/**
 * A store that never rejects and never keeps anybody waiting for long.
 *
 *   can't be opened   ->  told once; a memory store, until it can
 *   fails later       ->  told once; reads give nothing, writes are dropped, until it works again
 */
export async function softStore(open: () => Promise<Store>, options: SoftOptions): Promise<SoftStore> {
  const { report, where, meanwhile = IN_MEMORY, patience = 3_000, pause = 5_000 } = options;
  const substitute = memoryStore();
  let store: Store | undefined;
  let opening: Promise<void> | undefined;
  let isTold = false;
  let isClosed = false;
  let restsUntil = 0;
  let faults = 0;

  function complain(error: unknown): void {
    faults++;
    if (isTold || isClosed) return;
    isTold = true;
    const what = store
      ? "The store does not work, and Coppice goes on without it until it does"
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
      // Whoever can't be told is not stopped either.
    }
  }

  function rest(): void {
    restsUntil = performance.now() + pause;
  }

  /** Opens it in its own time; what comes too late to be awaited is used all the same. */
  function tryToOpen(): Promise<void> {
    opening ??= Promise.resolve()
      .then(open)
      .then(
        async (found) => {
          if (isClosed) return found.close();
          store = found;
          isTold = false;
        },
        (error: unknown) => {
          rest();
          complain(error);
        },
      )
      .finally(() => {
        opening = undefined;
      });
    return opening;
  }

  async function ask<T>(work: (store: Store) => Promise<T>, otherwise: T): Promise<T> {
    if (isClosed) return otherwise;
    const isResting = performance.now() < restsUntil;
    if (!store) {
      if (!isResting) void tryToOpen();
      return work(substitute).catch(() => otherwise);
    }
    if (isResting) return otherwise;
    try {
      const answer = await within(patience, work(store));
      isTold = false;
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) rest();
      complain(error);
      return otherwise;
    }
  }

  try {
    await within(patience, tryToOpen());
  } catch (error) {
    complain(error);
  }
  return {
    get faults() {
      return faults;
    },
    readBoundaries: (keys) => ask((store) => store.readBoundaries(keys), []),
    writeBoundary: (row) => ask((store) => store.writeBoundary(row), undefined),
    writeAnswer: (key, answer) => ask((store) => store.writeAnswer(key, answer), undefined),
    addRequest: (request) => ask((store) => store.addRequest(request), undefined),
    addPing: (ping) => ask((store) => store.addPing(ping), undefined),
    listSessions: (which) => ask((store) => store.listSessions(which), []),
    listDays: (which) => ask((store) => store.listDays(which), []),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await within(patience, store?.close() ?? Promise.resolve()).catch(() => {});
    },
  };
}

const IN_MEMORY = "Coppice goes on in memory: after a restart, requests may be rewritten once, at full price";

class NoAnswer extends Error {}

/** @throws `NoAnswer` when it takes longer. */
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
