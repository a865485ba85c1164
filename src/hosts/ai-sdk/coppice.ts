import { Conversations } from "../conversation/conversations.ts";
import type { HostOptions } from "../conversation/host-options.ts";
import { type Middleware, makeMiddleware } from "./middleware.ts";
import { type ContextTools, makeContextTools } from "./tools.ts";

export interface CoppiceAiSdk {
  /** For `wrapLanguageModel`: prunes what goes to the model. */
  readonly middleware: Middleware;
  /** For an agent that may cut by itself. Empty while Coppice is off or in shadow mode. */
  readonly tools: ContextTools;
}

/**
 * Prunes the requests of the AI SDK's models.
 *
 *   const { middleware, tools } = coppice();
 *   generateText({ model: wrapLanguageModel({ model, middleware }), tools: { ...mine, ...tools }, … })
 */
export function coppice(options: HostOptions = {}): CoppiceAiSdk {
  const conversations = new Conversations(options);
  return { middleware: makeMiddleware(conversations), tools: makeContextTools(conversations) };
}
