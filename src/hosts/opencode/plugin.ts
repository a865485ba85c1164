import { answerPrune, pruneTool } from "../../agent/answer-prune.ts";
import type { LoadedConfig } from "../../config/files.ts";
import { createPruner, type Pruner } from "../../pruner.ts";
import type { Report } from "../../report.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { Complaints } from "./complaints.ts";
import type { Host } from "./host.ts";
import { overridesFrom } from "./host-models.ts";
import { readConversation, replaceAll, withoutTags } from "./messages.ts";
import { SYSTEM_TEXT } from "./system-text.ts";

export interface PluginSetup {
  readonly host: Host;
  readonly settings: LoadedConfig;
  /** The project's folder. */
  readonly directory: string;
}

/**
 * Coppice in OpenCode's terms, but not in the shape of its hooks: those are `server.ts`. State is the fold over each
 * session's own messages; what is kept here is what the host told, and the last report of each session.
 */
export class Plugin {
  readonly complaints: Complaints;
  readonly #setup: PluginSetup;
  readonly #reports = new Map<string, Report>();
  readonly #subagents = new Map<string, boolean>();
  /** Sessions whose next list of messages is for OpenCode's own summary. */
  readonly #compacting = new Set<string>();
  #pruner: Promise<Pruner> | undefined;

  constructor(setup: PluginSetup) {
    this.#setup = setup;
    this.complaints = new Complaints(setup.host);
    this.complaints.note(setup.settings.issues);
  }

  /** Prunes the list in place. */
  async transform(messages: unknown[]): Promise<void> {
    const conversation = readConversation(messages);
    if (!conversation) return;
    const { session, model } = conversation;
    const pruner = await this.#start();
    const forSummary = this.#compacting.delete(session);
    // A summary is made of a part of the history: under a name of its own it leaves the session's memory alone.
    const name = forSummary ? `${session} summary` : session;
    const pruned = pruner.prune(messages, { session: name, ...(model !== undefined && { model }) });
    replaceAll(messages, forSummary ? withoutTags(pruned.messages, messages) : pruned.messages);
    if (!forSummary) this.#reports.set(session, pruned.report);
    this.complaints.tell(pruned.report.issues);
  }

  /** The next list of messages of this session is what OpenCode summarises. */
  expectSummary(session: string): void {
    this.#compacting.add(session);
  }

  /** To the last element: OpenCode marks each of the first two for the cache. */
  appendSystem(system: string[]): void {
    if (system.length === 0 || isTitleRequest(system)) return;
    system[system.length - 1] = `${system.at(-1)}\n\n${SYSTEM_TEXT}`;
  }

  async answer(session: string, input: unknown): Promise<string> {
    const view = (await this.#start()).agentView(session);
    return view ? answerPrune(input, view) : "Nothing is known of this session yet.";
  }

  /** Something of ours broke; the host goes on with what it had. */
  fail(error: unknown): void {
    const message = `the request went out unpruned: ${error instanceof Error ? error.message : String(error)}`;
    this.complaints.tell([{ code: "fold-failed", message, severity: "error" }]);
  }

  #start(): Promise<Pruner> {
    this.#pruner ??= this.#createPruner();
    return this.#pruner;
  }

  /** Once the host can be asked for its models: while plugins load it can't. */
  async #createPruner(): Promise<Pruner> {
    const { host, settings, directory } = this.#setup;
    const { config } = settings;
    const prices = overridesFrom(await host.listModels(), config.schedule.prices);
    return createPruner({
      format: "opencode",
      config: { ...config, schedule: { ...config.schedule, prices } },
      agentTools: true,
      overheadTokens: estimateTokens(SYSTEM_TEXT + JSON.stringify(pruneTool)),
      directory,
    });
  }
}

function isTitleRequest(system: readonly string[]): boolean {
  return system[0]?.startsWith("You are a title generator") === true;
}
