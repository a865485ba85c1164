import type { AgentView } from "../../agent/agent-view.ts";
import { remember } from "../../basics/remember.ts";
import type { PruneResult, Pruner } from "../../pruner.ts";
import { joinReports } from "../../reports/join-reports.ts";
import type { Report } from "../../reports/report.ts";
import { makeStatistics, type Statistics } from "../../reports/statistics.ts";
import type { Ref } from "../../transcript/refs.ts";
import type { Host } from "./host.ts";
import { listEpochs } from "./list-epochs.ts";
import { type Conversation, listUsages, readConversation } from "./messages.ts";
import { findCompaction, type Past, type PastEpoch, readPast } from "./past.ts";

/** A session's last request. */
export interface Seen {
  readonly messages: readonly unknown[];
  readonly report: Report;
}

/** Sessions whose last request is kept in memory. */
const SESSIONS_KEPT = 32;

/** Under this name the pruner folds what was before a compaction. */
const EARLIER = "earlier";

/** What is known of each session: what the host told, and its last request. The rest is in its messages. */
export class Sessions {
  readonly #host: Host;
  readonly #pruner: Pruner;
  readonly #seen = new Map<string, Seen>();
  readonly #subagents: Map<string, boolean>;
  readonly #pasts = new Map<string, Past>();
  readonly #reportsOf = remember((past: Past) => past.epochs.map((epoch) => this.#fold(epoch).report));

  /** `subagents`: of which sessions it is known already whether they are one. */
  constructor(host: Host, pruner: Pruner, subagents: Map<string, boolean>) {
    this.#host = host;
    this.#pruner = pruner;
    this.#subagents = subagents;
  }

  async prune(messages: readonly unknown[], { session, model }: Conversation): Promise<PruneResult<unknown>> {
    const subagent = await this.#isSubagent(session);
    const standing = (await this.#pastOf(session, messages))?.standing;
    const known = { ...(model !== undefined && { model }), ...(standing && { standing }) };
    const pruned = this.#pruner.prune(messages, { session, subagent, ...known });
    this.#seen.delete(session);
    this.#seen.set(session, pruned);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > SESSIONS_KEPT && oldest !== undefined) this.#forget(oldest);
    return pruned;
  }

  /** A summary is made of a part of the history: under a name of its own it leaves the memory alone; without reminders. */
  async pruneForSummary(messages: readonly unknown[], session: string): Promise<readonly unknown[]> {
    const standing = (await this.#pastOf(session, messages))?.standing;
    const known = { subagent: true, ...(standing && { standing }) };
    return this.#pruner.prune(messages, { session: `${session} summary`, ...known }).messages;
  }

  viewOf(session: string): AgentView | undefined {
    return this.#pruner.agentView(session);
  }

  /** The session as of its last request; after a restart found again in its stored messages. */
  async look(session: string): Promise<Seen | undefined> {
    if (!this.#seen.has(session)) {
      const sent = listEpochs(await this.#host.listMessages(session)).at(-1) ?? [];
      const conversation = readConversation(sent);
      if (conversation) await this.prune(sent, conversation);
    }
    return this.#seen.get(session);
  }

  /** A compaction takes older messages out of the list, but not out of OpenCode's storage. */
  async findEarlier(session: string, ref: Ref): Promise<AgentView | undefined> {
    const past = await this.#pastOf(session, this.#seen.get(session)?.messages ?? []);
    for (const epoch of past?.epochs.toReversed() ?? []) {
      this.#fold(epoch);
      const view = this.viewOf(EARLIER);
      if (view?.facts.refs.placeOf(ref)) return view;
    }
    return undefined;
  }

  /** Of all requests, those before a compaction too; `undefined` for a session that made none in this process. */
  async statisticsOf(session: string): Promise<Statistics | undefined> {
    const seen = this.#seen.get(session);
    if (!seen) return undefined;
    const past = await this.#pastOf(session, seen.messages);
    if (!past) return makeStatistics(seen.report, listUsages(seen.messages));
    const messages = [...past.epochs.flatMap((epoch) => epoch.messages), ...seen.messages];
    return makeStatistics(joinReports(this.#reportsOf(past), seen.report), listUsages(messages));
  }

  #fold({ messages, standing }: PastEpoch): PruneResult<unknown> {
    const known = { subagent: true, ...(standing && { standing }) };
    return this.#pruner.prune(messages, { session: EARLIER, ...known });
  }

  /** What stood before the compaction that these messages begin with. */
  async #pastOf(session: string, messages: readonly unknown[]): Promise<Past | undefined> {
    const compaction = findCompaction(messages);
    if (compaction === undefined) return undefined;
    const known = this.#pasts.get(session);
    if (known?.compaction === compaction) return known;
    const past = readPast(await this.#host.listMessages(session), compaction);
    // A host that could not be asked is asked again.
    if (past.epochs.length > 0) this.#pasts.set(session, past);
    return past;
  }

  #forget(session: string): void {
    this.#seen.delete(session);
    this.#pasts.delete(session);
  }

  async #isSubagent(session: string): Promise<boolean> {
    const known = this.#subagents.get(session);
    if (known !== undefined) return known;
    const asked = await this.#host.isSubagent(session);
    this.#subagents.set(session, asked);
    return asked;
  }
}
