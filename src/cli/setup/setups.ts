import { join } from "node:path";
import { claudeFile } from "../clients/claude.ts";
import type { ClientPlace } from "../clients/client.ts";
import { codexFile, codexServer } from "../clients/codex.ts";
import { GEMINI, geminiLogin } from "../clients/gemini.ts";
import { qwenFile, qwenServer } from "../clients/qwen.ts";
import { readSettingsFile, textAt } from "../clients/read-settings-file.ts";
import type { FileChange } from "./change.ts";
import { envChange } from "./env-change.ts";
import { type JsonEntry, jsonChange } from "./json-change.ts";
import { tomlChange } from "./toml-change.ts";

/** How to set a client's model address to a proxy permanently. */
export interface Setup {
  /** The changes for a proxy at this address. `statusLine` is the value of Claude Code's setting. */
  changes(place: ClientPlace, url: string, statusLine?: unknown): readonly FileChange[];
  /** The text after the proxy's address in the client's settings. */
  readonly path: string;
  /** The reason why the setup would not work. */
  refusal?(place: ClientPlace): string | undefined;
  /** Further steps for the user, in lines of at most 80 columns. */
  hint?(url: string): string;
}

export const SETUPS: Readonly<Record<string, Setup>> = {
  claude: {
    path: "/anthropic",
    changes: (place, url, statusLine) => [
      jsonChange(claudeFile(place), [
        { path: ["env", "ANTHROPIC_BASE_URL"], value: `${url}/anthropic` },
        ...claudeToolSearch(place),
        ...(statusLine === undefined ? [] : [{ path: ["statusLine"], value: statusLine } as const]),
      ]),
    ],
    hint: (url) =>
      `For the agent's tools:\n  claude mcp add --scope user --transport http coppice ${url}/mcp`,
  },
  codex: {
    path: "/v1",
    changes: (place, url) => [
      tomlChange(codexFile(place), {
        top: ["openai_base_url", `${url}/v1`],
        table: ["mcp_servers.coppice", codexServer(`${url}/mcp`)],
      }),
    ],
  },
  gemini: {
    path: "/gemini",
    refusal: (place) => (geminiLogin(place) === "gemini-api-key" ? undefined : GEMINI.detours?.(place)[0]),
    changes: ({ home }, url) => [
      envChange(join(home, ".gemini/.env"), "GOOGLE_GEMINI_BASE_URL", `${url}/gemini`),
      jsonChange(join(home, ".gemini/settings.json"), [
        { path: ["mcpServers", "coppice"], value: { httpUrl: `${url}/mcp` } },
      ]),
    ],
  },
  qwen: {
    path: "/v1",
    changes: (place, url) => [
      jsonChange(qwenFile(place), [
        { path: ["env", "OPENAI_BASE_URL"], value: `${url}/v1` },
        { path: ["mcpServers", "coppice"], value: qwenServer(`${url}/mcp`) },
      ]),
    ],
    hint: () =>
      "The proxy sends these requests to OpenAI. For DashScope, Qwen Code's default, give init\n(or coppice proxy, without the service):\n  --upstream openai=https://dashscope.aliyuncs.com/compatible-mode",
  },
};

/** The same as `wrap`; the user's own value stays. */
function claudeToolSearch(place: ClientPlace): readonly JsonEntry[] {
  const own = textAt(readSettingsFile(claudeFile(place)), "env", "ENABLE_TOOL_SEARCH");
  const isOther = own !== undefined && own !== "true";
  return isOther || place.env.ENABLE_TOOL_SEARCH !== undefined
    ? []
    : [{ path: ["env", "ENABLE_TOOL_SEARCH"], value: "true" }];
}
