import { PI } from "../pi/programs.ts";
import type { DialectName } from "../provider/dialects.ts";
import type { Client } from "./client.ts";
import { printedLines, textIn } from "./printed-lines.ts";

const WIRES: Readonly<Record<DialectName, { api: string; path: string; model: string }>> = {
  anthropic: { api: "anthropic-messages", path: "", model: "claude-sonnet-4-5" },
  chat: { api: "openai-completions", path: "/v1", model: "glm-4.6" },
  responses: { api: "openai-responses", path: "/v1", model: "gpt-5.4" },
  gemini: { api: "google-generative-ai", path: "/v1beta", model: "gemini-3-pro-preview" },
};

function pi(dialect: DialectName): Client {
  const wire = WIRES[dialect];
  return {
    name: `${PI.name} (${dialect})`,
    dialect,
    tools: {
      read: (path) => ({ name: "read", input: { path } }),
      edit: (path, before, after) => ({
        name: "edit",
        input: { path, edits: [{ oldText: before, newText: after }] },
      }),
      shell: (command) => ({ name: "bash", input: { command } }),
    },
    launch({ baseUrl, prompt, model = wire.model, resume, args = [] }) {
      const known = { id: model, reasoning: true, contextWindow: 200_000, maxTokens: 4_096 };
      const provider = { api: wire.api, apiKey: "none", models: [known] };
      const address = baseUrl === undefined ? {} : { baseUrl: `${baseUrl}${wire.path}` };
      return {
        command: [
          ...PI.command,
          ...["-p", prompt, "--mode", "json", "--provider", "scripted", "--model", model],
          ...(resume === undefined ? [] : ["--session", resume]),
          ...args,
        ],
        env: { PI_OFFLINE: "1" },
        files: {
          ".pi/agent/models.json": JSON.stringify({ providers: { scripted: { ...provider, ...address } } }),
        },
      };
    },
    report(stdout) {
      const lines = printedLines(stdout);
      return {
        answer: answerOf(lines.findLast(({ type }) => type === "message_end")?.message),
        session: textIn(
          lines.find(({ type }) => type === "session"),
          "id",
        ),
      };
    },
  };
}

function answerOf(message: unknown): string | undefined {
  const { content } = (message ?? {}) as { readonly content?: readonly unknown[] };
  return textIn(
    content?.findLast((block) => textIn(block, "type") === "text"),
    "text",
  );
}

export const PI_CLIENTS: readonly Client[] = [pi("anthropic"), pi("chat"), pi("responses"), pi("gemini")];
