import type { Report } from "../../reports/report.ts";
import type { RequestSums, Store } from "../../stores/store.ts";
import type { Usage } from "../../transcript/message.ts";

export interface SentRequestsOptions {
  /** Called once, at the first request. */
  readonly open: () => Promise<Store | undefined>;
  readonly client: string;
  /** Its last name is kept. */
  readonly folder: string;
  readonly clock?: () => number;
}

/** A request that waits for its answer. */
interface Pending {
  readonly key: string;
  readonly sums: RequestSums;
}

interface Session {
  /** Of all its requests: one that is made again counts once. */
  readonly keys: Set<string>;
  readonly pending: Pending[];
  /** Of answers that were told of: hosts tell of one several times. */
  readonly answers: Set<unknown>;
}

/** Sessions that are known by their requests. */
const SESSIONS_KEPT = 32;
/** Hosts tell of an answer at about the time of the next request; one that waits longer gets none. */
const PENDING_KEPT = 2;

/**
 * Counts each request once in a store, with the usage of its answer, beside the agent's work: nothing here throws, and
 * nobody has to wait for it.
 */
export class SentRequests {
  readonly #options: SentRequestsOptions;
  readonly #sessions = new Map<string, Session>();
  #store: Promise<Store | undefined> | undefined;
  #written: Promise<unknown> = Promise.resolve();

  constructor(options: SentRequestsOptions) {
    this.#options = options;
  }

  sent(session: string, report: Report): void {
    const { key } = report;
    // Nothing is known of what could not be read.
    if (key === "") return;
    const { keys, pending } = this.#enter(session);
    if (keys.has(key)) return;
    keys.add(key);
    const { client, folder, clock = Date.now } = this.#options;
    const sums = { session, time: clock(), client, folder, ...sumsOf(report) };
    pending.push({ key, sums });
    this.#store ??= this.#open();
    for (const old of pending.splice(0, pending.length - PENDING_KEPT)) this.#write(old.sums);
  }

  /** The oldest request that waits in the session has this answer. Which it is does not matter to the sums. */
  answered(session: string, id: unknown, usage: Usage): void {
    const known = this.#sessions.get(session);
    if (!known || known.answers.has(id)) return;
    known.answers.add(id);
    const request = known.pending.shift();
    if (request) this.#write({ ...request.sums, usage });
  }

  /** What has no answer by now gets none. Resolves when all is written. */
  async ended(session: string): Promise<void> {
    for (const { sums } of this.#sessions.get(session)?.pending.splice(0) ?? []) this.#write(sums);
    await this.#written;
  }

  #enter(id: string): Session {
    const session = this.#sessions.get(id) ?? { keys: new Set(), pending: [], answers: new Set() };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS_KEPT && oldest !== undefined) {
      void this.ended(oldest);
      this.#sessions.delete(oldest);
    }
    return session;
  }

  /** While the model works: making the file takes some milliseconds. */
  async #open(): Promise<Store | undefined> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#options.open().catch(() => undefined);
  }

  #write(sums: RequestSums): void {
    const before = this.#written;
    this.#written = Promise.all([this.#store, before]).then(([store]) =>
      store?.addRequest(sums).catch(() => undefined),
    );
  }
}

/** What was sent. Where Coppice is off or only watches that is what came; what it would have saved is not counted. */
function sumsOf({ status, model, tokens, bill, cut }: Report): Omit<RequestSums, "session" | "time"> {
  const { dollars } = bill.added;
  const isOn = status === "on";
  return {
    ...(model.id !== "" && { model: model.id }),
    tokensWith: isOn ? tokens.after : tokens.before,
    tokensWithout: tokens.before,
    ...(dollars && {
      costWith: status === "shadow" ? dollars.without : dollars.with,
      costWithout: dollars.without,
    }),
    cuts: isOn ? (cut?.edits.filter(({ type }) => type !== "undo").length ?? 0) : 0,
  };
}
