import { join } from "node:path";
import type { JsonRecord } from "../../basics/json.ts";
import type { Address, Client, ClientPlace } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

export const CODEX: Client = {
  name: "codex",
  title: "Codex",
  id: "codex",
  program: "codex",
  install: "npm install -g @openai/codex",

  addresses(place) {
    const file = codexFile(place);
    const settings = readSettingsFile(file);
    const provider = ownProvider(settings);
    const url =
      provider === undefined
        ? textAt(settings, "openai_base_url")
        : textAt(settings, "model_providers", provider, "base_url");
    return url === undefined ? [] : [{ upstream: provider ?? "openai", url, where: file } satisfies Address];
  },

  detours(place) {
    const file = codexFile(place);
    const settings = readSettingsFile(file);
    const provider = ownProvider(settings);
    return provider === undefined || textAt(settings, "model_providers", provider, "base_url") !== undefined
      ? []
      : [`model_provider in ${file} is ${provider}, which has no address there`];
  },

  point({ place, url, mcpUrl, isNamed, base }) {
    const provider = ownProvider(readSettingsFile(codexFile(place)));
    const set = (key: string, value: unknown) => ["-c", `${key}=${JSON.stringify(value)}`];
    // Without a name in its path, the proxy recognises by a request's headers whether it uses an API key or a
    // ChatGPT login.
    const address = isNamed("openai") ? base("openai", "/v1") : `${url}/v1`;
    return {
      args: [
        ...(provider === undefined
          ? set("openai_base_url", address)
          : isNamed(provider)
            ? set(`model_providers.${provider}.base_url`, base(provider))
            : []),
        ...(mcpUrl === undefined
          ? []
          : Object.entries(codexServer(mcpUrl)).flatMap(([key, value]) =>
              set(`mcp_servers.coppice.${key}`, value),
            )),
      ],
    };
  },
};

/**
 * With this, calls of its tools are recorded as calls and not as JavaScript, and the model need not search for
 * them.
 */
export function codexServer(url: string): Readonly<Record<string, unknown>> {
  return { url, omit_tools_from: ["code_mode", "deferred"] };
}

export function codexFile({ env, home }: ClientPlace): string {
  return join(env.CODEX_HOME || join(home, ".codex"), "config.toml");
}

/** The user's own provider, if it is the effective one. */
function ownProvider(settings: JsonRecord): string | undefined {
  const provider = textAt(settings, "model_provider");
  return provider === "openai" ? undefined : provider;
}
