import type { ToolRunnableConfig } from "@langchain/core/tools";
import { DynamicStructuredTool } from "langchain";
import type { Conversations } from "../conversation/conversations.ts";

/** Our tools in the form that LangChain expects. A call's id tells which conversation it was made in. */
export function makeTools(conversations: Conversations): readonly DynamicStructuredTool[] {
  return conversations.tools.map(
    ({ name, description, parameters }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: parameters,
        func: async (input: unknown, _run, config?: ToolRunnableConfig) => {
          const { toolCall, configurable } = config ?? {};
          const session: unknown = configurable?.thread_id;
          return conversations.answer(name, input, {
            ...(toolCall?.id !== undefined && { callId: toolCall.id }),
            ...(typeof session === "string" && { session }),
          });
        },
      }),
  );
}
