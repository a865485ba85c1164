import type { AgentView } from "../../agent/agent-view.ts";
import { makeStatistics, type Statistics } from "../../agent/statistics.ts";
import type { Ref } from "../../edits/edit.ts";
import type { PruneResult, Pruner } from "../../pruner.ts";
import type { Report } from "../../report.ts";
import type { Host } from "./host.ts";
import { listEpochs } from "./list-epochs.ts";
import { listUsages, readConversation } from "./messages.ts";

/** A session's last request. */
export interface Seen {
  readonly messages: readonly unknown[];
  readonly report: Report;
}

/** Sessions whose last request is kept in memory. */
const SESSIONS = 32;

/** What is known of each session: what the host told, and its last request. The rest is in its messages. */
export class Sessions {
  readonly #host: Host;
  readonly #pruner: Pruner;
  readonly #seen = new Map<string, Seen>();
  readonly #subagents: Map<string, boolean>;

  /** `subagents`: of which sessions it is known already whether they are one. */
  constructor(host: Host, pruner: Pruner, subagents: Map<string, boolean>) {
    this.#host = host;
    this.#pruner = pruner;
    this.#subagents = subagents;
  }

  async prune(messages: readonly unknown[], session: string): Promise<PruneResult<unknown>> {
    const model = readConversation(messages)?.model;
    const subagent = await this.#isSubagent(session);
    const pruned = this.#pruner.prune(messages, { session, subagent, ...(model !== undefined && { model }) });
    this.#seen.delete(session);
    this.#seen.set(session, pruned);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > SESSIONS && oldest !== undefined) this.#seen.delete(oldest);
    return pruned;
  }

  /** A summary is made of a part of the history: under a name of its own it leaves the memory alone; without reminders. */
  pruneForSummary(messages: readonly unknown[], session: string): readonly unknown[] {
    return this.#pruner.prune(messages, { session: `${session} summary`, subagent: true }).messages;
  }

  viewOf(session: string): AgentView | undefined {
    return this.#pruner.agentView(session);
  }

  /** The session as of its last request; after a restart found again in its stored messages. */
  async look(session: string): Promise<Seen | undefined> {
    if (!this.#seen.has(session)) {
      const sent = listEpochs(await this.#host.listMessages(session)).at(-1) ?? [];
      if (sent.length > 0) await this.prune(sent, session);
    }
    return this.#seen.get(session);
  }

  /** A compaction takes older messages out of the list, but not out of OpenCode's storage. */
  async findEarlier(session: string, ref: Ref): Promise<AgentView | undefined> {
    const name = `${session} earlier`;
    const epochs = listEpochs(await this.#host.listMessages(session));
    for (const messages of epochs.slice(0, -1).reverse()) {
      this.#pruner.prune(messages, { session: name, subagent: true });
      const view = this.#pruner.agentView(name);
      if (view?.facts.refs.placeOf(ref)) return view;
    }
    return undefined;
  }

  /** `undefined` for a session that made no request in this process. */
  statisticsOf(session: string): Statistics | undefined {
    const seen = this.#seen.get(session);
    return seen && makeStatistics(seen.report, listUsages(seen.messages));
  }

  async #isSubagent(session: string): Promise<boolean> {
    const known = this.#subagents.get(session);
    if (known !== undefined) return known;
    const asked = await this.#host.isSubagent(session);
    this.#subagents.set(session, asked);
    return asked;
  }
}
