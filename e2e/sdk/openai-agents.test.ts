import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type Model,
  type ModelProvider,
  OpenAIChatCompletionsModel,
  OpenAIProvider,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
  user,
} from "@openai/agents";
import OpenAI from "openai";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { coppice } from "../../src/hosts/openai-agents/index.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { describeHost, EAGER, type HostUnderTest } from "./describe-host.ts";
import { listUntestedLines } from "./docs-lines.ts";
import { APP_TOOLS, lastOf, playSession, resultsOf, type SessionPlan } from "./session.ts";
import { watchedStore } from "./watched-store.ts";

const [files, commands] = APP_TOOLS;
const TOOLS = [
  tool({
    name: files.name,
    description: files.description,
    parameters: z.object({ path: z.string() }),
    execute: ({ path }) => files.run(path),
  }),
  tool({
    name: commands.name,
    description: commands.description,
    parameters: z.object({ command: z.string() }),
    execute: ({ command }) => commands.run(command),
  }),
];

const openProvider = (url: string, useResponses: boolean) =>
  new OpenAIProvider({ apiKey: "key", baseURL: `${url}/v1`, useResponses });

const RUN = { model: "gpt-5.4", tracingDisabled: true } as const;
const LONG = { maxTurns: 60 } as const;

function hostOf(dialect: "chat" | "responses"): HostUnderTest {
  return {
    name: `coppice/openai-agents, ${dialect}`,
    dialect,
    start({ url, stream, options, agentTools }) {
      const plain = openProvider(url, dialect === "responses");
      const pruned = options && coppice(plain, options);
      const agent = new Agent({
        name: "finder",
        instructions: "You look into things.",
        tools: [...TOOLS, ...((agentTools && pruned?.tools) || [])],
      });
      const runner = new Runner({ ...RUN, modelProvider: pruned ?? plain });
      return {
        async talk(prompt, history) {
          const input = [...((history as AgentInputItem[] | undefined) ?? []), user(prompt)];
          if (!stream) {
            const result = await runner.run(agent, input, LONG);
            return { text: result.finalOutput ?? "", history: result.history };
          }
          const result = await runner.run(agent, input, { ...LONG, stream: true });
          for await (const _ of result);
          await result.completed;
          return { text: result.finalOutput ?? "", history: result.history };
        },
      };
    },
  };
}

describeHost(hostOf("chat"));
describeHost(hostOf("responses"));

test("the page's example is the tested code", () => {
  expect(listUntestedLines("openai-agents.md", import.meta.url)).toEqual([]);
});

