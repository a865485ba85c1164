import { readAgentSettings } from "../../agent/agent-settings.ts";
import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { type AgentTool, makeAgentTools, measureOverhead } from "../../answers/agent-tools.ts";
import { answerInfo } from "../../answers/answer-info.ts";
import type { Issue } from "../../basics/issue.ts";
import { isRecord } from "../../basics/json.ts";
import { VERSION } from "../../basics/version.ts";
import type { Config } from "../../config/config.ts";
import type { LoadedConfig } from "../../config/files.ts";
import { createPruner } from "../../pruner.ts";
import { explainRef } from "../../reports/explain-ref.ts";
import { formatNotice } from "../../reports/notice.ts";
import type { Report } from "../../reports/report.ts";
import { formatStatistics } from "../../reports/statistics.ts";
import { isRef } from "../../transcript/refs.ts";
import { Complaints, listFaults } from "../conversation/complaints.ts";
import { type Asked, describeChange, makeParts, readArguments, USAGE } from "./commands.ts";
import { type Host, hasParent } from "./host.ts";
import { overridesFrom } from "./host-models.ts";
import { readConversation, replaceAll, withoutTags } from "./messages.ts";
import { Sessions } from "./sessions.ts";
import type { StatisticsFile } from "./statistics-file.ts";

export interface PluginSetup {
  readonly host: Host;
  readonly settings: LoadedConfig;
  /** The project's folder. */
  readonly directory: string;
  readonly statistics: StatisticsFile;
  readonly log: (event: object) => void;
}

const NOTHING_YET = "Nothing was sent in this session yet.";

/** Coppice in OpenCode's terms; `server.ts` connects it to OpenCode's hooks. */
export class Plugin {
  /** None in shadow mode: requests have to be what they are without Coppice. */
  readonly tools: readonly AgentTool[];
  /** Tokens that our tools and our system text add to every request. */
  readonly #overhead: number;
  readonly #setup: PluginSetup;
  readonly #complaints: Complaints;
  readonly #subagents = new Map<string, boolean>();
  /** Sessions whose next list of messages, or next system prompt, is for OpenCode's own summary. */
  readonly #compacting = new Map<string, "messages" | "system">();
  #sessions: Promise<Sessions> | undefined;

