import { isRecord } from "../../src/basics/json.ts";
import type { DialectName } from "../provider/dialects.ts";
import type { Client } from "./client.ts";
import { patch } from "./patch.ts";
import { printedLines, textIn } from "./printed-lines.ts";
import { installed } from "./programs.ts";

const WIRES: Readonly<Record<DialectName, { provider: string; path: string; model: string }>> = {
  anthropic: { provider: "anthropic", path: "/v1", model: "claude-sonnet-4-5" },
  chat: { provider: "scripted", path: "/v1", model: "glm-4.6" },
  responses: { provider: "openai", path: "/v1", model: "gpt-5.4" },
  gemini: { provider: "google", path: "/v1beta", model: "gemini-3-pro-preview" },
};

const DEPENDENCIES = { dependencies: { "@opencode-ai/plugin": "1.18.33" } };

/** It would install a package for plugins, and try for long without a network. */
const INSTALLED = {
  ".config/opencode/package.json": JSON.stringify(DEPENDENCIES),
  ".config/opencode/package-lock.json": JSON.stringify({ packages: { "": DEPENDENCIES } }),
  ".config/opencode/node_modules/.keep": "",
};

function opencode(dialect: DialectName): Client {
  const wire = WIRES[dialect];
  return {
    name: `OpenCode 1.18.33 (${dialect})`,
    dialect,
    tools: {
      read: (path) => ({ name: "read", input: { filePath: path } }),
      edit: (path, before, after) =>
        dialect === "responses"
          ? { name: "apply_patch", input: { patchText: patch(path, before, after) } }
          : { name: "edit", input: { filePath: path, oldString: before, newString: after } },
      shell: (command) => ({ name: "bash", input: { command, description: "Looks" } }),
      mcp: (name, input) => ({ name: `coppice_${name}`, input }),
    },
    launch({ baseUrl, mcpUrl, prompt, model = wire.model, resume, args = [] }) {
      const address = baseUrl === undefined ? {} : { baseURL: `${baseUrl}${wire.path}` };
      const known = {
        name: model,
        tool_call: true,
        reasoning: true,
        limit: { context: 200_000, output: 8_192 },
      };
      const config = {
        autoupdate: false,
        share: "disabled",
        permission: "allow",
        provider: {
          [wire.provider]: {
            ...(dialect === "chat" && { npm: "@ai-sdk/openai-compatible" }),
            options: { apiKey: "none", ...address },
            models: { [model]: known },
          },
        },
        ...(mcpUrl !== undefined && { mcp: { coppice: { type: "remote", url: mcpUrl, oauth: false } } }),
      };
      return {
        command: [
          installed(".", "opencode-linux-x64/bin/opencode"),
          ...["run", "--format", "json", "--model", `${wire.provider}/${model}`],
          ...(resume === undefined ? [] : ["--session", resume]),
          ...args,
          prompt,
        ],
        env: {
          OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
          OPENCODE_DISABLE_MODELS_FETCH: "1",
          OPENCODE_DISABLE_AUTOUPDATE: "1",
          OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
          OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        },
        files: INSTALLED,
      };
    },
    report(stdout) {
      const lines = printedLines(stdout);
      const part = lines.findLast(({ type }) => type === "text")?.part;
      return {
        answer: isRecord(part) ? textIn(part, "text") : undefined,
        session: textIn(lines[0], "sessionID"),
      };
    },
  };
}

export const OPENCODE: readonly Client[] = [
  opencode("anthropic"),
  opencode("chat"),
  opencode("responses"),
  opencode("gemini"),
];
