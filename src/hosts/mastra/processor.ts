import { AnswerNotes } from "../ai-sdk/answer-notes.ts";
import { pruneCall } from "../ai-sdk/prune-call.ts";
import type { Conversations, PrunedRequest } from "../conversation/conversations.ts";
import { type MessageList, SlideWatch } from "./slide-watch.ts";
import { toStreamPart } from "./stream-part.ts";
import { listStepTools, type MastraTools, makeMastraTools } from "./tools.ts";

/** The arguments of `processInputStep` that are read here. */
export interface StepInput {
  readonly tools?: Readonly<Record<string, unknown>> | undefined;
  readonly activeTools?: readonly string[] | undefined;
  readonly providerOptions?: unknown;
  /** The same object in all calls of one run. */
  readonly state: object;
}

/** The arguments of `processLLMRequest`. */
export interface LlmRequest<P> {
  readonly prompt: P;
  readonly model: { readonly modelId: string };
  readonly messageList?: MessageList | undefined;
  readonly state: object;
}

/** The arguments of `processLLMResponse`. */
export interface LlmResponse {
  readonly chunks: readonly { readonly type: string; readonly payload?: unknown }[];
  readonly state: object;
}

/** An input processor of Mastra. Its changes are sent, but not stored. */
export interface CoppiceProcessor {
  readonly id: "coppice";
  readonly name: "Coppice";
  /** For an agent that may cut by itself. Empty while Coppice is off or in shadow mode. */
  readonly tools: MastraTools;
  processInputStep(step: StepInput): undefined;
  processLLMRequest<P extends readonly unknown[]>(
    request: LlmRequest<P>,
  ): Promise<{ readonly prompt: P } | undefined>;
  processLLMResponse(response: LlmResponse): undefined;
}

/**
 * One run of an agent: the parts of the next request other than its prompt, and the request that is being answered.
 */
interface Run {
  readonly tools?: readonly unknown[];
  readonly providerOptions?: unknown;
  readonly turn?: PrunedRequest<unknown>;
}

/**
 * Only `processInputStep` gets the tools, only `processLLMRequest` the prompt, and only `processLLMResponse` the
 * usage. If there is a `processLLMResponse`, Mastra runs tools after the answer has ended, so the conversation of
 * each call is known by then.
 */
export function makeProcessor(conversations: Conversations): CoppiceProcessor {
  const runs = new WeakMap<object, Run>();
  const slides = new SlideWatch(conversations);
  return {
    id: "coppice",
    name: "Coppice",
    tools: makeMastraTools(conversations),
    processInputStep({ tools = {}, activeTools, providerOptions, state }) {
      try {
        runs.set(state, { tools: listStepTools(tools, activeTools), providerOptions });
      } catch (error) {
        conversations.fail("reading the tools of a step", error);
      }
      return undefined;
    },
    async processLLMRequest<P extends readonly unknown[]>({
      prompt,
      model,
      messageList,
      state,
    }: LlmRequest<P>) {
      try {
        slides.look(messageList);
        const run = runs.get(state);
        const { tools, providerOptions } = run ?? {};
        const call = await pruneCall(conversations, { prompt, tools, providerOptions }, model.modelId);
        if (!call) return undefined;
        runs.set(state, { ...run, turn: call.turn });
        return { prompt: call.prompt as unknown as P };
      } catch (error) {
        conversations.fail("reading a request", error);
        return undefined;
      }
    },
    processLLMResponse({ chunks, state }) {
      const turn = runs.get(state)?.turn;
      if (!turn) return undefined;
      const notes = new AnswerNotes(turn.answered);
      for (const { type, payload } of chunks) notes.readPart(toStreamPart(type, payload));
      return undefined;
    },
  };
}