  constructor(setup: PluginSetup) {
    this.#setup = setup;
    this.#complaints = new Complaints(({ severity }, text) => {
      setup.host.log(severity === "error" ? "error" : "warn", text);
      setup.host.toast({ title: "Coppice", message: text, variant: severity, duration: 8_000 });
    });
    this.#complaints.note(setup.settings.issues);
    const tools = makeAgentTools(readAgentSettings(this.config));
    this.tools = this.config.shadow ? [] : tools;
    this.#overhead = measureOverhead(tools);
  }

  get config(): Config {
    return this.#setup.settings.config;
  }

  /** Something to tell the user as soon as the host can show it. */
  warn(issues: readonly Issue[]): void {
    this.#complaints.note(issues);
  }

  /** Logs and tells that something of ours failed; the host goes on with what it had. */
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
    const sessions = await this.#start();
    if (this.#compacting.get(session) === "messages") {
      this.#compacting.set(session, "system");
      replaceAll(messages, withoutTags(await sessions.pruneForSummary(messages, session), messages));
      return;
    }
    const started = performance.now();
    const pruned = await sessions.prune(messages, conversation);
    replaceAll(messages, pruned.messages);
    this.#tell(session, pruned.report, performance.now() - started);
  }

  /** The next request of this session is the one that OpenCode summarises it with. */
  expectSummary(session: string): void {
    this.#compacting.set(session, "messages");
  }

  /** Appends to the last element instead of adding one: OpenCode marks the first two elements for the cache. */
  appendSystem(session: string | undefined, system: string[]): void {
    const isForSummary = session !== undefined && this.#compacting.get(session) === "system";
    if (isForSummary) this.#compacting.delete(session);
    if (isForSummary || this.config.shadow || system.length === 0 || isTitleRequest(system)) return;
    system[system.length - 1] = `${system.at(-1)}\n\n${SYSTEM_TEXT}`;
  }

  async answer(tool: AgentTool, session: string, input: unknown): Promise<string> {
    const sessions = await this.#start();
    const view = sessions.viewOf(session);
    if (!view) return NOTHING_YET;
    const ref = isRecord(input) ? input.ref : undefined;
    const isMissing = typeof ref === "string" && isRef(ref) && !view.facts.refs.placeOf(ref);
    const earlier = isMissing && view.compacted ? await sessions.findEarlier(session, ref) : undefined;
    return tool.answer(input, earlier ?? view);
  }

  /** Replaces the command's own text by its output and by what it changes. */
  async runCommand(name: string, session: string, text: string, parts: unknown[]): Promise<void> {
    const asked = readArguments(text);
    const shown = await this.#respond(asked, session);
    replaceAll(parts, makeParts(name, shown, asked.kind === "change" ? asked.command : undefined));
  }

  /** Handles the host's events that matter here. */
  async observe(type: string, properties: unknown): Promise<void> {
    if (!isRecord(properties)) return;
    const { info, sessionID } = properties;
    if (type === "session.created" && isRecord(info) && typeof info.id === "string")
      this.#subagents.set(info.id, hasParent(info));
    if (typeof sessionID !== "string") return;
    if (type === "session.error" || type === "session.idle") this.#compacting.delete(sessionID);
    const sessions = type === "session.idle" ? await this.#sessions : undefined;
    const statistics = await sessions?.statisticsOf(sessionID);
    if (statistics) this.#setup.statistics.record(sessionID, statistics);
  }

  #tell(session: string, report: Report, ms: number): void {
    const { status, steps, cut, tokens, bill, issues } = report;
    const { pruneNotification, tools } = this.config;
    this.#complaints.tell(listFaults(issues));
    const notice = status === "on" ? formatNotice(report, pruneNotification, tools.distill) : undefined;
    if (notice !== undefined) this.#setup.host.toast({ message: notice, variant: "info", duration: 4_000 });
    this.#setup.log({ session, steps, cut, tokens, bill, issues, ms });
  }

  async #respond(asked: Asked, session: string): Promise<string> {
    if (asked.kind === "usage") return USAGE;
    if (asked.kind === "change") return describeChange(asked.command);
    const sessions = await this.#start();
    const seen = await sessions.look(session);
    if (asked.kind === "stats") return this.#describe(session, sessions);
    const view = sessions.viewOf(session);
    if (!seen || !view) return NOTHING_YET;
    return asked.kind === "explain" ? explainRef(asked.ref, seen.report, view) : answerInfo({}, view);
  }

  /** Also works before the first request: version and settings are known from the start. */
  async #describe(session: string, sessions: Sessions): Promise<string> {
    const { settings, statistics } = this.#setup;
    const own = await sessions.statisticsOf(session);
    if (own) statistics.record(session, own);
    const problems = this.#complaints.all;
    const { tools, commands } = this.config;
    const protectedTools = new Set([...tools.settings.protectedTools, ...commands.protectedTools]);
    return [
      `Coppice ${VERSION}`,
      own ? formatStatistics(own, statistics.total()) : NOTHING_YET,
      `Protected tools: ${[...protectedTools].join(", ")}`,
      `Settings: ${settings.files.length > 0 ? settings.files.join(", ") : "no files"}`,
      ...(problems.length > 0 ? [["Problems", ...problems].join("\n  ")] : []),
    ].join("\n\n");
  }

  #start(): Promise<Sessions> {
    this.#sessions ??= this.#openSessions();
    return this.#sessions;
  }

  /** Called later than at load, as the host can't be asked for its models while plugins load. */
  async #openSessions(): Promise<Sessions> {
    const { host, directory } = this.#setup;
    const { config } = this;
    const prices = overridesFrom(await host.listModels(), config.schedule.prices);
    const pruner = createPruner({
      format: "opencode",
      config: { ...config, schedule: { ...config.schedule, prices } },
      agentTools: !config.shadow,
      overheadTokens: this.#overhead,
      directory,
    });
    return new Sessions(host, pruner, this.#subagents);
  }
}

function isTitleRequest(system: readonly string[]): boolean {
  return system[0]?.startsWith("You are a title generator") === true;
}
