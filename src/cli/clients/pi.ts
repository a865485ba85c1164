import { join } from "node:path";
import { isRecord } from "../../basics/json.ts";
import { type Address, type Client, type ClientPlace, PLUGIN_OFF } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

/** Providers that it knows, with the end of their usual address. */
const KNOWN: Readonly<Record<string, { upstream: string; path: string }>> = {
  anthropic: { upstream: "anthropic", path: "" },
  openai: { upstream: "openai", path: "/v1" },
  "openai-codex": { upstream: "chatgpt", path: "/backend-api" },
  google: { upstream: "gemini", path: "/v1beta" },
};

/**
 * It gets addresses from extensions, and does not support MCP. Its own extension (`coppice/pi`) has the agent's
 * tools.
 */
export const PI: Client = {
  name: "pi",
  title: "pi",
  id: "pi",
  program: "pi",
  install: "npm install -g @earendil-works/pi-coding-agent",

  addresses(place) {
    const file = modelsFile(place);
    const { providers } = readSettingsFile(file);
    return Object.entries(isRecord(providers) ? providers : {}).flatMap(
      ([name, provider]): readonly Address[] => {
        const url = textAt(provider, "baseUrl");
        return url === undefined || !/^[\w.-]+$/.test(name)
          ? []
          : [{ upstream: KNOWN[name]?.upstream ?? name, url, where: file }];
      },
    );
  },

  point({ place, base, keep }) {
    const own = PI.addresses(place).map(({ upstream }) => upstream);
    const addresses = Object.fromEntries([
      ...own.map((name) => [name, base(name)]),
      ...Object.entries(KNOWN).map(([name, { upstream, path }]) => [name, base(upstream, path)]),
    ]);
    return { env: PLUGIN_OFF, args: ["--extension", keep("pi.mjs", writeExtension(addresses))] };
  },
};

function modelsFile({ env, home }: ClientPlace): string {
  return join(env.PI_CODING_AGENT_DIR || join(home, ".pi/agent"), "models.json");
}

function writeExtension(addresses: Readonly<Record<string, string>>): string {
  return `export default (pi) => {
  for (const [name, baseUrl] of Object.entries(${JSON.stringify(addresses)})) pi.registerProvider(name, { baseUrl });
};
`;
}
