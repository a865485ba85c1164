import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { addressesIn, type Client } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

const ADDRESS = "GOOGLE_GEMINI_BASE_URL";
const DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";
const SYSTEM = "/etc/gemini-cli/system-defaults.json";

export const GEMINI: Client = {
  name: "gemini",
  title: "Gemini CLI",
  id: "gemini-cli",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",

  addresses: ({ env }) => addressesIn(env, "gemini", [ADDRESS]),

  detours({ env, home, directory }) {
    const type = [join(directory, ".gemini/settings.json"), join(home, ".gemini/settings.json")]
      .map((file) => textAt(readSettingsFile(file), "security", "auth", "selectedType"))
      .find((found) => found !== undefined);
    return [
      ...(env.GOOGLE_GENAI_USE_VERTEXAI === "true" || type === "vertex-ai" ? ["it uses Vertex AI"] : []),
      ...(env.GOOGLE_GENAI_USE_GCA === "true" || type === "oauth-personal"
        ? ["it is logged in with a Google account, and then asks another interface: use an API key"]
        : []),
    ];
  },

  point({ place: { env }, mcpUrl, base, keep }) {
    return {
      env: {
        [ADDRESS]: base("gemini"),
        ...(mcpUrl !== undefined && { [DEFAULTS]: keep("gemini.json", addServer(env[DEFAULTS], mcpUrl)) }),
      },
    };
  },
};

/** Defaults for the whole machine are the weakest settings: whatever the user has set counts beside them. */
function addServer(given: string | undefined, url: string): string {
  const file = given || SYSTEM;
  const settings = existsSync(dirname(file)) ? readSettingsFile(file) : {};
  const servers = settings.mcpServers;
  return JSON.stringify({
    ...settings,
    mcpServers: { ...(servers as object | undefined), coppice: { httpUrl: url, trust: true } },
  });
}
