import {
  type AgentMiddleware,
  createMiddleware,
  type DynamicStructuredTool,
  type ModelRequest,
  type SystemMessage,
  type WrapModelCallHook,
} from "langchain";
import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { Conversations, type PrunedRequest } from "../conversation/conversations.ts";
import type { HostOptions } from "../conversation/host-options.ts";
import { makeTools } from "./make-tools.ts";
import { readAnswer } from "./read-answer.ts";
import { findHistoryOnServer, readModelRequest } from "./read-model-request.ts";

export interface LangChainOptions extends HostOptions {
  /** Does the agent get tools to cut and recall by itself? Default: false. */
  readonly agentTools?: boolean;
}

export type CoppiceMiddleware = AgentMiddleware<
  undefined,
  undefined,
  unknown,
  readonly DynamicStructuredTool[],
  readonly []
>;

/**
 * Prunes the requests of a LangChain agent to its model. The agent's state keeps everything.
 *
 *   createAgent({ model, tools, middleware: [coppice()] })
 *
 * Requests that can't be read are sent unchanged, and so is every request if our code fails.
 */
export function coppice({ agentTools = false, ...options }: LangChainOptions = {}): CoppiceMiddleware {
  const conversations = new Conversations(options);

  const wrapModelCall: WrapModelCallHook = async (request, handler) => {
    const pruned = await attempt(request);
    if (!pruned) return handler(request);
    const response = await handler(pruned.request);
    pruned.turn.answered(readAnswer(response));
    return response;
  };

  /** The request to send instead; `undefined`: unchanged. */
  async function attempt(
    request: ModelRequest,
  ): Promise<{ readonly request: ModelRequest; readonly turn: PrunedRequest<unknown> } | undefined> {
    try {
      const elsewhere = findHistoryOnServer(request);
      if (elsewhere !== undefined) {
        conversations.leaveAlone(elsewhere);
        return undefined;
      }
      const query = readModelRequest(request, conversations.tools);
      const turn = await conversations.prune(request.messages, query);
      const systemMessage = query.agentTools
        ? addText(request.systemMessage, SYSTEM_TEXT)
        : request.systemMessage;
      return { request: { ...request, messages: [...turn.messages], systemMessage }, turn };
    } catch (error) {
      conversations.fail("reading a request", error);
      return undefined;
    }
  }

  return createMiddleware({
    name: "coppice",
    tools: agentTools ? makeTools(conversations) : [],
    wrapModelCall,
  });
}

/** Adds a text at the end of a system message, as a separate block if the message has blocks. */
function addText(message: SystemMessage, text: string): SystemMessage {
  const isOwnBlock = message.content === "" || Array.isArray(message.content);
  return message.concat(isOwnBlock ? text : `\n\n${text}`);
}
