import { join } from "node:path";
import * as z from "zod";
import type { AgentTool } from "../../answers/agent-tools.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { loadConfig } from "../../config/files.ts";
import { dataFolder } from "../../stores/data-folder.ts";
import { stripTags } from "../../transcript/own-tags.ts";
import { COMMAND_DESCRIPTION, COMMAND_NAMES } from "../plugin/commands.ts";
import { createDebugLog } from "../plugin/debug-log.ts";
import { Plugin } from "../plugin/plugin.ts";
import { StatisticsFile } from "../plugin/statistics-file.ts";
import type { OpenCodeClient } from "./client.ts";
import { makeParts } from "./command-parts.ts";
import { connectHost } from "./host.ts";
import { replaceAll } from "./messages.ts";
import { Requests } from "./requests.ts";
import { findRivals } from "./rivals.ts";

/*
 * The connection to OpenCode's plugin interface, version 1. Only this file knows its hooks. Version 2 would need
 * another such file for the same `Plugin`.
 */

interface PluginInput {
  readonly client: OpenCodeClient;
  readonly directory: string;
}

type Hook<I, O> = (input: I, output: O) => Promise<void>;

interface Hooks {
  readonly config?: (config: JsonRecord) => Promise<void>;
  readonly event?: (input: {
    readonly event: { readonly type: string; readonly properties?: unknown };
  }) => Promise<void>;
  readonly "experimental.chat.messages.transform"?: Hook<unknown, { readonly messages: unknown[] }>;
  readonly "experimental.chat.system.transform"?: Hook<
    { readonly sessionID?: string },
    { readonly system: string[] }
  >;
  readonly "experimental.session.compacting"?: Hook<{ readonly sessionID: string }, unknown>;
  readonly "experimental.text.complete"?: Hook<unknown, { text: string }>;
  readonly "command.execute.before"?: Hook<CommandInput, { readonly parts: unknown[] }>;
  readonly tool?: Readonly<Record<string, ToolHook>>;
}

interface CommandInput {
  readonly command: string;
  readonly sessionID: string;
  readonly arguments: string;
}

interface ToolHook {
  readonly description: string;
  readonly args: Readonly<Record<string, unknown>>;
  execute(input: unknown, context: { readonly sessionID: string }): Promise<string>;
}

async function server(input: PluginInput, options?: unknown): Promise<Hooks> {
  const { client, directory } = input;
  const overrides = isRecord(options) ? options : {};
  const settings = loadConfig({ host: "opencode", directory, overrides });
  if (!settings.config.enabled) return {};
  const host = connectHost(client);
  const plugin = new Plugin({
    host,
    client: "opencode",
    settings,
    directory,
    statistics: new StatisticsFile(join(dataFolder(), "coppice/statistics.json")),
    log: settings.config.debug ? createDebugLog(join(dataFolder(), "opencode/log/coppice.log")) : () => {},
  });

  const requests = new Requests(plugin, host);
  const commands = new Set<string>();

  /** An error thrown by a hook would end the user's run. */
  const guard =
    <A extends readonly unknown[]>(what: string, hook: (...args: A) => void | Promise<void>) =>
    async (...args: A): Promise<void> => {
      try {
        await hook(...args);
      } catch (error) {
        plugin.fail(what, error);
      }
    };

  return {
    config: guard("reading OpenCode's configuration", (config) => {
      plugin.note(findRivals(config));
      if (settings.config.commands.enabled) for (const name of addCommands(config)) commands.add(name);
    }),
    event: guard("following the session", ({ event }) => requests.observe(event.type, event.properties)),
    "experimental.chat.messages.transform": guard("pruning", (_, output) =>
      requests.transform(output.messages),
    ),
    "experimental.chat.system.transform": guard("writing the system text", ({ sessionID }, output) =>
      requests.appendSystem(sessionID, output.system),
    ),
    "experimental.session.compacting": guard("handling the compaction", ({ sessionID }) =>
      requests.expectSummary(sessionID),
    ),
    "experimental.text.complete": guard("removing tags", (_, output) => {
      output.text = stripTags(output.text);
    }),
    "command.execute.before": guard(
      "running the command",
      async ({ command, sessionID, arguments: text }, { parts }) => {
        if (!commands.has(command)) return;
        const { shown, change } = await plugin.runCommand(text, sessionID);
        replaceAll(parts, makeParts(command, shown, change));
      },
    ),
    tool: Object.fromEntries(plugin.tools.map((tool) => [tool.name, toHook(tool, plugin)])),
  };
}

/** Adds our commands and returns their names. The user's command of the same name stays. */
function addCommands(config: JsonRecord): readonly string[] {
  const own = isRecord(config.command) ? config.command : {};
  const names = COMMAND_NAMES.filter((name) => !(name in own));
  const ours = names.map((name) => [
    name,
    { description: COMMAND_DESCRIPTION, template: `[The user ran /${name} $ARGUMENTS. Reply with just: ok]` },
  ]);
  Reflect.set(config, "command", { ...own, ...Object.fromEntries(ours) });
  return names;
}

function toHook(tool: AgentTool, plugin: Plugin): ToolHook {
  return {
    description: tool.description,
    args: makeArguments(tool.parameters),
    execute: (input, { sessionID }) => plugin.answer(tool, sessionID, input),
  };
}

/**
 * OpenCode passes JSON schemas of arguments through and leaves validation to us; we have a message for each
 * mistake. But it then makes all arguments required: optional ones need zod's types.
 */
function makeArguments({ properties, required }: AgentTool["parameters"]): Readonly<Record<string, unknown>> {
  const names = Object.keys(properties);
  if (names.every((name) => required.includes(name))) return properties;
  return Object.fromEntries(
    names.map((name) => {
      const type = z.fromJSONSchema(properties[name] as z.core.JSONSchema.JSONSchema);
      return [name, required.includes(name) ? type : type.optional()];
    }),
  );
}

// OpenCode loads a module by its default export.
const plugin: { readonly id: string; readonly server: typeof server } = { id: "coppice", server };
export default plugin;
