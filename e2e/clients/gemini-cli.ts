import type { Client } from "./client.ts";
import { textIn } from "./printed-lines.ts";
import { installed, NODE } from "./programs.ts";

export const GEMINI_CLI: Client = {
  name: "Gemini CLI 0.61.0",
  dialect: "gemini",
  tools: {
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    edit: (path, before, after) => ({
      name: "replace",
      input: { file_path: path, old_string: before, new_string: after, instruction: "Change the line." },
    }),
    shell: (command) => ({ name: "run_shell_command", input: { command } }),
    mcp: (name, input) => ({ name: `mcp_coppice_${name}`, input }),
  },
  launch({ baseUrl, mcpUrl, prompt, model, resume, args = [] }) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      ...(mcpUrl !== undefined && { mcpServers: { coppice: { httpUrl: mcpUrl } } }),
    };
    return {
      command: [
        ...([NODE, installed("clients/gemini-cli", "@google/gemini-cli/bundle/gemini.js")] as const),
        ...["-p", prompt, "--output-format", "json", "--yolo", "--skip-trust"],
        ...(model === undefined ? [] : ["--model", model]),
        ...(resume === undefined ? [] : ["--resume", resume]),
        ...args,
      ],
      env: {
        GEMINI_API_KEY: "none",
        ...(baseUrl !== undefined && { GOOGLE_GEMINI_BASE_URL: baseUrl }),
      },
      files: { ".gemini/settings.json": JSON.stringify(settings) },
    };
  },
  report(stdout) {
    const result: unknown = JSON.parse(/^\{[\s\S]*^\}/m.exec(stdout)?.[0] ?? "null");
    return { answer: textIn(result, "response"), session: textIn(result, "session_id") };
  },
};
