import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import type { AgentTool } from "../../answers/agent-tools.ts";
import { answerInfo } from "../../answers/answer-info.ts";
import { describeError } from "../../basics/issue.ts";
import { isRecord } from "../../basics/json.ts";
import { VERSION } from "../../basics/version.ts";
import type { Config } from "../../config/config.ts";
import type { LoadedConfig } from "../../config/files.ts";
import { formatByName } from "../../formats/detect.ts";
import { createPruner } from "../../pruner.ts";
import { explainRef } from "../../reports/explain-ref.ts";
import { formatNotice } from "../../reports/notice.ts";
import type { Report } from "../../reports/report.ts";
import { formatStatistics } from "../../reports/statistics.ts";
import { isRef } from "../../transcript/refs.ts";
import type { SessionChange } from "../../transcript/session-command.ts";
import { answerIn, HostService, NOTHING_YET } from "../host-service.ts";
import type { AgentHost } from "./agent-host.ts";
import { describeChange, readArguments, type SlashCommand, USAGE } from "./commands.ts";
import { overridesFrom } from "./model-overrides.ts";
import { openSharedStore } from "./open-shared-store.ts";
import { SentRequests } from "./sent-requests.ts";
import { Sessions } from "./sessions.ts";
import type { StatisticsFile } from "./statistics-file.ts";

export interface PluginSetup {
  readonly host: AgentHost;
  /** The agent's name in the store. */
  readonly client: string;
  readonly settings: LoadedConfig;
  /** The project's folder. */
  readonly directory: string;
  readonly statistics: StatisticsFile;
  readonly log: (event: object) => void;
}

/** The text that a slash command shows, and the change that it makes to the session. */
export interface CommandOutcome {
  readonly shown: string;
  readonly change?: SessionChange;
}

/**
 * The host service for agents that people use: prunes their requests, answers their model and their user, and keeps
 * statistics. The state is in the host's own history.
 */
export class Plugin extends HostService {
  /** Text to append to the system prompt; none in shadow mode. */
  readonly systemText: string | undefined;
  readonly #setup: PluginSetup;
  readonly #requests: SentRequests;
  #sessions: Promise<Sessions> | undefined;

