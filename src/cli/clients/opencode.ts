import { join } from "node:path";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { readJsonc } from "../../config/jsonc.ts";
import { opencodeFile } from "../opencode-files.ts";
import { type Address, type Client, type ClientPlace, PLUGIN_OFF } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

const CONTENT = "OPENCODE_CONFIG_CONTENT";

/** Providers that it knows, with the names of their keys and the end of their usual address. */
const KNOWN: Readonly<Record<string, { upstream: string; keys: readonly string[]; path: string }>> = {
  anthropic: { upstream: "anthropic", keys: ["ANTHROPIC_API_KEY"], path: "/v1" },
  openai: { upstream: "openai", keys: ["OPENAI_API_KEY"], path: "/v1" },
  google: {
    upstream: "gemini",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    path: "/v1beta",
  },
};

export const OPENCODE: Client = {
  name: "opencode",
  title: "OpenCode",
  id: "opencode",
  program: "opencode",
  install: "npm install -g opencode-ai",

  addresses: (place) =>
    listConfigs(place).flatMap(([where, config]) =>
      Object.entries(providersOf(config)).flatMap(([name, provider]): readonly Address[] => {
        const url = textAt(provider, "options", "baseURL");
        return url === undefined || !/^[\w.-]+$/.test(name)
          ? []
          : [{ upstream: KNOWN[name]?.upstream ?? name, url, where }];
      }),
    ),

  point({ place, mcpUrl, base, isNamed }) {
    const own = readJsonc(place.env[CONTENT] ?? "{}").value;
    const config = isRecord(own) ? own : {};
    const provider: Record<string, unknown> = { ...providersOf(config) };
    for (const name of listProviders(place)) {
      const known = KNOWN[name];
      const upstream = known?.upstream ?? name;
      if (!known && !isNamed(upstream)) continue;
      const before = isRecord(provider[name]) ? provider[name] : {};
      const options = isRecord(before.options) ? before.options : {};
      provider[name] = { ...before, options: { ...options, baseURL: base(upstream, known?.path) } };
    }
    const mcp = isRecord(config.mcp) ? config.mcp : {};
    const tools = mcpUrl && { mcp: { ...mcp, coppice: { type: "remote", url: mcpUrl, oauth: false } } };
    return { env: { [CONTENT]: JSON.stringify({ ...config, provider, ...tools }), ...PLUGIN_OFF } };
  },
};

/**
 * The providers that the user has a key for, or has set up. For others, OpenCode would start to offer their models.
 */
function listProviders(place: ClientPlace): readonly string[] {
  const { env, home } = place;
  const logins = readSettingsFile(
    join(env.XDG_DATA_HOME || join(home, ".local/share"), "opencode/auth.json"),
  );
  const keyed = Object.entries(KNOWN).filter(([, { keys }]) => keys.some((key) => env[key]));
  return [
    ...new Set([
      ...keyed.map(([name]) => name),
      ...Object.keys(logins).filter((name) => Object.hasOwn(KNOWN, name)),
      ...listConfigs(place).flatMap(([, config]) => Object.keys(providersOf(config))),
    ]),
  ];
}

/** The strongest first. */
function listConfigs({
  env,
  home,
  directory,
}: ClientPlace): readonly (readonly [where: string, config: JsonRecord])[] {
  const folders = { ...env, XDG_CONFIG_HOME: env.XDG_CONFIG_HOME || join(home, ".config") };
  const files = [opencodeFile(false, directory), env.OPENCODE_CONFIG, opencodeFile(true, directory, folders)];
  const content = readJsonc(env[CONTENT] ?? "{}").value;
  return [
    [CONTENT, isRecord(content) ? content : {}],
    ...files.flatMap((file) => (file ? [[file, readSettingsFile(file)] as const] : [])),
  ];
}

function providersOf({ provider }: JsonRecord): JsonRecord {
  return isRecord(provider) ? provider : {};
}
