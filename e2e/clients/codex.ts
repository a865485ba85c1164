import { chatGptLogin } from "./chatgpt-login.ts";
import type { Call, Client, ClientTools } from "./client.ts";
import { patch } from "./patch.ts";
import { printedLines, textIn } from "./printed-lines.ts";
import { installed } from "./programs.ts";

/** The newest models get one tool, which runs JavaScript. */
const CODE_TOOLS: ClientTools = {
  read: (path) => exec(`text((await tools.exec_command({ cmd: ${JSON.stringify(`cat ${path}`)} })).output)`),
  edit: (path, before, after) =>
    exec(`text(await tools.apply_patch(${JSON.stringify(patch(path, before, after))}))`),
  shell: (command) => exec(`text((await tools.exec_command({ cmd: ${JSON.stringify(command)} })).output)`),
  mcp,
};

const PLAIN_TOOLS: ClientTools = {
  read: (path) => ({ name: "exec_command", input: { cmd: `cat ${path}` } }),
  edit: (path, before, after) => ({ name: "apply_patch", input: patch(path, before, after) }),
  shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
  mcp,
};

function mcp(name: string, input: object): Call {
  return { namespace: "mcp__coppice", name, input };
}

function exec(code: string): Call {
  return { namespace: "functions", name: "exec", input: code };
}

interface Kind {
  readonly name: string;
  readonly model: string;
  readonly tools: ClientTools;
  readonly login: "key" | "chatgpt";
}

function codex({ name, model, tools, login }: Kind): Client {
  return {
    name: `Codex 0.166.0${name}`,
    dialect: "responses",
    tools,
    compresses: login === "chatgpt",
    opensSocket: true,
    idOfCall: (meta) => textIn(meta, "callId"),
    launch({ baseUrl, mcpUrl, prompt, resume, args = [], ...session }) {
      const set = (key: string, value: string | readonly string[]) => [
        "-c",
        `${key}=${JSON.stringify(value)}`,
      ];
      return {
        command: [
          installed("clients/codex", "@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex"),
          ...["exec", ...(resume === undefined ? [] : ["resume"])],
          ...["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
          ...["--model", session.model ?? model],
          // With `/backend-api/codex` in it, a ChatGPT login would send Codex to the host that its account names.
          ...(baseUrl === undefined ? [] : set("openai_base_url", `${baseUrl}/v1`)),
          ...(baseUrl !== undefined && login === "chatgpt"
            ? set("chatgpt_base_url", `${baseUrl}/backend-api/`)
            : []),
          ...(mcpUrl === undefined ? [] : set("mcp_servers.coppice.url", mcpUrl)),
          // Then calls of it are recorded as calls and not as JavaScript, and need not be searched for.
          ...(mcpUrl === undefined
            ? []
            : set("mcp_servers.coppice.omit_tools_from", ["code_mode", "deferred"])),
          ...args,
          ...(resume === undefined ? [] : [resume]),
          prompt,
        ],
        ...(login === "chatgpt"
          ? { env: {}, files: { ".codex/auth.json": chatGptLogin() } }
          : { env: { CODEX_API_KEY: "sk-none" } }),
      };
    },
    report(stdout) {
      const lines = printedLines(stdout);
      const said = lines.flatMap(({ item }) => (textIn(item, "type") === "agent_message" ? [item] : []));
      const started = lines.find(({ type }) => type === "thread.started");
      return { answer: textIn(said.at(-1), "text"), session: textIn(started, "thread_id") };
    },
  };
}

/** By default: its newest model, whose calls are JavaScript. */
export const CODEX: Client = codex({ name: "", model: "gpt-6.1-sol", tools: CODE_TOOLS, login: "key" });

/** With a model that has tools of the older kind. */
export const CODEX_PLAIN: Client = codex({
  name: " (plain tools)",
  ...{ model: "gpt-5.5", tools: PLAIN_TOOLS, login: "key" },
});

/** With a subscription: bodies are zstd. */
export const CODEX_CHATGPT: Client = codex({
  name: " (ChatGPT login)",
  ...{ model: "gpt-6.1-sol", tools: CODE_TOOLS, login: "chatgpt" },
});
