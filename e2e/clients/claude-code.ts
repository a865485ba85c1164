import type { Client } from "./client.ts";
import { printedLines, textIn } from "./printed-lines.ts";
import { installed } from "./programs.ts";

export const CLAUDE_CODE: Client = {
  name: "Claude Code 2.1.325",
  dialect: "anthropic",
  tools: {
    read: (path) => ({ name: "Read", input: { file_path: path } }),
    edit: (path, before, after) => ({
      name: "Edit",
      input: { file_path: path, old_string: before, new_string: after },
    }),
    shell: (command) => ({ name: "Bash", input: { command, description: "Looks" } }),
    mcp: (name, input) => ({ name: `mcp__coppice__${name}`, input }),
  },
  idOfCall: (meta) => textIn(meta, "claudecode/toolUseId"),
  launch({ baseUrl, mcpUrl, prompt, model, resume, args = [] }) {
    const servers = { mcpServers: { coppice: { type: "http", url: mcpUrl } } };
    return {
      command: [
        installed("clients/claude-code", "@anthropic-ai/claude-code-linux-x64/claude"),
        ...["-p", prompt, "--output-format", "json", "--dangerously-skip-permissions"],
        ...(model === undefined ? [] : ["--model", model]),
        ...(resume === undefined ? [] : ["--resume", resume]),
        ...(mcpUrl === undefined ? [] : ["--mcp-config", JSON.stringify(servers)]),
        ...args,
      ],
      env: {
        ANTHROPIC_API_KEY: "sk-ant-none",
        // It refuses to skip permissions for root outside a sandbox.
        IS_SANDBOX: "1",
        ...(baseUrl !== undefined && { ANTHROPIC_BASE_URL: baseUrl }),
      },
    };
  },
  report(stdout) {
    const result = printedLines(stdout).findLast(({ type }) => type === "result");
    return { answer: textIn(result, "result"), session: textIn(result, "session_id") };
  },
};
