import { join } from "node:path";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { type Address, addressesIn, type Client, type ClientPlace } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

const ADDRESS = "OPENAI_BASE_URL";

/** The default address of its OpenAI interface. */
const DASHSCOPE = "https://dashscope.aliyuncs.com/compatible-mode/v1";

export const QWEN: Client = {
  name: "qwen",
  title: "Qwen Code",
  id: "qwen-code",
  program: "qwen",
  install: "npm install -g @qwen-code/qwen-code",
  defaults: { openai: DASHSCOPE },

  addresses(place) {
    return [
      ...addressesIn(place.env, "openai", [ADDRESS]),
      ...listSettings(place).flatMap((file) => {
        const settings = readSettingsFile(file);
        return [textAt(settings, "env", ADDRESS), textAt(settings, "security", "auth", "baseUrl")].flatMap(
          (url): readonly Address[] => (url === undefined ? [] : [{ upstream: "openai", url, where: file }]),
        );
      }),
      ...addressesIn(place.env, "anthropic", ["ANTHROPIC_BASE_URL"]),
    ];
  },

  detours: (place) =>
    listSettings(place).flatMap((file) => {
      const providers = readSettingsFile(file).modelProviders;
      const hasAddress =
        isRecord(providers) &&
        Object.values(providers)
          .flat()
          .some((model) => textAt(model, "baseUrl"));
      return hasAddress ? [`the models in ${file} have their own addresses (modelProviders, baseUrl)`] : [];
    }),

  point({ mcpUrl, base }) {
    const servers = { mcpServers: { coppice: { ...qwenServer(String(mcpUrl)), trust: true } } };
    return {
      env: { [ADDRESS]: base("openai", "/v1"), ANTHROPIC_BASE_URL: base("anthropic") },
      args: mcpUrl === undefined ? [] : ["--mcp-config", JSON.stringify(servers)],
    };
  },
};

function listSettings(place: ClientPlace): readonly string[] {
  return [join(place.directory, ".qwen/settings.json"), qwenFile(place)];
}

export function qwenFile({ env, home }: ClientPlace): string {
  return join(env.QWEN_HOME || join(home, ".qwen"), "settings.json");
}

/** With this, the model need not search for its tools. */
export function qwenServer(url: string): JsonRecord {
  return { httpUrl: url, alwaysLoadTools: true };
}
