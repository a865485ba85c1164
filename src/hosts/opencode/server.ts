import { pruneTool } from "../../agent/answer-prune.ts";
import { loadConfig } from "../../config/files.ts";
import { isRecord } from "../../json.ts";
import type { OpenCodeClient } from "./client.ts";
import { connectHost } from "./host.ts";
import { Plugin } from "./plugin.ts";

/*
 * The seam to OpenCode's plugin interface, version 1: all that knows its hooks stands in this file. A plugin of version 2
 * is another file like it around the same `Plugin`.
 */

interface PluginInput {
  readonly client: OpenCodeClient;
  readonly directory: string;
}

type Hook<I, O> = (input: I, output: O) => Promise<void>;

interface Hooks {
  readonly "experimental.chat.messages.transform"?: Hook<unknown, { readonly messages: unknown[] }>;
  readonly "experimental.chat.system.transform"?: Hook<unknown, { readonly system: string[] }>;
  readonly "experimental.session.compacting"?: Hook<{ readonly sessionID: string }, unknown>;
  readonly tool?: Readonly<Record<string, ToolHook>>;
}

interface ToolHook {
  readonly description: string;
  /** By name, a JSON schema; OpenCode takes each as required and checks nothing. */
  readonly args: Readonly<Record<string, object>>;
  execute(input: unknown, context: { readonly sessionID: string }): Promise<string>;
}

async function server(input: PluginInput, options?: unknown): Promise<Hooks> {
  const { directory } = input;
  const settings = loadConfig({
    host: "opencode",
    directory,
    ...(isRecord(options) && { overrides: options }),
  });
  if (!settings.config.enabled) return {};
  const plugin = new Plugin({ host: connectHost(input.client), settings, directory });

  /** What a hook throws would end the user's run. */
  const guard =
    <I, O>(hook: (input: I, output: O) => void | Promise<void>): Hook<I, O> =>
    async (given, output) => {
      try {
        await hook(given, output);
      } catch (error) {
        plugin.fail(error);
      }
    };

  return {
    "experimental.chat.messages.transform": guard((_, output) => plugin.transform(output.messages)),
    "experimental.chat.system.transform": guard((_, output) => plugin.appendSystem(output.system)),
    "experimental.session.compacting": guard(({ sessionID }) => plugin.expectSummary(sessionID)),
    tool: {
      [pruneTool.name]: {
        description: pruneTool.description,
        args: pruneTool.parameters.properties,
        execute: (given, { sessionID }) => plugin.answer(sessionID, given),
      },
    },
  };
}

// OpenCode loads a module by its default export.
const plugin: { readonly id: string; readonly server: typeof server } = { id: "coppice", server };
export default plugin;
