import { isRecord } from "../../src/basics/json.ts";
import type { Client } from "./client.ts";
import { textIn } from "./printed-lines.ts";
import { installed, NODE } from "./programs.ts";

export const QWEN_CODE: Client = {
  name: "Qwen Code 0.24.4",
  dialect: "chat",
  tools: {
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    edit: (path, before, after) => ({
      name: "edit",
      input: { file_path: path, old_string: before, new_string: after },
    }),
    shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
    mcp: (name, input) => ({ name: `mcp__coppice__${name}`, input }),
  },
  launch({ baseUrl, mcpUrl, prompt, model = "qwen3-coder-plus", resume, args = [] }) {
    // Otherwise the model has to search for the tools, and calls them through another.
    const servers = { mcpServers: { coppice: { httpUrl: mcpUrl, alwaysLoadTools: true } } };
    return {
      command: [
        ...([NODE, installed("clients/qwen-code", "@qwen-code/qwen-code/cli-entry.js")] as const),
        ...["--auth-type", "openai", "--output-format", "json", "--yolo", "--model", model],
        ...(resume === undefined ? [] : ["--resume", resume]),
        ...(mcpUrl === undefined ? [] : ["--mcp-config", JSON.stringify(servers)]),
        ...args,
        ...["--prompt", prompt],
      ],
      env: {
        OPENAI_API_KEY: "none",
        ...(baseUrl !== undefined && { OPENAI_BASE_URL: `${baseUrl}/v1` }),
      },
    };
  },
  report(stdout) {
    const line = stdout.split("\n").find((text) => text.startsWith("[{"));
    const messages = JSON.parse(line ?? "[]") as readonly unknown[];
    const result = messages.findLast((message) => isRecord(message) && message.type === "result");
    return { answer: textIn(result, "result"), session: textIn(result, "session_id") };
  },
};
