import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { OpenCodeHost } from "./host.ts";
import { readConversation, replaceAll, withoutTags } from "./messages.ts";

/** The requests that OpenCode sends to models: the session's own, and those for titles and summaries. */
export class Requests {
  readonly #plugin: Plugin;
  readonly #host: OpenCodeHost;
  /** Sessions whose next messages, or next system prompt, belong to OpenCode's own summary. */
  readonly #compacting = new Map<string, "messages" | "system">();

  constructor(plugin: Plugin, host: OpenCodeHost) {
    this.#plugin = plugin;
    this.#host = host;
  }

  /** Prunes the list in place. */
  async transform(messages: unknown[]): Promise<void> {
    const session = readConversation(messages)?.session;
    if (session === undefined) return;
    if (this.#compacting.get(session) === "messages") {
      this.#compacting.set(session, "system");
      const pruned = await this.#plugin.pruneForSummary(messages, session);
      replaceAll(messages, withoutTags(pruned, messages));
    } else {
      replaceAll(messages, await this.#plugin.prune(messages, session));
    }
  }

  /** Says that OpenCode's next request of this session is for a summary. */
  expectSummary(session: string): void {
    this.#compacting.set(session, "messages");
  }

  /** Appends to the last element, because OpenCode sets cache marks on the first two elements. */
  appendSystem(session: string | undefined, system: string[]): void {
    const isForSummary = session !== undefined && this.#compacting.get(session) === "system";
    if (isForSummary) this.#compacting.delete(session);
    const text = this.#plugin.systemText;
    if (isForSummary || text === undefined || system.length === 0 || isForTitle(system)) return;
    system[system.length - 1] = `${system.at(-1)}\n\n${text}`;
  }

  /** Handles the host's events that Coppice needs. */
  async observe(type: string, properties: unknown): Promise<void> {
    if (!isRecord(properties)) return;
    const { info, sessionID } = properties;
    if (type === "session.created" && isRecord(info)) this.#host.noteCreated(info);
    if (type === "message.updated" && isRecord(info)) this.#noteAnswer(info);
    if (typeof sessionID !== "string") return;
    if (type === "session.error" || type === "session.idle") this.#compacting.delete(sessionID);
    if (type !== "session.idle") return;
    await this.#plugin.record(sessionID);
    await this.#plugin.leave(sessionID);
  }

  /** OpenCode reports each change of a message. A summary answers one of OpenCode's own requests. */
  #noteAnswer(info: JsonRecord): void {
    const { sessionID, role, summary, time, error } = info;
    const isComplete = isRecord(time) && typeof time.completed === "number";
    if (typeof sessionID !== "string" || role !== "assistant" || summary === true || !isComplete) return;
    this.#plugin.answered(sessionID, { info, parts: [] }, error !== undefined);
  }
}

function isForTitle(system: readonly string[]): boolean {
  return system[0]?.startsWith("You are a title generator") === true;
}
