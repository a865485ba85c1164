import { join } from "node:path";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { loadConfig } from "../../config/files.ts";
import { readPiCommand } from "../../formats/pi/command.ts";
import { dataFolder } from "../../stores/data-folder.ts";
import { stripTags } from "../../transcript/own-tags.ts";
import { serialiseCommand } from "../../transcript/session-command.ts";
import { COMMAND_DESCRIPTION, COMMAND_NAMES } from "../plugin/commands.ts";
import { createDebugLog } from "../plugin/debug-log.ts";
import { Plugin } from "../plugin/plugin.ts";
import { StatisticsFile } from "../plugin/statistics-file.ts";
import { COMMAND_ENTRY, placeCommands } from "./branch.ts";
import type { PiApi, PiContext } from "./pi-api.ts";
import { PiHost } from "./pi-host.ts";
import { extendSystemPrompt } from "./system-prompt.ts";

/* The connection to the extension interface of pi and oh-my-pi. Only this file knows its events. */

/**
 * pi loads a module by its default export.
 *
 * @param api the object that pi passes to an extension. Its type differs between versions.
 */
export default function coppice(api: object): void {
  const pi = api as PiApi;
  const directory = process.cwd();
  const isOther = isOhMyPi(pi);
  const settings = loadConfig({ host: isOther ? "omp" : "pi", directory });
  if (!settings.config.enabled) return;
  const host = new PiHost();
  const plugin = new Plugin({
    host,
    client: isOther ? "oh-my-pi" : "pi",
    settings,
    directory,
    statistics: new StatisticsFile(join(dataFolder(), "coppice/statistics.json")),
    log: settings.config.debug ? createDebugLog(join(dataFolder(), "coppice/pi.log")) : () => {},
  });

  const listen = (
    event: string,
    what: string,
    handle: (event: JsonRecord, session: string, context: PiContext) => unknown,
  ): void => {
    pi.on(event, async (event, context) => {
      try {
        return await handle(event, host.enter(context), context);
      } catch (error) {
        plugin.fail(what, error);
        return undefined;
      }
    });
  };

  const prune = async ({ messages }: JsonRecord, session: string, { sessionManager }: PiContext) => {
    if (!Array.isArray(messages)) return undefined;
    const pruned = await plugin.prune(placeCommands(messages, sessionManager.getBranch()), session);
    return { messages: pruned.filter((message) => !readPiCommand(message)) };
  };

  listen("context", "pruning", (event, session, context) =>
    comesAgain(event, context) ? undefined : prune(event, session, context),
  );
  listen("context_with_system", "pruning", prune);
  listen("before_agent_start", "writing the system text", (event) =>
    plugin.systemText === undefined ? undefined : extendSystemPrompt(event, plugin.systemText),
  );
  listen("message_end", "removing tags", ({ message }) => withoutTags(message));
  listen("message_end", "counting a request", ({ message }, session) => {
    if (!isRecord(message) || message.role !== "assistant") return;
    const { stopReason } = message;
    plugin.answered(session, message, stopReason === "error" || stopReason === "aborted");
  });
  listen("agent_end", "recording the statistics", (_, session) => plugin.record(session));
  listen("session_shutdown", "leaving a session", async (_, session, context) => {
    host.leave(context);
    await plugin.leave(session);
  });

  for (const tool of plugin.tools) {
    const { name, description, parameters } = tool;
    pi.registerTool({
      name,
      label: name,
      description,
      parameters,
      loadMode: "essential",
      approval: "read",
      async execute(_callId, input, _signal, _onUpdate, context) {
        const text = await plugin.answer(tool, host.enter(context), input);
        return { content: [{ type: "text", text }], details: {} };
      },
    });
  }

  const command = {
    description: COMMAND_DESCRIPTION,
    async handler(text: string, context: PiContext): Promise<void> {
      try {
        const { shown, change } = await plugin.runCommand(text, host.enter(context));
        if (change) pi.appendEntry(COMMAND_ENTRY, serialiseCommand(change));
        if (context.hasUI) context.ui.notify(shown, "info");
        // Standard output may carry a protocol.
        else console.error(shown);
      } catch (error) {
        plugin.fail("running the command", error);
      }
    },
  };
  if (settings.config.commands.enabled) for (const name of COMMAND_NAMES) pi.registerCommand(name, command);
}

/** Only oh-my-pi passes its own exports to extensions. */
function isOhMyPi(pi: object): boolean {
  return "pi" in pi;
}

/**
 * Since 0.87, pi keeps its system prompt in the history, hides it from `context`, and then shows all messages in
 * `context_with_system`. Messages that are pruned in `context` get the whole prompt at the front, and so no longer
 * begin like the request before.
 */
function comesAgain({ messages }: JsonRecord, { sessionManager }: PiContext): boolean {
  const isSystem = (message: unknown) => isRecord(message) && message.role === "system";
  if (!Array.isArray(messages) || messages.some(isSystem)) return false;
  return sessionManager.getBranch().some((entry) => isRecord(entry) && isSystem(entry.message));
}

/** The model's answer without copied tags; `undefined` if it has none. */
function withoutTags(message: unknown): { readonly message: JsonRecord } | undefined {
  if (!isRecord(message) || message.role !== "assistant" || !Array.isArray(message.content)) return undefined;
  let changed = false;
  const content = message.content.map((block: unknown) => {
    if (!isRecord(block) || block.type !== "text" || typeof block.text !== "string") return block;
    const text = stripTags(block.text);
    changed ||= text !== block.text;
    return { ...block, text };
  });
  return changed ? { message: { ...message, content } } : undefined;
}
