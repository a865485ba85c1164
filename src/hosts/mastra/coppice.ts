import { Conversations } from "../conversation/conversations.ts";
import type { HostOptions } from "../conversation/host-options.ts";
import { type CoppiceProcessor, makeProcessor } from "./processor.ts";

/**
 * Prunes the requests of Mastra's agents. Memory keeps the whole conversation.
 *
 *   const pruning = coppice();
 *   new Agent({ …, inputProcessors: [pruning], tools: { ...mine, ...pruning.tools } })
 */
export function coppice(options: HostOptions = {}): CoppiceProcessor {
  return makeProcessor(new Conversations(options));
}
