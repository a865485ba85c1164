import { addressesIn, type Client } from "./client.ts";

const ADDRESS = "COPILOT_PROVIDER_BASE_URL";

/** Copilot accepts another address only if it uses the user's own provider. */
export const COPILOT: Client = {
  name: "copilot",
  title: "Copilot",
  id: "copilot",
  program: "copilot",
  install: "npm install -g @github/copilot",

  addresses: ({ env }) => addressesIn(env, upstreamOf(env.COPILOT_PROVIDER_TYPE), [ADDRESS]),

  detours: ({ env }) =>
    env[ADDRESS]
      ? env.COPILOT_PROVIDER_TYPE === "azure"
        ? ["its provider is of the type azure"]
        : []
      : [`with a GitHub login it uses GitHub's own servers: set ${ADDRESS} to use your own provider`],

  point({ place: { env }, mcpUrl, base }) {
    const servers = { mcpServers: { coppice: { type: "http", url: mcpUrl, tools: ["*"] } } };
    return {
      ...(env[ADDRESS] && { env: { [ADDRESS]: base(upstreamOf(env.COPILOT_PROVIDER_TYPE)) } }),
      args: mcpUrl === undefined ? [] : ["--additional-mcp-config", JSON.stringify(servers)],
    };
  },
};

function upstreamOf(type: string | undefined): string {
  return type === "anthropic" ? "anthropic" : "openai";
}
