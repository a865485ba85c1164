import type { Conversations, Turn } from "../conversation/conversations.ts";
import { addSystemText } from "./add-system-text.ts";
import { AnswerNotes } from "./answer-notes.ts";
import { readCall } from "./read-call.ts";
import { tapStream } from "./tap-stream.ts";

/** What a language model is called with, as far as it is read here; of V2 to V4. */
export interface CallParams {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[] | undefined;
  readonly providerOptions?: unknown;
}

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

/** What can't be read goes out as it came; so does everything when something of ours fails. */
export function makeMiddleware(conversations: Conversations): Middleware {
  /** By the parameters that `transformParams` has given: the SDK gives them to the other two. */
  const turns = new WeakMap<object, Turn<unknown>>();

  async function prune<P extends CallParams>(params: P, model: string): Promise<P> {
    const { historyOnServer, ...request } = readCall(params, conversations.tools);
    if (historyOnServer !== undefined) {
      const message = `requests whose history is on the provider's server are not pruned: ${historyOnServer}`;
      conversations.tell({ code: "history-on-server", message, severity: "warning" });
      return params;
    }
    const turn = await conversations.prune(params.prompt, { ...request, format: "ai-sdk", model });
    const prompt = request.agentTools ? addSystemText(turn.messages) : turn.messages;
    const pruned = { ...params, prompt };
    turns.set(pruned, turn);
    return pruned;
  }

  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      try {
        return await prune(params, model.modelId);
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
