import { readAgentSettings } from "../../agent/agent-settings.ts";
import type { AgentView } from "../../agent/agent-view.ts";
import { answerInfo } from "../../agent/answer-info.ts";
import { answerPrune } from "../../agent/answer-prune.ts";
import { answerRecall } from "../../agent/answer-recall.ts";
import { explainRef } from "../../agent/explain-ref.ts";
import { formatNotice } from "../../agent/notice.ts";
import { formatStatistics, makeStatistics, type Statistics } from "../../agent/statistics.ts";
import { listAgentTools, type ToolDefinition } from "../../agent/tool-definitions.ts";
import type { Config } from "../../config/config.ts";
import type { LoadedConfig } from "../../config/files.ts";
import type { Ref } from "../../edits/edit.ts";
import { isRef } from "../../edits/refs.ts";
import type { Issue } from "../../issue.ts";
import { isRecord } from "../../json.ts";
import { createPruner, type Pruner } from "../../pruner.ts";
import type { Report } from "../../report.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { VERSION } from "../../version.ts";
import { type Asked, describeChange, makeParts, readArguments, USAGE } from "./commands.ts";
import { Complaints } from "./complaints.ts";
import { type Host, hasParent } from "./host.ts";
import { overridesFrom } from "./host-models.ts";
import { listEpochs } from "./list-epochs.ts";
import { listUsages, readConversation, replaceAll, withoutTags } from "./messages.ts";
import type { StatisticsFile } from "./statistics-file.ts";
import { SYSTEM_TEXT } from "./system-text.ts";

export interface PluginSetup {
  readonly host: Host;
  readonly settings: LoadedConfig;
  /** The project's folder. */
  readonly directory: string;
  readonly statistics: StatisticsFile;
  readonly log: (event: object) => void;
}

/** A tool that the agent may call. */
export interface AgentTool extends ToolDefinition {
  readonly answer: (input: unknown, view: AgentView) => string;
}

const ANSWERS: Readonly<Record<string, AgentTool["answer"]>> = {
  context_prune: answerPrune,
  context_recall: answerRecall,
  context_info: answerInfo,
};

/** A session's last request. */
interface Seen {
  readonly messages: readonly unknown[];
  readonly report: Report;
}

/** Sessions whose last request is kept in memory. */
const SESSIONS = 32;

/**
 * Coppice in OpenCode's terms, but not in the shape of its hooks: those are `server.ts`. State is the fold over each
 * session's own messages; what is kept here is what the host told, and the last report of each session.
 */
export class Plugin {
  readonly tools: readonly AgentTool[];
  readonly #setup: PluginSetup;
  readonly #complaints: Complaints;
  readonly #seen = new Map<string, Seen>();
  readonly #subagents = new Map<string, boolean>();
  /** Sessions whose next list of messages, or next system prompt, is for OpenCode's own summary. */
  readonly #compacting = new Map<string, "messages" | "system">();
  #pruner: Promise<Pruner> | undefined;

  constructor(setup: PluginSetup) {
    this.#setup = setup;
    this.#complaints = new Complaints(setup.host);
    this.#complaints.note(setup.settings.issues);
    this.tools = listAgentTools(readAgentSettings(this.config)).flatMap((tool) => {
      const answer = ANSWERS[tool.name];
      return answer ? [{ ...tool, answer }] : [];
    });
  }

  get config(): Config {
    return this.#setup.settings.config;
  }

  /** Something to tell the user as soon as the host can show it. */
  warn(issues: readonly Issue[]): void {
    this.#complaints.note(issues);
  }

  /** Something of ours broke; the host goes on with what it had. */
  fail(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#setup.log({ failed: what, why, stack: error instanceof Error ? error.stack : undefined });
    this.#complaints.tell([{ code: "host-failed", message: `${what} failed: ${why}`, severity: "error" }]);
  }

