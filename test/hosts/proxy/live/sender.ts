import { Conversations } from "../../../../src/hosts/conversation/conversations.ts";
import { pruneBody } from "../../../../src/hosts/conversation/prune-body.ts";
import type { SentRequest, WatchedAnswer } from "../../../../src/hosts/proxy/watcher.ts";
import type { Usage } from "../../../../src/transcript/message.ts";
import { textOf } from "../../../conversation.ts";

export const FIGURES = { prices: {}, compactThreshold: 0.75 } as const;

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: string;
  readonly path?: string;
  readonly isHeldOut?: boolean;
  /** Milliseconds since the previous request. */
  readonly pause?: number;
}

/** Reports requests as the proxy does, without a provider. */
export class Sender {
  time = 1_790_000_000_000;
  /** As the proxy has them. */
  readonly #conversations = new Conversations(
    {
      schedule: { mode: "eager" },
      strategies: { pruneProtect: 500, pruneMinimum: 500 },
      onIssue: () => {},
      clock: () => this.time,
    },
    false,
  );
  #serial = 0;

  async send(body: object, sending: Sending = {}): Promise<SentRequest> {
    const { headers = { "x-session-id": "s1" }, client, path = "/v1/messages", isHeldOut = false } = sending;
    this.time += sending.pause ?? 10_000;
    const text = JSON.stringify(body);
    const pruned = await pruneBody(this.#conversations, { method: "POST", path, headers, body: text });
    if (!pruned) throw new Error("not read");
    const { wire, request, ids, turn } = pruned;
    return {
      serial: ++this.#serial,
      time: this.time,
      session: ids.find(({ isShared }) => !isShared)?.id ?? turn.root,
      root: turn.root,
      ids,
      client,
      wire,
      request,
      report: turn.report,
      prices: {},
      isHeldOut,
      route: { upstream: "anthropic", origin: "http://127.0.0.1:1", path },
      headers: ["x-api-key", "sk-secret"],
      bytes: { received: text.length, sent: text.length, body: Buffer.from(text) },
      heldUp: 1,
    };
  }

  answer(usage?: Partial<Usage>, status = 200): WatchedAnswer {
    const answer = {
      ok: true,
      calls: [],
      calledTools: [],
      model: "claude-sonnet-4-5",
      ...(usage && { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 5, ...usage } }),
    };
    return {
      time: this.time + 1_000,
      status,
      answer: status < 300 ? answer : undefined,
      firstByte: 5,
      isOfOriginal: false,
    };
  }
}

/** A request of Anthropic's that has read three files again and again. */
export function bodyOf(steps: number, over: object = {}): { readonly messages: readonly object[] } {
  const messages = [
    { role: "user", content: "Look." },
    ...Array.from({ length: steps }, (_, i) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${i}`, name: "read_file", input: { path: `f${i % 3}.ts` } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: textOf(600, i % 3) }] },
    ]).flat(),
  ];
  const tools = [{ name: "read_file", input_schema: { type: "object" } }];
  return { model: "claude-sonnet-4-5", max_tokens: 10, messages, tools, ...over } as never;
}

/** A question without tools. */
export function questionOf(text: string, over: object = {}): object {
  return { model: "claude-haiku-4-5", max_tokens: 10, messages: [{ role: "user", content: text }], ...over };
}
