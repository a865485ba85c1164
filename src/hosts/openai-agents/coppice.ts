import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { Conversations, type PrunedRequest } from "../conversation/conversations.ts";
import type { HostOptions } from "../conversation/host-options.ts";
import { type AgentsSdkTool, makeTools } from "./make-tools.ts";
import { readAnswer } from "./read-answer.ts";
import {
  findHistoryOnServer,
  readInput,
  readModelName,
  readModelRequest,
  withItems,
  withSystemText,
} from "./read-model-request.ts";

/** A `Model` of the SDK, independent of the type names of its version. */
export interface AgentsModel {
  getResponse(request: never): Promise<unknown>;
  getStreamedResponse(request: never): AsyncIterable<unknown>;
}

/** A `ModelProvider` of the SDK. */
export interface AgentsModelProvider {
  getModel(modelName?: string): unknown;
}

/** The argument, with our tools added: `new Agent({ tools: [...mine, ...provider.tools] })`. */
export type Coppiced<T> = T & { readonly tools: readonly AgentsSdkTool[] };

/**
 * Prunes the requests that agents of OpenAI's Agents SDK send to their models.
 *
 *   new Runner({ modelProvider: coppice(new OpenAIProvider()) })
 *   new Agent({ model: coppice(model) })
 *
 * Everything else of the provider or the model stays the same. Requests that can't be read are sent unchanged, and
 * so is every request if our code fails.
 */
export function coppice<T extends AgentsModelProvider | AgentsModel>(
  target: T,
  options: HostOptions = {},
): Coppiced<T> {
  const conversations = new Conversations(options);
  const tools = makeTools(conversations);
  const wrapped = new WeakMap<object, object>();

  /** Returns the same object for the same model, because runners compare them. */
  function wrapModel(model: unknown, name: string | undefined): unknown {
    if (!isModel(model)) return model;
    const known = wrapped.get(model) ?? replaceMethods(model, modelMethods(model, name));
    wrapped.set(model, known);
    return known;
  }

  function modelMethods(model: AgentsModel, session: string | undefined): JsonRecord {
    const name = session || readModelName(model);
    return {
      tools,
      async getResponse(request: JsonRecord): Promise<unknown> {
        const pruned = await attempt(request, name);
        const response = await model.getResponse((pruned?.request ?? request) as never);
        pruned?.turn.answered(readAnswer(response));
        return response;
      },
      async *getStreamedResponse(request: JsonRecord): AsyncGenerator<unknown> {
        const pruned = await attempt(request, name);
        for await (const event of model.getStreamedResponse((pruned?.request ?? request) as never)) {
          if (isRecord(event) && event.type === "response_done")
            pruned?.turn.answered(readAnswer(event.response));
          yield event;
        }
      },
    };
  }

  /** The request to send instead; `undefined`: unchanged. */
  async function attempt(
    request: JsonRecord,
    model: string | undefined,
  ): Promise<{ readonly request: JsonRecord; readonly turn: PrunedRequest<unknown> } | undefined> {
    try {
      const elsewhere = findHistoryOnServer(request);
      if (elsewhere !== undefined) {
        conversations.leaveAlone(elsewhere);
        return undefined;
      }
      const query = readModelRequest(request, tools);
      const turn = await conversations.prune(readInput(request), { ...query, ...(model && { model }) });
      const pruned = withItems(request, turn.messages);
      return { request: query.agentTools ? withSystemText(pruned) : pruned, turn };
    } catch (error) {
      conversations.fail("reading a request", error);
      return undefined;
    }
  }

  const own = isModel(target)
    ? modelMethods(target, undefined)
    : { tools, getModel: async (name?: string) => wrapModel(await target.getModel(name), name) };
  return replaceMethods(target, own) as Coppiced<T>;
}

function isModel(value: unknown): value is AgentsModel {
  return isRecord(value) && typeof value.getResponse === "function";
}

/**
 * The object with these methods in place of its own. All other methods run on the object itself, which may have
 * private fields.
 */
function replaceMethods(target: object, own: JsonRecord): object {
  // A proxy of the object itself could not replace methods if the object is frozen.
  return new Proxy(Object.create(target), {
    get(_, key) {
      if (typeof key === "string" && Object.hasOwn(own, key)) return own[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && key !== "constructor" ? value.bind(target) : value;
    },
    set: (_, key, value) => Reflect.set(target, key, value, target),
    has: (_, key) => key in own || key in target,
  });
}
