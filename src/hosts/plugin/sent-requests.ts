import type { ModelOverrides } from "../../models/profile.ts";
import { profileCachedFor, profileFor } from "../../models/profile-for.ts";
import { priceAnswer } from "../../reports/price-answer.ts";
import type { Report } from "../../reports/report.ts";
import type { RequestSums, Store } from "../../stores/store.ts";
import type { Usage } from "../../transcript/message.ts";

export interface SentRequestsOptions {
  /** Called once, at the first request. */
  readonly open: () => Promise<Store | undefined>;
  readonly client: string;
  /** Only the last name of the path is kept. */
  readonly folder: string;
  /** Values that override the price library. */
  readonly prices: ModelOverrides;
  readonly clock?: () => number;
}

/** A request that waits for its answer. */
interface Pending {
  readonly report: Report;
  readonly sums: RequestSums;
}

interface Session {
  /** Keys of its requests: one that is sent again counts once. */
  readonly keys: Set<string>;
  readonly pending: Pending[];
  /** Answers that were reported: hosts report an answer several times. */
  readonly answers: Set<unknown>;
}

/** The most sessions whose requests are kept in memory. */
const SESSIONS_KEPT = 32;

/**
 * Records each answered request once in a store, with the agent's work. Nothing here throws, and nobody has to wait
 * for it. Answers come in the order of their requests, but one may come after the next request.
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
    // The messages could not be read.
    if (key === "") return;
    const { keys, pending } = this.#enter(session);
    if (keys.has(key)) return;
    keys.add(key);
    const { client, folder, clock = Date.now } = this.#options;
    pending.push({ report, sums: { session, time: clock(), client, folder, ...sumsOf(report) } });
    this.#store ??= this.#open();
  }

  answered(session: string, id: unknown, usage: Usage | undefined): void {
    const request = this.#take(session, id);
    if (!request) return;
    const { report, sums } = request;
    const { model, terms, status } = report;
    const profile = profileCachedFor(profileFor(model.id, this.#options.prices), terms.ttl);
    const dollars = priceAnswer(report, usage, profile, status !== "on");
    this.#write({
      ...sums,
      ...(dollars && { costWith: dollars.with, costWithout: dollars.without, cost: dollars.with }),
      ...(usage && { usage }),
    });
  }

  /** Without an answer, the request cost nothing, and may be sent again. */
  failed(session: string, id: unknown): void {
    const request = this.#take(session, id);
    if (request) this.#sessions.get(session)?.keys.delete(request.report.key);
  }

  /** Drops requests that have no answer yet. Resolves when everything is written. */
  async ended(session: string): Promise<void> {
    this.#sessions.get(session)?.pending.splice(0);
    await this.#written;
  }

  #enter(id: string): Session {
    const session = this.#sessions.get(id) ?? { keys: new Set(), pending: [], answers: new Set() };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS_KEPT && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  /** The request that this answer belongs to. */
  #take(session: string, answer: unknown): Pending | undefined {
    const { answers, pending } = this.#sessions.get(session) ?? {};
    if (!answers || answers.has(answer)) return undefined;
    answers.add(answer);
    return pending?.shift();
  }

  /** Opened while the model works, because creating the file takes some milliseconds. */
  async #open(): Promise<Store | undefined> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#options.open().catch(() => undefined);
  }

  #write(sums: RequestSums): void {
    this.#written = Promise.all([this.#store, this.#written]).then(([store]) =>
      store?.addRequest(sums).catch(() => undefined),
    );
  }
}

/**
 * The tokens that were sent. While Coppice is off or in shadow mode, requests are unchanged; possible savings are
 * not counted.
 */
function sumsOf({ status, model, tokens, cut, work }: Report): Omit<RequestSums, "session" | "time"> {
  const isOn = status === "on";
  return {
    ...(model.id !== "" && { model: model.id }),
    tokensWith: isOn ? tokens.after : tokens.before,
    tokensWithout: tokens.before,
    cuts: isOn && cut ? 1 : 0,
    work: work.newest,
  };
}
