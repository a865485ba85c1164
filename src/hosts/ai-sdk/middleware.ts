import type { Conversations, PrunedRequest } from "../conversation/conversations.ts";
import { AnswerNotes } from "./answer-notes.ts";
import { pruneCall } from "./prune-call.ts";
import type { CallParams } from "./read-call.ts";
import { tapStream } from "./tap-stream.ts";

/** A middleware for `wrapLanguageModel` of the AI SDK, versions 6 and 7. */
export interface Middleware {
  readonly specificationVersion: "v3";
  readonly transformParams: <P extends CallParams>(call: {
    readonly params: P;
    readonly model: { readonly modelId: string };
  }) => Promise<P>;
  readonly wrapGenerate: <R extends object>(call: {
    readonly doGenerate: () => PromiseLike<R>;
    readonly params: object;
  }) => Promise<R>;
  readonly wrapStream: <R extends { readonly stream: ReadableStream<unknown> }>(call: {
    readonly doStream: () => PromiseLike<R>;
    readonly params: object;
  }) => Promise<R>;
}

/** Requests that can't be read are sent unchanged, and so is every request if our code fails. */
export function makeMiddleware(conversations: Conversations): Middleware {
  /** Keyed by the parameters that `transformParams` returned: the SDK passes them to the other two. */
  const turns = new WeakMap<object, PrunedRequest<unknown>>();

  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      try {
        const { prompt, tools = [], providerOptions } = params;
        const call = await pruneCall(conversations, { prompt, tools, providerOptions }, model.modelId);
        if (!call) return params;
        const pruned = { ...params, prompt: call.prompt };
        turns.set(pruned, call.turn);
        return pruned;
      } catch (error) {
        conversations.fail("reading a request", error);
        return params;
      }
    },
    async wrapGenerate({ doGenerate, params }) {
      const turn = turns.get(params);
      const result = await doGenerate();
      if (turn) new AnswerNotes(turn.answered).readWhole(result);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const turn = turns.get(params);
      const result = await doStream();
      return turn ? { ...result, stream: tapStream(result.stream, new AnswerNotes(turn.answered)) } : result;
    },
  };
}
