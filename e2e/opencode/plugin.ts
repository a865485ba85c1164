import { appendFileSync } from "node:fs";
import type { Report } from "../../src/index.ts";
import { answer, createEngine } from "./engine.ts";
import type { HostMessage } from "./host-message.ts";

/**
 * One line of the log: a transform call. `failed` is set when the engine threw and the messages were sent
 * unchanged.
 */
export type TransformCall = {
  readonly n: number;
  readonly session: string;
  readonly model: string;
  readonly input: HostMessage[];
  readonly output: HostMessage[];
  readonly report?: Report;
  readonly failed?: string;
  readonly ms: number;
};

type Options = { readonly log: string; readonly window: number };

export default {
  id: "coppice-e2e",
  server: async (_input: unknown, options: Options): Promise<object> => {
    const pruner = createEngine();
    let n = 0;
    return {
      "experimental.chat.messages.transform": async (_: unknown, output: { messages: HostMessage[] }) => {
        const input = structuredClone(output.messages);
        const session = input[0]?.info.sessionID ?? "";
        const model = modelOf(input);
        const started = performance.now();
        let result: Pick<TransformCall, "report" | "failed"> = {};
        try {
          const pruned = pruner.prune(output.messages, { session, model, window: options.window });
          output.messages.splice(0, output.messages.length, ...pruned.messages);
          result = { report: pruned.report };
        } catch (error) {
          result = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
        }
        const ms = performance.now() - started;
        const call: TransformCall = { n: n++, session, model, input, output: output.messages, ...result, ms };
        appendFileSync(options.log, `${JSON.stringify(call)}\n`);
      },
      tool: {
        // Values that are not zod types are treated as JSON schemas of required properties, and arrive unchecked.
        context_prune: {
          description: "Removes what is no longer needed from the context.",
          args: {
            action: { type: "string", enum: ["discard"] },
            targets: { type: "array", items: { type: "array", items: { type: "string" } } },
          },
          execute: async (input: unknown, context: { sessionID: string }): Promise<string> =>
            answer(pruner, context.sessionID, input),
        },
      },
    };
  },
};

/**
 * The model of the step: that of the newest user message, by time (a kept tail is older than the messages after
 * it).
 */
export function modelOf(messages: readonly HostMessage[]): string {
  let newest: HostMessage["info"] | undefined;
  for (const { info } of messages) {
    if (info.role === "user" && (newest === undefined || info.time.created >= newest.time.created))
      newest = info;
  }
  return newest?.model?.modelID ?? "";
}
