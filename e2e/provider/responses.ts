import type { Answered, Dialect } from "./dialects.ts";
import { listOf, named } from "./sse.ts";

/** OpenAI's Responses API. */
export const responses: Dialect = {
  name: "responses",
  paths: /\/responses$/,
  messagesOf: ({ input }) => (typeof input === "string" ? [{ role: "user", content: input }] : listOf(input)),
  error: (_, message) => ({ error: { message, type: "invalid_request_error" } }),
  whole: (answered) => completed(answered),
  *events(answered) {
    let sequence_number = 0;
    const event = (type: string, more: object) =>
      named({ type, sequence_number: sequence_number++, ...more } as { type: string });
    const open = { ...completed(answered), status: "in_progress", output: [], usage: null };
    yield event("response.created", { response: open });
    yield event("response.in_progress", { response: open });
    for (const [output_index, item] of itemsOf(answered).entries()) {
      const at = { output_index, item_id: item.id };
      yield event("response.output_item.added", { output_index, item: opened(item) });
      if (item.type === "message") {
        const [part] = item.content;
        yield event("response.content_part.added", { ...at, content_index: 0, part: { ...part, text: "" } });
        yield event("response.output_text.delta", {
          ...at,
          content_index: 0,
          delta: part?.text,
          logprobs: [],
        });
        yield event("response.output_text.done", { ...at, content_index: 0, text: part?.text, logprobs: [] });
        yield event("response.content_part.done", { ...at, content_index: 0, part });
      } else {
        yield event("response.function_call_arguments.delta", { ...at, delta: item.arguments });
        yield event("response.function_call_arguments.done", {
          ...at,
          arguments: item.arguments,
          name: item.name,
        });
      }
      yield event("response.output_item.done", { output_index, item });
    }
    yield event("response.completed", { response: completed(answered) });
  },
};

type Item =
  | {
      readonly type: "message";
      readonly id: string;
      readonly role: "assistant";
      readonly status: "completed";
      readonly content: readonly {
        readonly type: "output_text";
        readonly text: string;
        readonly annotations: readonly [];
      }[];
    }
  | {
      readonly type: "function_call";
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
      readonly status: "completed";
    };

function itemsOf({ reply }: Answered): readonly Item[] {
  return [
    ...(reply.text === undefined
      ? []
      : [
          {
            type: "message" as const,
            id: `msg_${reply.calls?.[0]?.id ?? "last"}`,
            role: "assistant" as const,
            status: "completed" as const,
            content: [{ type: "output_text" as const, text: reply.text, annotations: [] as const }],
          },
        ]),
    ...(reply.calls ?? []).map(({ id, name, input }) => ({
      type: "function_call" as const,
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: "completed" as const,
    })),
  ];
}

function opened(item: Item): object {
  return item.type === "message"
    ? { ...item, status: "in_progress", content: [] }
    : { ...item, status: "in_progress", arguments: "" };
}

function completed(answered: Answered): object {
  const { model, serial, usage } = answered;
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    id: `resp_${serial}`,
    object: "response",
    created_at: 1_790_000_000,
    status: "completed",
    model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    output: itemsOf(answered),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.cacheRead },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + usage.output,
    },
  };
}
