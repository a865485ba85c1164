import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readAnthropic, sendAnthropic } from "./anthropic.ts";

/** The parts of an OpenAI chat request that tests look at. */
export type WireMessage = {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content?: string | null | readonly WireBlock[];
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
};
export type WireBlock = {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
};
export type WireCall = {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
};
export type WireRequest = {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
};

/** What a request is for: a step of the agent, a session title, or the host's own compaction summary. */
export type RequestKind = "step" | "title" | "summary";
export type Wire = "openai" | "anthropic";
export type Recorded = {
  readonly kind: RequestKind;
  readonly wire: Wire;
  readonly raw: string;
  /** Unchanged for `openai`; for `anthropic`, the same in the form of `openai`. */
  readonly body: WireRequest;
};

export type Reply = {
  readonly reasoning?: string;
  /** anthropic: of the reasoning. */
  readonly signature?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
  /** In tokens; by default four characters each, and the beginning of an earlier request counts as cached. */
  readonly usage?: { readonly prompt?: number; readonly cached?: number; readonly completion?: number };
  /** An HTTP error instead of an answer. */
  readonly fail?: { readonly status: number; readonly message: string };
};

/** Decides the reply to the n-th step request (from 0). Titles and summaries have their own fixed texts. */
export type Script = (request: WireRequest, n: number, recorded: Recorded) => Reply | Promise<Reply>;

export type ScriptedModel = {
  readonly baseURL: string;
  /** Every request in order of arrival; `steps` are those of kind "step". */
  readonly requests: readonly Recorded[];
  readonly steps: readonly Recorded[];
  readonly errors: readonly Error[];
  play(script: Script): void;
  close(): Promise<void>;
};

/** A model on loopback that speaks OpenAI chat completions and Anthropic messages over SSE and does what a script says. */
export async function startModel(first: Script = () => ({ text: "ok" })): Promise<ScriptedModel> {
  const requests: Recorded[] = [];
  const steps: Recorded[] = [];
  const errors: Error[] = [];
  let script = first;

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      errors.push(error instanceof Error ? error : new Error(String(error)));
      // 400 is not retried by the host, so a failing script ends the run at once.
      if (!outgoing.headersSent) outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ error: { message: `script failed: ${String(error)}` } }));
    });
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const raw = await readAll(incoming);
    if (incoming.method === "GET") {
      outgoing.writeHead(200, { "content-type": "text/plain" }).end(PAGE);
      return;
    }
    const wire = wireOf(incoming);
    if (!wire) {
      outgoing.writeHead(404).end();
      return;
    }
    const body = wire === "openai" ? (JSON.parse(raw) as WireRequest) : readAnthropic(raw);
    const recorded: Recorded = { kind: kindOf(body), wire, raw, body };
    const send = wire === "openai" ? sendOpenAi : sendAnthropic;
    const usage = { prompt: Math.ceil(raw.length / 4), cached: Math.floor(cachedLength(raw, steps) / 4) };
    const serial = requests.push(recorded);
    if (recorded.kind === "title") return send(outgoing, { text: "A title", usage }, serial);
    if (recorded.kind === "summary")
      return send(outgoing, { text: "## Goal\n- the work so far", usage }, serial);
    const n = steps.push(recorded) - 1;
    const reply = await script(body, n, recorded);
    return send(outgoing, { ...reply, usage: { ...usage, ...reply.usage } }, serial);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    steps,
    errors,
    play(next) {
      script = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The same server's answer to a GET: a page of some length. */
const PAGE = Array.from({ length: 80 }, (_, i) => `Paragraph ${i} of a page on the web.`).join("\n");

function wireOf({ method, url }: IncomingMessage): Wire | undefined {
  if (method !== "POST") return undefined;
  if (url?.endsWith("/chat/completions")) return "openai";
  return url?.endsWith("/messages") ? "anthropic" : undefined;
}

function kindOf(body: WireRequest): RequestKind {
  if (body.tools !== undefined && body.tools.length > 0) return "step";
  return body.messages.some((message) => textOf(message).startsWith("Generate a title for this conversation"))
    ? "title"
    : "summary";
}

/** A provider's prompt cache, in characters: the longest beginning shared with one of the last requests. */
function cachedLength(raw: string, earlier: readonly Recorded[]): number {
  const shared = earlier.slice(-8).map((request) => {
    const end = Math.min(raw.length, request.raw.length);
    let at = 0;
    while (at < end && raw[at] === request.raw[at]) at += 1;
    return at;
  });
  return Math.max(0, ...shared);
}

async function sendOpenAi(outgoing: ServerResponse, reply: Reply, serial: number): Promise<void> {
  if (reply.fail) {
    outgoing.writeHead(reply.fail.status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ error: { message: reply.fail.message } }));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const base = { id: `chatcmpl-${serial}`, object: "chat.completion.chunk", created: 0, model: "m" };
  const write = (chunk: object) => outgoing.write(`data: ${JSON.stringify({ ...base, ...chunk })}\n\n`);
  const delta = (value: object) => write({ choices: [{ index: 0, delta: value, finish_reason: null }] });

  if (reply.reasoning) delta({ role: "assistant", reasoning_content: reply.reasoning });
  if (reply.text) delta({ role: "assistant", content: reply.text });
  for (const [index, call] of (reply.calls ?? []).entries()) {
    delta({
      tool_calls: [
        {
          index,
          id: call.id ?? `call_${serial}_${index}`,
          type: "function",
          function: { name: call.name, arguments: JSON.stringify(call.input) },
        },
      ],
    });
  }
  write({ choices: [{ index: 0, delta: {}, finish_reason: reply.calls?.length ? "tool_calls" : "stop" }] });
  const prompt = reply.usage?.prompt ?? 0;
  const completion = reply.usage?.completion ?? 20;
  write({
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: reply.usage?.cached ?? 0 },
    },
  });
  outgoing.end("data: [DONE]\n\n");
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** A message's text, block texts joined by newlines. */
export function textOf(message: WireMessage): string {
  if (typeof message.content === "string") return message.content;
  return (message.content ?? []).map((block) => block.text ?? "").join("\n");
}
