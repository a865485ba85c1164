import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, createTool, InMemoryStorageAdapter, Memory } from "@voltagent/core";
import { wrapLanguageModel } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { coppice } from "../../src/hosts/ai-sdk/index.ts";
import type { HostOptions } from "../../src/hosts/conversation/host-options.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { APP_TOOLS } from "../sdk/session.ts";
import {
  EAGER,
  expectPruned,
  expectToolAnswers,
  expectWhole,
  promptOf,
  STEPS,
  script,
  WITH_TOOLS,
} from "./pruned-session.ts";
import { listUntestedLines } from "./untested-lines.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider(script);
});
afterAll(() => provider.close());

const mine = APP_TOOLS.map((tool) =>
  createTool({
    name: tool.name,
    description: tool.description,
    parameters: z.object({ [tool.argument]: z.string() }),
    execute: (input) => Promise.resolve(tool.run(String(input[tool.argument]))),
  }),
);

function open(options: HostOptions, memory: Memory) {
  const model = createOpenAICompatible({ name: "test", baseURL: `${provider.url}/v1` })("gpt-5.4");
  const { middleware, tools } = coppice(options);

  const contextTools = Object.entries(tools).map(([name, { description, inputSchema, execute }]) =>
    createTool({
      name,
      description,
      parameters: z.fromJSONSchema(inputSchema["~standard"].jsonSchema.input()),
      execute: async (input, call) => execute(input, { toolCallId: call?.toolContext?.callId ?? "" }),
    }),
  );

  const agent = new Agent({
    name: "reader",
    instructions: "You look into things.",
    model: wrapLanguageModel({ model, middleware }),
    tools: mine,
    memory,
    maxSteps: 50,
  });
  return { agent, contextTools };
}

type Method = "generateText" | "streamText";

async function ask(agent: Agent, method: Method, prompt: string, conversationId: string) {
  const settings = { memory: { userId: "ann", conversationId, options: { contextLimit: 1_000 } } };
  const result =
    method === "streamText"
      ? await agent.streamText(prompt, settings)
      : await agent.generateText(prompt, settings);
  return { text: await result.text, steps: await result.steps };
}

test.each<Method>(["generateText", "streamText"])("%s: the same session with and without", async (method) => {
  const talk = async (name: string, options: HostOptions) => {
    const memory = new Memory({ storage: new InMemoryStorageAdapter() });
    const { agent } = open(options, memory);
    const { text, steps } = await ask(agent, method, promptOf(name), name);
    expect(text).toContain(`done with ${name}`);
    expect(steps.length).toBe(STEPS);
    return { agent, steps, kept: () => memory.getMessages("ann", name) };
  };
  await talk(`plain${method}`, { enabled: false });
  const { agent, steps, kept } = await talk(`pruned${method}`, EAGER);
  expectPruned(provider, `plain${method}`, `pruned${method}`);
  expectWhole(steps.map(({ toolResults }) => toolResults));
  // Somebody else writes it meanwhile.
  await expect.poll(async () => JSON.stringify(await kept())).toContain(`done with pruned${method}`);
  expectWhole(await kept());
  // The next turn begins with the memory's contents.
  const before = provider.received.length;
  await ask(agent, method, "And the rest?", `pruned${method}`);
  const first = provider.received[before];
  expect(first?.messages.length).toBe(2 * STEPS + 2);
  expect(first?.raw).toMatch(/superseded: newer/);
  expect(provider.refused).toEqual([]);
});

test("the agent's own tools", async () => {
  const name = `${WITH_TOOLS}volt`;
  const { agent, contextTools } = open(EAGER, new Memory({ storage: new InMemoryStorageAdapter() }));
  agent.addTools(contextTools);
  await ask(agent, "generateText", promptOf(name), name);
  expectToolAnswers(provider, name);
});

test("the page names the tested versions", () => {
  expect(listUntestedLines("voltagent.md", import.meta.url)).toEqual([]);
});
