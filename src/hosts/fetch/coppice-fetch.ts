import {
  type AnthropicTool,
  type OpenAiChatTool,
  type OpenAiResponsesTool,
  toAnthropicTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from "../../agent/provider-tools.ts";
import { Conversations } from "../conversation/conversations.ts";
import type { HostOptions } from "../conversation/host-options.ts";
import { pruneBody } from "../conversation/prune-body.ts";
import { readOutgoing } from "./outgoing.ts";
import { tapAnswer } from "./tap-answer.ts";

/** Any function with the signature of `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchOptions extends HostOptions {
  /** The function that sends the requests; by default the global `fetch`. */
  readonly fetch?: Fetch;
}

/** A `fetch` that prunes requests to models, and tools for an agent that may cut by itself. */
export interface CoppiceFetch extends Fetch {
  /** Definitions of our tools, for the interface that the agent speaks. */
  readonly tools: {
    readonly anthropic: readonly AnthropicTool[];
    readonly openAiChat: readonly OpenAiChatTool[];
    readonly openAiResponses: readonly OpenAiResponsesTool[];
  };
  /** Answers a call of one of our tools with a text. Never throws. */
  answer(call: { readonly id: string; readonly name: string; readonly input: unknown }): string;
}

/**
 * Prunes the requests of any client that accepts a `fetch`.
 *
 *   new OpenAI({ fetch: coppiceFetch() })
 *   new Anthropic({ fetch: coppiceFetch() })
 *
 * Other requests, and requests that can't be read, are sent unchanged. So is every request if our code fails.
 */
export function coppiceFetch({ fetch: fetchOption, ...options }: FetchOptions = {}): CoppiceFetch {
  const conversations = new Conversations(options);
  const send: Fetch = (input, init) => (fetchOption ?? globalThis.fetch)(input, init);

  const prune = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const pruned = await attempt(input, init);
    if (!pruned) return send(input, init);
    const response = await send(pruned.input, pruned.init);
    return tapAnswer(response, pruned.wire.openAnswer(), pruned.turn.answered);
  };

  /** The request to send instead; `undefined`: unchanged. */
  async function attempt(input: string | URL | Request, init: RequestInit | undefined) {
    try {
      const outgoing = await readOutgoing(input, init);
      const pruned = outgoing && (await pruneBody(conversations, outgoing));
      return pruned && { ...outgoing.withBody(pruned.body), ...pruned };
    } catch (error) {
      conversations.fail("reading a request", error);
      return undefined;
    }
  }

  return Object.assign(prune, {
    tools: {
      anthropic: conversations.tools.map(toAnthropicTool),
      openAiChat: conversations.tools.map(toOpenAiChatTool),
      openAiResponses: conversations.tools.map(toOpenAiResponsesTool),
    },
    answer: ({ id, name, input }: Parameters<CoppiceFetch["answer"]>[0]) =>
      conversations.answer(name, input, { callId: id }),
  });
}