describe("coppice/openai-agents", () => {
  let provider: Provider;
  const open = async (plan: SessionPlan) => {
    provider = await startProvider(playSession(plan));
    return provider.url;
  };
  afterEach(() => provider.close());
  const agent = new Agent({ name: "finder", instructions: "You look into things.", tools: TOOLS });

  test("a session keeps the whole history, and the next run continues from it", async () => {
    const url = await open({ steps: 16 });
    const runner = new Runner({ ...RUN, modelProvider: coppice(openProvider(url, true), EAGER) });
    const session = new MemorySession();
    await runner.run(agent, "Look into it. [talk kept]", { ...LONG, session });
    await runner.run(agent, "And now the rest.", { ...LONG, session });
    const kept = (await session.getItems()).filter(({ type }) => type === "function_call_result");
    expect(kept).toHaveLength(31);
    for (const item of kept) expect(JSON.stringify(item)).toContain("line 39: const total39");
    const sent = [...resultsOf(lastOf(provider)).values()];
    expect(sent.filter((text) => !text.includes("line 39: const total39")).length).toBeGreaterThan(10);
    expect(provider.refused).toEqual([]);
  });

  test("history on OpenAI's server is not pruned, and reported once", async () => {
    const url = await open({ steps: 3 });
    const complaints: string[] = [];
    const onIssue = (_: unknown, text: string) => complaints.push(text);
    const modelProvider = coppice(openProvider(url, true), { ...EAGER, onIssue });
    const runner = new Runner({ ...RUN, modelProvider });
    const previousResponseId = "resp_0";
    await expect(runner.run(agent, "[talk server]", { ...LONG, previousResponseId })).rejects.toThrow(
      /result-without-call/,
    );
    expect(lastOf(provider).body.previous_response_id).toBe("resp_1");
    expect(complaints).toEqual([expect.stringContaining("previousResponseId")]);
  });

  test("our text comes after the instructions of an agent that has our tools", async () => {
    const url = await open({ steps: 2 });
    const modelProvider = coppice(openProvider(url, true));
    const runner = new Runner({ ...RUN, modelProvider });
    const tools = [...TOOLS, ...modelProvider.tools];
    await runner.run(new Agent({ name: "a", instructions: "You look.", tools }), "[talk text]");
    expect(lastOf(provider).body.instructions).toBe(`You look.\n\n${SYSTEM_TEXT}`);
    await runner.run(new Agent({ name: "b", tools }), "[talk none]");
    expect(lastOf(provider).body.instructions).toBe(SYSTEM_TEXT);
    const names = (lastOf(provider).body.tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(["read_file", "run", "context_prune", "context_recall", "context_info"]);
  });

  test.each([true, false])(
    "the journal has model, prefix, time to live and usage of every request; Responses: %s",
    async (useResponses) => {
      const url = await open({ steps: 3 });
      const { store, keys } = watchedStore();
      const runner = new Runner({
        ...RUN,
        modelProvider: coppice(openProvider(url, useResponses), { store }),
      });
      const instructions = "You look into things. ".repeat(100);
      const modelSettings = { promptCacheRetention: "24h" } as const;
      await runner.run(
        new Agent({ name: "finder", instructions, tools: TOOLS, modelSettings }),
        "[talk journal]",
      );
      const known = await store.readRequests(keys);
      expect(known).toHaveLength(3);
      for (const { terms, usage } of known) {
        expect(terms).toMatchObject({ model: "gpt-5.4", ttl: 86_400_000 });
        expect(terms.prefixTokens).toBeGreaterThan(500);
        expect(terms.prefixTokens).toBeLessThan(800);
        expect(usage?.output).toBe(20);
      }
      expect(known.at(-1)?.usage?.cacheRead).toBeGreaterThan(0);
    },
  );

  test("everything else of a provider and of a model stays the same", async () => {
    const url = await open({ steps: 2 });
    const plain = openProvider(url, true);
    const pruned = coppice(plain);
    const asProvider: ModelProvider = pruned;
    expect(pruned).toBeInstanceOf(OpenAIProvider);
    const model = await asProvider.getModel("gpt-5.4");
    expect(await pruned.getModel("gpt-5.4")).toBe(model);
    expect(model).toBeInstanceOf(OpenAIResponsesModel);
    expect(model.supportsPromptModelSelection).toBe(true);
    const advice = { request: {} as never, error: new Error("x"), stream: false, attempt: 1 };
    expect(await model.getRetryAdvice?.(advice)).toEqual(
      await (await plain.getModel("gpt-5.4")).getRetryAdvice?.(advice),
    );
    await pruned.close();
    expect(await pruned.getModel("gpt-5.4")).not.toBe(model);
    const frozen = coppice(Object.freeze({ getModel: () => model as Model }));
    expect(await frozen.getModel()).toBeInstanceOf(OpenAIResponsesModel);
  });

  test("a model of an agent's own, wrapped alone", async () => {
    const url = await open({ steps: 16 });
    const client = new OpenAI({ apiKey: "key", baseURL: `${url}/v1`, maxRetries: 0 });
    const model = coppice(new OpenAIChatCompletionsModel(client as never, "gpt-5.4"), EAGER);
    const own = new Agent({ name: "finder", model, tools: [...TOOLS, ...model.tools] });
    const result = await new Runner({ tracingDisabled: true }).run(own, "[talk own]", LONG);
    expect(result.finalOutput).toBe("done with own");
    const sent = [...resultsOf(lastOf(provider)).values()];
    expect(sent.filter((text) => !text.includes("line 39: const total39")).length).toBeGreaterThan(3);
  });

  test("as people paste it", async () => {
    vi.stubEnv("OPENAI_BASE_URL", `${await open({ steps: 3 })}/v1`);
    vi.stubEnv("OPENAI_API_KEY", "key");
    setTracingDisabled(true);
    const [name, instructions, mine, input] = ["finder", "You look into things.", TOOLS, "[talk pasted]"];
    const modelProvider = coppice(new OpenAIProvider());
    const runner = new Runner({ modelProvider });

    const agent = new Agent({ name, instructions, tools: [...mine, ...modelProvider.tools] });
    const result = await runner.run(agent, input);
    expect(result.finalOutput).toBe("done with pasted");
    vi.unstubAllEnvs();
  });

  test("a provider's refusal is thrown as without us", async () => {
    provider = await startProvider(() => ({ fail: { status: 400, message: "no such model" } }));
    const complaints: string[] = [];
    const onIssue = (_: unknown, text: string) => complaints.push(text);
    const modelProvider = coppice(openProvider(provider.url, true), { onIssue });
    const runner = new Runner({ ...RUN, modelProvider });
    await expect(runner.run(agent, "[talk refused]")).rejects.toThrow(OpenAI.BadRequestError);
    expect(complaints).toEqual([]);
  });
});