  /** Prunes the list in place. */
  async transform(messages: unknown[]): Promise<void> {
    const conversation = readConversation(messages);
    if (!conversation) return;
    const { session } = conversation;
    if (this.#compacting.get(session) === "messages") return this.#transformForSummary(messages, session);
    const started = performance.now();
    const report = await this.#prune(messages, session);
    this.#complaints.tell(report.issues);
    this.#notify(report);
    const { steps, cut, tokens, bill } = report;
    const ms = performance.now() - started;
    this.#setup.log({
      session,
      steps,
      messages: messages.length,
      cut,
      tokens,
      bill,
      issues: report.issues,
      ms,
    });
  }

  /** The next request of this session is for what OpenCode summarises. */
  expectSummary(session: string): void {
    this.#compacting.set(session, "messages");
  }

  /** To the last element: OpenCode marks each of the first two for the cache. */
  appendSystem(session: string | undefined, system: string[]): void {
    const isForSummary = session !== undefined && this.#compacting.get(session) === "system";
    if (isForSummary) this.#compacting.delete(session);
    if (isForSummary || system.length === 0 || isTitleRequest(system)) return;
    system[system.length - 1] = `${system.at(-1)}\n\n${SYSTEM_TEXT}`;
  }

  async answer(tool: AgentTool, session: string, input: unknown): Promise<string> {
    const view = (await this.#start()).agentView(session);
    if (!view) return "Nothing is known of this session yet.";
    const ref = isRecord(input) ? input.ref : undefined;
    const isMissing = typeof ref === "string" && isRef(ref) && !view.facts.refs.placeOf(ref);
    const earlier = isMissing && view.compacted ? await this.#findEarlier(session, ref) : undefined;
    return tool.answer(input, earlier ?? view);
  }

  /** Puts what the command says, and what it changes, in place of the command's own text. */
  async runCommand(name: string, session: string, text: string, parts: unknown[]): Promise<void> {
    const asked = readArguments(text);
    const shown = await this.#respond(asked, session);
    replaceAll(parts, makeParts(name, shown, asked.kind === "change" ? asked.command : undefined));
  }

  /** What goes on in the host, as far as it matters here. */
  observe(type: string, properties: unknown): void {
    if (!isRecord(properties)) return;
    const { info, sessionID } = properties;
    if (type === "session.created" && isRecord(info) && typeof info.id === "string")
      this.#subagents.set(info.id, hasParent(info));
    if (typeof sessionID !== "string") return;
    if (type === "session.error" || type === "session.idle") this.#compacting.delete(sessionID);
    if (type === "session.idle") this.#record(sessionID);
  }

  async #prune(messages: unknown[], session: string): Promise<Report> {
    const pruner = await this.#start();
    const model = readConversation(messages)?.model;
    const subagent = await this.#isSubagent(session);
    const pruned = pruner.prune(messages, {
      session,
      subagent,
      ...(model !== undefined && { model }),
    });
    this.#remember(session, pruned);
    replaceAll(messages, pruned.messages);
    return pruned.report;
  }

  /** A summary is made of a part of the history: under a name of its own it leaves the session's memory alone, without notes. */
  async #transformForSummary(messages: unknown[], session: string): Promise<void> {
    this.#compacting.set(session, "system");
    const pruner = await this.#start();
    const pruned = pruner.prune(messages, { session: `${session} summary`, subagent: true });
    replaceAll(messages, withoutTags(pruned.messages, messages));
  }

  #notify(report: Report): void {
    const { pruneNotification, tools } = this.config;
    const message = formatNotice(report, pruneNotification, tools.distill);
    if (message !== undefined) this.#setup.host.toast({ message, variant: "info", duration: 4_000 });
  }

  async #respond(asked: Asked, session: string): Promise<string> {
    if (asked.kind === "usage") return USAGE;
    if (asked.kind === "change") return describeChange(asked.command);
    const seen = await this.#look(session);
    const view = (await this.#start()).agentView(session);
    if (!seen || !view) return "Nothing was sent in this session yet.";
    switch (asked.kind) {
      case "explain":
        return explainRef(asked.ref, seen.report, view);
      case "context":
        return answerInfo({}, view);
      case "stats":
        return this.#describe(session, statisticsOf(seen));
    }
  }

  #describe(session: string, own: Statistics): string {
    const { settings, statistics } = this.#setup;
    statistics.record(session, own);
    const problems = this.#complaints.all;
    return [
      `Coppice ${VERSION}`,
      formatStatistics(own, statistics.total()),
      `Protected tools: ${this.config.tools.settings.protectedTools.join(", ")}`,
      `Settings: ${settings.files.length > 0 ? settings.files.join(", ") : "no files"}`,
      ...(problems.length > 0 ? [["Problems", ...problems].join("\n  ")] : []),
    ].join("\n\n");
  }

  /** The session as of its last request; after a restart found again in its stored messages. */
  async #look(session: string): Promise<Seen | undefined> {
    if (!this.#seen.has(session)) {
      const sent = listEpochs(await this.#setup.host.listMessages(session)).at(-1) ?? [];
      if (sent.length > 0) await this.#prune([...sent], session);
    }
    return this.#seen.get(session);
  }

  /** A compaction takes older messages out of the list, but not out of OpenCode's storage. */
  async #findEarlier(session: string, ref: Ref): Promise<AgentView | undefined> {
    const pruner = await this.#start();
    const name = `${session} earlier`;
    const epochs = listEpochs(await this.#setup.host.listMessages(session));
    for (const messages of epochs.slice(0, -1).reverse()) {
      pruner.prune(messages, { session: name });
      const view = pruner.agentView(name);
      if (view?.facts.refs.placeOf(ref)) return view;
    }
    return undefined;
  }

  #remember(session: string, seen: Seen): void {
    this.#seen.delete(session);
    this.#seen.set(session, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > SESSIONS && oldest !== undefined) this.#seen.delete(oldest);
  }

  async #isSubagent(session: string): Promise<boolean> {
    const known = this.#subagents.get(session);
    if (known !== undefined) return known;
    const asked = await this.#setup.host.isSubagent(session);
    this.#subagents.set(session, asked);
    return asked;
  }

  #record(session: string): void {
    const seen = this.#seen.get(session);
    if (seen) this.#setup.statistics.record(session, statisticsOf(seen));
  }

  #start(): Promise<Pruner> {
    this.#pruner ??= this.#createPruner();
    return this.#pruner;
  }

  /** Once the host can be asked for its models: while plugins load it can't. */
  async #createPruner(): Promise<Pruner> {
    const { host, directory } = this.#setup;
    const { config } = this;
    const prices = overridesFrom(await host.listModels(), config.schedule.prices);
    const overhead = [
      SYSTEM_TEXT,
      ...this.tools.map(({ name, description, parameters }) =>
        JSON.stringify({ name, description, parameters }),
      ),
    ];
    return createPruner({
      format: "opencode",
      config: { ...config, schedule: { ...config.schedule, prices } },
      agentTools: true,
      overheadTokens: estimateTokens(overhead.join("\n")),
      directory,
    });
  }
}

function statisticsOf({ report, messages }: Seen): Statistics {
  return makeStatistics(report, listUsages(messages));
}

function isTitleRequest(system: readonly string[]): boolean {
  return system[0]?.startsWith("You are a title generator") === true;
}
