import { ChatAnthropic } from "@langchain/anthropic";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import {
  type BaseMessage,
  createAgent,
  createMiddleware,
  HumanMessage,
  initChatModel,
  SystemMessage,
  tool,
  toolStrategy,
} from "langchain";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { coppice } from "../../src/hosts/langchain/index.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { describeHost, EAGER, type HostUnderTest } from "./describe-host.ts";
import { listUntestedLines } from "./docs-lines.ts";
import { APP_TOOLS, lastOf, partsOf, playSession, resultsOf, type SessionPlan } from "./session.ts";
import { watchedStore } from "./watched-store.ts";

const [files, commands] = APP_TOOLS;
const readFile = tool(({ path }) => files.run(path), { ...files, schema: z.object({ path: z.string() }) });
const run = tool(({ command }) => commands.run(command), {
  ...commands,
  schema: z.object({ command: z.string() }),
});
const TOOLS = [readFile, run];

const MODELS = {
  anthropic: (url: string) =>
    new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "key", anthropicApiUrl: url, maxRetries: 0 }),
  chat: (url: string) => openAi(url, false),
  responses: (url: string) => openAi(url, true),
};

function openAi(url: string, useResponsesApi: boolean): ChatOpenAI {
  const configuration = { baseURL: `${url}/v1` };
  return new ChatOpenAI({ model: "gpt-5.4", apiKey: "key", useResponsesApi, configuration, maxRetries: 0 });
}

/** A session of thirty steps goes round the graph sixty times. */
const LONG = { recursionLimit: 200 };

function hostOf(dialect: keyof typeof MODELS): HostUnderTest {
  return {
    name: `coppice/langchain, ${dialect}`,
    dialect,
    start({ url, stream, options, agentTools }) {
      const agent = createAgent({
        model: MODELS[dialect](url),
        tools: TOOLS,
        systemPrompt: "You look into things.",
        middleware: options ? [coppice({ ...options, agentTools })] : [],
      });
      return {
        async talk(prompt, history) {
          const messages = [...((history as BaseMessage[] | undefined) ?? []), new HumanMessage(prompt)];
          if (!stream) return endOf((await agent.invoke({ messages }, LONG)).messages);
          let last = messages;
          const chunks = await agent.stream({ messages }, { ...LONG, streamMode: ["messages", "values"] });
          for await (const [mode, chunk] of chunks) if (mode === "values") last = chunk.messages;
          return endOf(last);
        },
      };
    },
  };
}

function endOf(history: readonly BaseMessage[]) {
  return { text: history.at(-1)?.text ?? "", history };
}

describeHost(hostOf("anthropic"));
describeHost(hostOf("chat"));
describeHost(hostOf("responses"));

test("the page's example is the tested code", () => {
  expect(listUntestedLines("langchain.md", import.meta.url)).toEqual([]);
});

