import type { AgentView } from "../../agent/agent-view.ts";
import { remember } from "../../basics/remember.ts";
import type { PruneResult, Pruner } from "../../pruner.ts";
import { joinReports } from "../../reports/join-reports.ts";
import type { Report } from "../../reports/report.ts";
import { makeStatistics, type Statistics } from "../../reports/statistics.ts";
import type { Ref } from "../../transcript/refs.ts";
import type { AgentHost } from "./agent-host.ts";
import { listUsages } from "./list-usages.ts";
import { type Past, type PastSegment, readPast } from "./past.ts";

/** A session's last request. */
export interface Seen {
  readonly messages: readonly unknown[];
  readonly report: Report;
}

/** The most sessions whose last request is kept in memory. */
const SESSIONS_KEPT = 32;

/** The session name under which the pruner folds messages from before a compaction. */
const EARLIER = "earlier";

/** The data on each session: what the host knows, and its last request. Everything else is in its messages. */
export class Sessions {
  readonly #host: AgentHost;
  readonly #pruner: Pruner;
  readonly #seen = new Map<string, Seen>();
  readonly #subagents = new Map<string, boolean>();
  readonly #pasts = new Map<string, Past>();
  readonly #reportsOf = remember((past: Past) => past.segments.map((segment) => this.#fold(segment).report));

  constructor(host: AgentHost, pruner: Pruner) {
    this.#host = host;
    this.#pruner = pruner;
  }

  async prune(messages: readonly unknown[], session: string): Promise<PruneResult<unknown>> {
    const model = this.#host.modelOf(messages, session);
    const subagent = await this.#isSubagent(session);
    const status = (await this.#pastOf(session, messages))?.status;
    const known = { ...(model !== undefined && { model }), ...(status && { status }) };
    const pruned = this.#pruner.prune(messages, { session, subagent, ...known });
    this.#seen.delete(session);
    this.#seen.set(session, pruned);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > SESSIONS_KEPT && oldest !== undefined) this.#forget(oldest);
    return pruned;
  }

  /** A summary request has only part of the history, so it gets a separate session name and no reminders. */
  async pruneForSummary(messages: readonly unknown[], session: string): Promise<readonly unknown[]> {
    const status = (await this.#pastOf(session, messages))?.status;
    const known = { subagent: true, ...(status && { status }) };
    return this.#pruner.prune(messages, { session: `${session} summary`, ...known }).messages;
  }

  viewOf(session: string): AgentView | undefined {
    return this.#pruner.agentView(session);
  }

  /** The session at its last request. After a restart, it is rebuilt from its stored messages. */
  async look(session: string): Promise<Seen | undefined> {
    if (!this.#seen.has(session)) {
      const sent = (await this.#host.listSegments(session)).at(-1) ?? [];
      if (sent.length > 0) await this.prune(sent, session);
    }
    return this.#seen.get(session);
  }

  /** Looks for a ref in messages from before compactions, which the host still stores. */
  async findEarlier(session: string, ref: Ref): Promise<AgentView | undefined> {
    const past = await this.#pastOf(session, this.#seen.get(session)?.messages ?? []);
    for (const segment of past?.segments.toReversed() ?? []) {
      this.#fold(segment);
      const view = this.viewOf(EARLIER);
      if (view?.facts.refs.placeOf(ref)) return view;
    }
    return undefined;
  }

  /**
   * Covers all requests, including those before a compaction; `undefined` for a session without a request in this
   * process.
   */
  async statisticsOf(session: string): Promise<Statistics | undefined> {
    const seen = this.#seen.get(session);
    if (!seen) return undefined;
    const past = await this.#pastOf(session, seen.messages);
    const { format } = this.#host;
    if (!past) return makeStatistics(seen.report, listUsages(seen.messages, format));
    const messages = [...past.segments.flatMap((segment) => segment.messages), ...seen.messages];
    return makeStatistics(joinReports(this.#reportsOf(past), seen.report), listUsages(messages, format));
  }

  #fold({ messages, status }: PastSegment): PruneResult<unknown> {
    const known = { subagent: true, ...(status && { status }) };
    return this.#pruner.prune(messages, { session: EARLIER, ...known });
  }

  /** The messages from before the compaction that these messages begin with. */
  async #pastOf(session: string, messages: readonly unknown[]): Promise<Past | undefined> {
    const compaction = this.#host.findCompaction(messages);
    if (compaction === undefined) return undefined;
    const known = this.#pasts.get(session);
    if (known?.compaction === compaction) return known;
    const past = readPast(await this.#host.listSegments(session), compaction, this.#host.format);
    // If the host could not answer, nothing is kept, so that Coppice tries again.
    if (past.segments.length > 0) this.#pasts.set(session, past);
    return past;
  }

  #forget(session: string): void {
    this.#seen.delete(session);
    this.#pasts.delete(session);
  }

  async #isSubagent(session: string): Promise<boolean> {
    const known = this.#subagents.get(session);
    if (known !== undefined) return known;
    const isSubagent = await this.#host.isSubagent(session);
    this.#subagents.set(session, isSubagent);
    return isSubagent;
  }
}
