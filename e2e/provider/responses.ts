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
      for (const { type, ...more } of progressOf(item)) yield event(type, { ...at, ...more });
      yield event("response.output_item.done", { output_index, item });
    }
    yield event("response.completed", { response: completed(answered) });
  },
};

type Item =
  | {
      readonly type: "reasoning";
      readonly id: string;
      readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
      readonly encrypted_content: string;
    }
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
      readonly namespace?: string;
      readonly name: string;
      readonly arguments: string;
      readonly status: "completed";
    }
  | {
      readonly type: "custom_tool_call";
      readonly id: string;
      readonly call_id: string;
      readonly namespace?: string;
      readonly name: string;
      readonly input: string;
      readonly status: "completed";
    }
  | { readonly type: "compaction"; readonly id: string; readonly encrypted_content: string };

function itemsOf({ reply, thinking, signature, serial }: Answered): readonly Item[] {
  const items: Item[] = [];
  if (thinking !== undefined)
    items.push({
      ...{ type: "reasoning", id: `rs_${serial}`, summary: [{ type: "summary_text", text: thinking }] },
      encrypted_content: signature,
    });
  if (reply.text !== undefined)
    items.push({
      ...{
        type: "message",
        id: `msg_${reply.calls?.[0]?.id ?? "last"}`,
        role: "assistant",
        status: "completed",
      },
      content: [{ type: "output_text", text: reply.text, annotations: [] }],
    });
  for (const { id, name, input, namespace } of reply.calls ?? []) {
    const named = {
      call_id: id,
      ...(namespace !== undefined && { namespace }),
      name,
      status: "completed",
    } as const;
    if (typeof input === "string") items.push({ type: "custom_tool_call", id: `ctc_${id}`, ...named, input });
    else items.push({ type: "function_call", id: `fc_${id}`, ...named, arguments: JSON.stringify(input) });
  }
  if (reply.compaction !== undefined)
    items.push({ type: "compaction", id: `cmp_${serial}`, encrypted_content: reply.compaction });
  return items;
}

function opened(item: Item): object {
  switch (item.type) {
    case "reasoning":
      return { ...item, summary: [], encrypted_content: "" };
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    case "compaction":
      return item;
  }
}

type Progress = { readonly type: string; readonly [field: string]: unknown };

function progressOf(item: Item): readonly Progress[] {
  switch (item.type) {
    case "reasoning": {
      const [part] = item.summary;
      const at = { summary_index: 0 };
      return [
        { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
        { type: "response.reasoning_summary_text.delta", ...at, delta: part?.text },
        { type: "response.reasoning_summary_text.done", ...at, text: part?.text },
        { type: "response.reasoning_summary_part.done", ...at, part },
      ];
    }
    case "message": {
      const [part] = item.content;
      const at = { content_index: 0 };
      return [
        { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...at, delta: part?.text, logprobs: [] },
        { type: "response.output_text.done", ...at, text: part?.text, logprobs: [] },
        { type: "response.content_part.done", ...at, part },
      ];
    }
    case "function_call":
      return [
        { type: "response.function_call_arguments.delta", delta: item.arguments },
        { type: "response.function_call_arguments.done", arguments: item.arguments, name: item.name },
      ];
    case "custom_tool_call":
      return [
        { type: "response.custom_tool_call_input.delta", delta: item.input },
        { type: "response.custom_tool_call_input.done", input: item.input },
      ];
    case "compaction":
      return [];
  }
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