describe("coppice/langchain", () => {
  let provider: Provider;
  const open = async (plan: SessionPlan) => {
    provider = await startProvider(playSession(plan));
    return provider.url;
  };
  afterEach(() => provider.close());
  const ask = (text: string) => ({ messages: [new HumanMessage(text)] });

  test("a checkpointer keeps the whole history, and the next turn continues from it", async () => {
    const model = MODELS.chat(await open({ steps: 16 }));
    const agent = createAgent({
      model,
      tools: TOOLS,
      middleware: [coppice(EAGER)],
      checkpointer: new MemorySaver(),
    });
    const config = { ...LONG, configurable: { thread_id: "one" } };
    await agent.invoke(ask("Look into it. [talk kept]"), config);
    await agent.invoke(ask("And now the rest."), config);
    const { messages } = (await agent.graph.getState(config)).values as { messages: BaseMessage[] };
    const kept = messages.filter(({ type }) => type === "tool").map(({ text }) => text);
    expect(kept).toHaveLength(31);
    for (const text of kept) expect(text).toContain("line 39: const total39");
    const sent = [...resultsOf(lastOf(provider)).values()];
    expect(sent.filter((text) => !text.includes("line 39: const total39")).length).toBeGreaterThan(10);
    expect(provider.refused).toEqual([]);
  });

  test.each(["invoke", "stream"] as const)(
    "Responses, %s: a cut input reaches the wire, and the items are sent unchanged",
    async (how) => {
      const body = "Mind the rates and the totals of each order. ".repeat(120);
      const instead = (n: number) =>
        n === 1 ? { name: "post_comment", input: { title: "rates", body } } : undefined;
      const model = MODELS.responses(await open({ steps: 8, instead }));
      const post = tool(() => "posted", {
        name: "post_comment",
        description: "Posts a comment.",
        schema: z.object({ title: z.string(), body: z.string() }),
      });
      const agent = createAgent({ model, tools: [readFile, run, post], middleware: [coppice(EAGER)] });
      if (how === "invoke") await agent.invoke(ask("Go. [talk inputs]"), LONG);
      else
        for await (const _ of await agent.stream(ask("Go. [talk inputs]"), {
          ...LONG,
          streamMode: "messages",
        }));
      const inputs = provider.received.map((request) =>
        partsOf(request).flatMap((part) =>
          part.kind === "call" && part.callId === "call_inputs_1" ? [part.input] : [],
        ),
      );
      expect(inputs[2]).toEqual([{ title: "rates", body }]);
      expect(inputs.at(-1)).toEqual([{ title: "rates", body: "" }]);
      expect(lastOf(provider).raw).toContain('"id":"fc_call_inputs_1"');
      expect(provider.refused).toEqual([]);
    },
  );

  test("our text comes after the system message of an agent that has our tools, with blocks and marks kept", async () => {
    const model = MODELS.anthropic(await open({ steps: 2 }));
    const block = { type: "text" as const, text: "You look.", cache_control: { type: "ephemeral" as const } };
    const middleware = [coppice({ agentTools: true })];
    const systemPrompt = new SystemMessage({ content: [block] });
    await createAgent({ model, tools: TOOLS, middleware, systemPrompt }).invoke(ask("[talk blocks]"));
    expect(lastOf(provider).body.system).toEqual([block, { type: "text", text: SYSTEM_TEXT }]);
    await createAgent({ model, tools: TOOLS, middleware, systemPrompt: "You look." }).invoke(
      ask("[talk text]"),
    );
    const texts = ["You look.", SYSTEM_TEXT].map((text) => ({ type: "text", text }));
    expect(lastOf(provider).body.system).toEqual(texts);
    await createAgent({ model, tools: TOOLS, middleware }).invoke(ask("[talk none]"));
    expect(lastOf(provider).body.system).toBe(SYSTEM_TEXT);
    const names = (lastOf(provider).body.tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(["read_file", "run", "context_prune", "context_recall", "context_info"]);
  });

  test("the journal has model, prefix, time to live and usage of every request", async () => {
    const url = await open({ steps: 3 });
    const { store, keys } = watchedStore();
    const caching = withSettings({ cache_control: { type: "ephemeral", ttl: "1h" } });
    const agent = createAgent({
      model: MODELS.anthropic(url),
      tools: TOOLS,
      systemPrompt: "You look into things. ".repeat(100),
      middleware: [caching, coppice({ store })],
    });
    await agent.invoke(ask("[talk journal]"));
    const known = await store.readRequests(keys);
    expect(known).toHaveLength(3);
    for (const { terms, usage } of known) {
      expect(terms).toMatchObject({ model: "claude-sonnet-4-5", ttl: 3_600_000 });
      // No mark of ours is set here.
      expect(terms.mayMark).toBeUndefined();
      expect(terms.prefixTokens).toBeGreaterThan(500);
      expect(terms.prefixTokens).toBeLessThan(800);
      expect(usage?.output).toBe(20);
    }
    expect(known.at(-1)?.usage?.cacheRead).toBeGreaterThan(0);
  });

  test("history on the provider's server is not pruned, and reported once", async () => {
    const complaints: string[] = [];
    const model = MODELS.responses(await open({ steps: 2 }));
    const server = withSettings({ previous_response_id: "resp_0" });
    const agent = createAgent({
      model,
      tools: TOOLS,
      middleware: [server, coppice({ ...EAGER, onIssue: (_, text) => complaints.push(text) })],
    });
    await agent.invoke(ask("[talk server]"));
    expect(provider.received.length).toBe(2);
    expect(complaints).toEqual([expect.stringContaining("previous_response_id")]);
  });

  test("a structured answer, and a model made by its name", async () => {
    process.env.OPENAI_API_KEY = "key";
    const url = await open({
      steps: 3,
      instead: (n) => (n === 1 ? { name: "extract", input: { total: 3 } } : undefined),
    });
    const { store, keys } = watchedStore();
    const agent = createAgent({
      model: await initChatModel("openai:gpt-5.4", { configuration: { baseURL: `${url}/v1` } }),
      tools: TOOLS,
      responseFormat: toolStrategy({
        title: "extract",
        type: "object",
        properties: { total: { type: "number" } },
      }),
      middleware: [coppice({ store })],
    });
    const { structuredResponse } = await agent.invoke(ask("[talk structured]"));
    expect(structuredResponse).toEqual({ total: 3 });
    const known = await store.readRequests(keys);
    expect(known.map(({ terms }) => terms.model)).toEqual(["gpt-5.4", "gpt-5.4"]);
    expect(known.map(({ usage }) => usage?.output)).toEqual([20, 20]);
  });

  test("the pasted example: a short conversation is sent unchanged, and reported", async () => {
    const [model, tools] = [MODELS.chat(await open({ steps: 3 })), TOOLS];
    const agent = createAgent({ model, tools, middleware: [coppice()] });
    const { messages } = await agent.invoke(ask("[talk short]"));
    expect(messages.at(-1)?.text).toBe("done with short");
    const sent: number[] = [];
    const onReport = ({ tokens }: { readonly tokens: { readonly after: number } }) => sent.push(tokens.after);
    await createAgent({ model, tools, middleware: [coppice({ onReport })] }).invoke(ask("[talk again]"));
    expect(sent).toHaveLength(3);
    expect(lastOf(provider).messages).toHaveLength(5);
  });

  test("a provider's refusal is thrown as without us", async () => {
    provider = await startProvider(() => ({ fail: { status: 429, message: "slow down" } }));
    const complaints: string[] = [];
    const agent = createAgent({
      model: MODELS.chat(provider.url),
      tools: TOOLS,
      middleware: [coppice({ onIssue: (_, text) => complaints.push(text) })],
    });
    await expect(agent.invoke(ask("[talk refused]"))).rejects.toThrow(/slow down/);
    expect(complaints).toEqual([]);
  });
});

/** A middleware that is not ours. */
function withSettings(modelSettings: Record<string, unknown>) {
  return createMiddleware({
    name: "settings",
    wrapModelCall: (request, handler) => handler({ ...request, modelSettings }),
  });
}
