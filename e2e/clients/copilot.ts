import type { DialectName } from "../provider/dialects.ts";
import type { Client } from "./client.ts";
import { patch } from "./patch.ts";
import { printedLines, textIn } from "./printed-lines.ts";
import { installed } from "./programs.ts";

type CopilotDialect = Exclude<DialectName, "gemini">;

const WIRES: Readonly<Record<CopilotDialect, { type: string; api?: string; path: string; model: string }>> = {
  anthropic: { type: "anthropic", path: "", model: "claude-sonnet-4.5" },
  chat: { type: "openai", api: "completions", path: "/v1", model: "gpt-5.4" },
  responses: { type: "openai", api: "responses", path: "/v1", model: "gpt-5.4" },
};

function copilot(dialect: CopilotDialect): Client {
  const wire = WIRES[dialect];
  return {
    name: `Copilot 1.0.102 (${dialect})`,
    dialect,
    tools: {
      read: (path) => ({ name: "view", input: { path } }),
      edit: (path, before, after) =>
        dialect === "anthropic"
          ? { name: "edit", input: { path, old_str: before, new_str: after } }
          : { name: "apply_patch", input: patch(path, before, after) },
      shell: (command) => ({ name: "bash", input: { command, description: "Looks" } }),
      mcp: (name, input) => ({ name: `coppice-${name}`, input }),
    },
    launch({ baseUrl, mcpUrl, prompt, model = wire.model, resume, args = [] }) {
      const servers = { mcpServers: { coppice: { type: "http", url: mcpUrl, tools: ["*"] } } };
      return {
        command: [
          installed("clients/copilot", "@github/copilot-linux-x64/copilot"),
          ...["-p", prompt, "--output-format", "json", "--allow-all"],
          ...(resume === undefined ? [] : ["--resume", resume]),
          ...(mcpUrl === undefined ? [] : ["--additional-mcp-config", JSON.stringify(servers)]),
          ...args,
        ],
        env: {
          COPILOT_OFFLINE: "true",
          COPILOT_MODEL: model,
          COPILOT_PROVIDER_TYPE: wire.type,
          COPILOT_PROVIDER_API_KEY: "none",
          ...(wire.api !== undefined && { COPILOT_PROVIDER_WIRE_API: wire.api }),
          ...(baseUrl !== undefined && { COPILOT_PROVIDER_BASE_URL: `${baseUrl}${wire.path}` }),
        },
      };
    },
    report(stdout) {
      const lines = printedLines(stdout);
      const said = lines.findLast(({ type }) => type === "assistant.message");
      const result = lines.findLast(({ type }) => type === "result");
      return { answer: textIn(said?.data, "content"), session: textIn(result, "sessionId") };
    },
  };
}

export const COPILOT: readonly Client[] = [copilot("anthropic"), copilot("chat"), copilot("responses")];