  constructor(setup: PluginSetup) {
    super(setup.settings.config, ({ severity }, text) => setup.host.notify(text, severity));
    this.#setup = setup;
    this.note(setup.settings.issues);
    const { client, directory } = setup;
    this.#requests = new SentRequests({
      client,
      folder: directory,
      prices: setup.settings.config.schedule.prices,
      open: () =>
        openSharedStore({
          setting: this.config.statistics.store,
          directory,
          report: (issue) => this.tell(issue),
        }),
    });
    this.systemText = this.config.shadow ? undefined : SYSTEM_TEXT;
  }

  get config(): Config {
    return this.#setup.settings.config;
  }

  override fail(what: string, error: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined;
    this.#setup.log({ failed: what, why: describeError(error), stack });
    super.fail(what, error);
  }

  /** Returns the messages to send instead. */
  async prune(messages: readonly unknown[], session: string): Promise<readonly unknown[]> {
    const sessions = await this.#start();
    const started = performance.now();
    const pruned = await sessions.prune(messages, session);
    this.#tell(session, pruned.report, performance.now() - started);
    this.#requests.sent(session, pruned.report);
    return pruned.messages;
  }

  /** Call this when an answer of the session's model is complete or has failed. Repeated calls are allowed. */
  answered(session: string, message: unknown, isFailed: boolean): void {
    const { id, time, usage } = formatByName(this.#setup.host.format).decode(message);
    if (isFailed && !usage) this.#requests.failed(session, id ?? time);
    else this.#requests.answered(session, id ?? time, usage);
  }

  /** Call this when no more answers will come. Resolves when the session's requests are recorded. */
  async leave(session: string): Promise<void> {
    await this.#requests.ended(session);
  }

  /** Returns the messages for a request in which the host summarises the session. */
  async pruneForSummary(messages: readonly unknown[], session: string): Promise<readonly unknown[]> {
    return (await this.#start()).pruneForSummary(messages, session);
  }

  /** Answers a call of one of our tools; never rejects. */
  async answer(tool: AgentTool, session: string, input: unknown): Promise<string> {
    try {
      return await this.#answer(tool, session, input);
    } catch (error) {
      return this.failedAnswer(tool.name, error);
    }
  }

  /** Runs a slash command. The host has to add the change itself to its history. */
  async runCommand(text: string, session: string): Promise<CommandOutcome> {
    const command = readArguments(text);
    const shown = await this.#respond(command, session);
    return command.kind === "change" ? { shown, change: command.command } : { shown };
  }

  /** Call this at the end of a turn. */
  async record(session: string): Promise<void> {
    const statistics = await (await this.#sessions)?.statisticsOf(session);
    if (statistics) this.#setup.statistics.record(session, statistics);
  }

  async #answer(tool: AgentTool, session: string, input: unknown): Promise<string> {
    const sessions = await this.#start();
    const view = sessions.viewOf(session);
    if (!view) return answerIn(tool, input, view);
    const ref = isRecord(input) ? input.ref : undefined;
    const isMissing = typeof ref === "string" && isRef(ref) && !view.facts.refs.placeOf(ref);
    const earlier = isMissing && view.compacted ? await sessions.findEarlier(session, ref) : undefined;
    return answerIn(tool, input, earlier ?? view);
  }

  #tell(session: string, report: Report, ms: number): void {
    const { status, steps, cut, uncut, refusals, tokens, bill, issues } = report;
    const { pruneNotification, tools } = this.config;
    this.tellFaults(report);
    const notice = status === "on" ? formatNotice(report, pruneNotification, tools.distill) : undefined;
    if (notice !== undefined) this.#setup.host.notify(notice, "info");
    this.#setup.log({ session, steps, cut, uncut, refusals, tokens, bill, issues, ms });
  }

  async #respond(command: SlashCommand, session: string): Promise<string> {
    if (command.kind === "usage") return USAGE;
    if (command.kind === "change") return describeChange(command.command);
    const sessions = await this.#start();
    const seen = await sessions.look(session);
    if (command.kind === "stats") return this.#describe(session, sessions);
    const view = sessions.viewOf(session);
    if (!seen || !view) return NOTHING_YET;
    return command.kind === "explain" ? explainRef(command.ref, seen.report, view) : answerInfo({}, view);
  }

  /** Also works before the first request, because version and settings are known from the start. */
  async #describe(session: string, sessions: Sessions): Promise<string> {
    const { settings, statistics } = this.#setup;
    const own = await sessions.statisticsOf(session);
    if (own) statistics.record(session, own);
    const problems = this.told;
    const { tools, commands } = this.config;
    const protectedTools = new Set([...tools.settings.protectedTools, ...commands.protectedTools]);
    return [
      `Coppice ${VERSION}`,
      own ? formatStatistics(own, statistics.total()) : NOTHING_YET,
      `Protected tools: ${[...protectedTools].join(", ")}`,
      ...(tools.settings.protectedCommands.length > 0
        ? [`Protected commands: ${tools.settings.protectedCommands.join(", ")}`]
        : []),
      `Settings: ${settings.files.length > 0 ? settings.files.join(", ") : "no files"}`,
      ...(problems.length > 0 ? [["Problems", ...problems].join("\n  ")] : []),
    ].join("\n\n");
  }

  #start(): Promise<Sessions> {
    this.#sessions ??= this.#openSessions();
    return this.#sessions;
  }

  /** Runs after loading, because hosts can't list their models while plugins load. */
  async #openSessions(): Promise<Sessions> {
    const { host, directory } = this.#setup;
    const { config } = this;
    const prices = overridesFrom(await host.listModels(), config.schedule.prices);
    const pruner = createPruner({
      format: host.format,
      config: { ...config, schedule: { ...config.schedule, prices } },
      agentTools: !config.shadow,
      overheadTokens: this.overheadTokens,
      directory,
    });
    return new Sessions(host, pruner);
  }
}
