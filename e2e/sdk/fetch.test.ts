import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { coppiceFetch } from "../../src/hosts/fetch/coppice-fetch.ts";
import { describeHost, type HostUnderTest, type Setup } from "./describe-host.ts";
import { APP_TOOLS } from "./session.ts";

/** The agent's loop as people write it with the raw SDKs. */
const anthropic: HostUnderTest = {
  name: "coppice/fetch with the Anthropic SDK",
  dialect: "anthropic",
  start(setup) {
    const { fetch, tools, answer } = open(setup);
    const client = new Anthropic({
      apiKey: "key",
      baseURL: setup.url,
      maxRetries: 0,
      ...(fetch && { fetch }),
    });
    const params = {
      model: "claude-sonnet-4-5",
      max_tokens: 1_000,
      system: "You look into things.",
      tools: [
        ...APP_TOOLS.map(({ name, description, argument }) => ({
          name,
          description,
          input_schema: schemaOf(argument),
        })),
        ...(tools?.anthropic ?? []),
      ] as Anthropic.Tool[],
    };
    return {
      async talk(prompt, history) {
        const messages: Anthropic.MessageParam[] = [
          ...((history as Anthropic.MessageParam[] | undefined) ?? []),
        ];
        messages.push({ role: "user", content: prompt });
        for (;;) {
          const message = setup.stream
            ? await client.messages.stream({ ...params, messages }).finalMessage()
            : await client.messages.create({ ...params, messages });
          messages.push({ role: "assistant", content: message.content });
          const calls = message.content.filter((block) => block.type === "tool_use");
          if (calls.length === 0)
            return {
              text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
              history: messages,
            };
          messages.push({
            role: "user",
            content: calls.map(({ id, name, input }) => ({
              type: "tool_result" as const,
              tool_use_id: id,
              content: answer(id, name, input),
            })),
          });
        }
      },
    };
  },
};

const chat: HostUnderTest = {
  name: "coppice/fetch with the OpenAI SDK, chat",
  dialect: "chat",
  start(setup) {
    const { fetch, tools, answer } = open(setup);
    const client = new OpenAI({
      apiKey: "key",
      baseURL: `${setup.url}/v1`,
      maxRetries: 0,
      ...(fetch && { fetch }),
    });
    const params = {
      model: "gpt-5.4",
      tools: [
        ...APP_TOOLS.map(({ name, description, argument }) => ({
          type: "function" as const,
          function: { name, description, parameters: schemaOf(argument) },
        })),
        ...(tools?.openAiChat ?? []),
      ] as OpenAI.ChatCompletionTool[],
    };
    return {
      async talk(prompt, history) {
        const messages = [...((history as OpenAI.ChatCompletionMessageParam[] | undefined) ?? [])];
        if (messages.length === 0) messages.push({ role: "system", content: "You look into things." });
        messages.push({ role: "user", content: prompt });
        for (;;) {
          const completion = setup.stream
            ? await client.chat.completions
                .stream({ ...params, messages, stream_options: { include_usage: true } })
                .finalChatCompletion()
            : await client.chat.completions.create({ ...params, messages });
          const message = completion.choices[0]?.message;
          if (!message) throw new Error("no answer");
          const { content, tool_calls: calls = [] } = message;
          messages.push({ role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) });
          if (calls.length === 0) return { text: content ?? "", history: messages };
          for (const call of calls)
            if (call.type === "function")
              messages.push({
                role: "tool",
                tool_call_id: call.id,
                content: answer(call.id, call.function.name, JSON.parse(call.function.arguments)),
              });
        }
      },
    };
  },
};

const responses: HostUnderTest = {
  name: "coppice/fetch with the OpenAI SDK, responses",
  dialect: "responses",
  start(setup) {
    const { fetch, tools, answer } = open(setup);
    const client = new OpenAI({
      apiKey: "key",
      baseURL: `${setup.url}/v1`,
      maxRetries: 0,
      ...(fetch && { fetch }),
    });
    const params = {
      model: "gpt-5.4",
      store: false,
      instructions: "You look into things.",
      tools: [
        ...APP_TOOLS.map(({ name, description, argument }) => ({
          type: "function" as const,
          name,
          description,
          strict: false,
          parameters: schemaOf(argument),
        })),
        ...(tools?.openAiResponses ?? []),
      ] as OpenAI.Responses.Tool[],
    };
    return {
      async talk(prompt, history) {
        const input = [...((history as OpenAI.Responses.ResponseInput | undefined) ?? [])];
        input.push({ role: "user", content: prompt });
        for (;;) {
          const response = setup.stream
            ? await client.responses.stream({ ...params, input }).finalResponse()
            : await client.responses.create({ ...params, input });
          input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
          const calls = response.output.filter((item) => item.type === "function_call");
          if (calls.length === 0) return { text: response.output_text, history: input };
          for (const item of calls)
            if (item.type === "function_call")
              input.push({
                type: "function_call_output",
                call_id: item.call_id,
                output: answer(item.call_id, item.name, JSON.parse(item.arguments)),
              });
        }
      },
    };
  },
};

function open({ options, agentTools }: Setup) {
  const coppice = options && coppiceFetch(options);
  return {
    fetch: coppice,
    tools: agentTools ? coppice?.tools : undefined,
    answer(id: string, name: string, input: unknown): string {
      const tool = APP_TOOLS.find((each) => each.name === name);
      if (tool) return tool.run(String((input as Record<string, unknown>)[tool.argument]));
      return coppice?.answer({ id, name, input }) ?? "";
    },
  };
}

function schemaOf(argument: string) {
  return { type: "object" as const, properties: { [argument]: { type: "string" } }, required: [argument] };
}

describeHost(anthropic);
describeHost(chat);
describeHost(responses);
