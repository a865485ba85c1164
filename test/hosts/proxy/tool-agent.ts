import type { ServerResponse } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Respond } from "./upstream.ts";

export interface Use {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** A model that makes the call in the newest prompt's line of the request's `metadata`, as events. */
export const respondAsPlanned: Respond = (request, outgoing) => {
  const { metadata } = JSON.parse(request.body.toString()) as { metadata?: { plan?: Use } };
  writeUse(outgoing, metadata?.plan);
};

function writeUse(outgoing: ServerResponse, use: Use | undefined): void {
  const events = [
    {
      type: "message_start",
      message: { model: "claude-sonnet-4-5", usage: { input_tokens: 9, output_tokens: 1 } },
    },
    ...(use
      ? [{ type: "content_block_start", index: 0, content_block: { type: "tool_use", ...use, input: {} } }]
      : []),
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ];
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  outgoing.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

export type Protocol = "2025" | "2026";

export async function connect(url: string, protocol: Protocol = "2025"): Promise<Client> {
  const mode = protocol === "2025" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}

interface Habits {
  /** The prefix of our tools' names. */
  readonly prefix?: string;
  /** Data on a call in addition to its input. */
  readonly hint?: (use: Use) => Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

/**
 * A client of Anthropic's API that behaves like real ones: it sends requests through the proxy, and runs our tools
 * over MCP.
 */
export class ToolAgent {
  readonly messages: unknown[];
  readonly #habits: Habits;
  /** Where the proxy is. */
  url: string;

  constructor(url: string, prompt: string, habits: Habits = {}) {
    this.url = url;
    this.#habits = habits;
    this.messages = [{ role: "user", content: prompt }];
  }

  /** Another one with the same history from here on. */
  fork(): ToolAgent {
    const fork = new ToolAgent(this.url, "", this.#habits);
    fork.messages.splice(0, 1, ...this.messages);
    return fork;
  }

  /** A request whose answer has a call, and the call's result. */
  async read(id: string, path: string, text: string): Promise<void> {
    await this.ask({ id, name: "read_file", input: { path } });
    this.answer(id, text);
  }

  /** The same with one of our tools; returns its answer. */
  async use(id: string, tool: string, input: object): Promise<string> {
    await this.ask(this.ours(id, tool, input));
    return this.run(id, tool, input);
  }

  ours(id: string, tool: string, input: object): Use {
    return { id, name: `${this.#habits.prefix ?? "mcp__coppice__"}${tool}`, input };
  }

  /** Sends the history; the answer has this call. */
  async ask(use?: Use, tools: readonly string[] = OUR_TOOLS): Promise<void> {
    const names = ["read_file", ...tools.map((tool) => this.ours("", tool, {}).name)];
    const response = await fetch(`${this.url}/v1/messages`, {
      method: "POST",
      headers: { ...this.#habits.headers },
      body: JSON.stringify({
        model: "claude-sonnet-4-5",
        max_tokens: 10,
        stream: true,
        messages: this.messages,
        tools: names.map((name) => ({ name, input_schema: { type: "object" } })),
        metadata: { plan: use },
      }),
    });
    await response.text();
    if (use)
      this.messages.push({
        role: "assistant",
        content: [{ type: "tool_use", id: use.id, name: use.name, input: use.input }],
      });
  }

  async run(id: string, tool: string, input: object): Promise<string> {
    const client = await connect(this.url);
    const meta = this.#habits.hint?.({ id, name: tool, input });
    const result = await client.callTool({
      name: tool,
      arguments: { ...input },
      ...(meta && { _meta: meta }),
    });
    await client.close();
    const text = (result.content as readonly { readonly text: string }[]).map((each) => each.text).join("");
    this.answer(id, text);
    return text;
  }

  answer(id: string, text: string): void {
    this.messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: [{ type: "text", text }] }],
    });
  }
}

const OUR_TOOLS = ["context_prune", "context_recall", "context_info"];
