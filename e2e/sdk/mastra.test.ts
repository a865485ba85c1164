import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { createTool } from "@mastra/core/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { coppice } from "../../src/hosts/mastra/index.ts";
import type { Report } from "../../src/reports/report.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { describeHost, type HostUnderTest, type Setup } from "./describe-host.ts";
import { listUntestedLines } from "./docs-lines.ts";
import { APP_TOOLS, cachingFetch, playSession } from "./session.ts";

const INSTRUCTIONS = "You look into things.";

const TOOLS = Object.fromEntries(
  APP_TOOLS.map(({ name, description, argument, run }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema: z.object({ [argument]: z.string() }),
      execute: async (input) => run(input[argument] ?? ""),
    }),
  ]),
);

type Model = ConstructorParameters<typeof Agent>[0]["model"];
type Messages = Parameters<Agent["generate"]>[0] & readonly unknown[];

/** An agent as people write it; the program keeps the history. */
function start({ stream, options, agentTools }: Setup, model: Model) {
  const pruning = options && coppice(options);
  const agent = new Agent({
    id: "looker",
    name: "Looker",
    instructions: INSTRUCTIONS,
    model,
    tools: { ...TOOLS, ...(agentTools ? pruning?.tools : {}) },
    ...(pruning && { inputProcessors: [pruning] }),
  });
  return {
    async talk(prompt: string, history: unknown) {
      const messages = [...((history as unknown[] | undefined) ?? []), { role: "user", content: prompt }];
      const limits = { maxSteps: 50 };
      if (stream) {
        const output = await agent.stream(messages as unknown as Messages, limits);
        const text = await output.text;
        return { text, history: [...messages, ...((await output.response).messages ?? [])] };
      }
      // Its `text` is that of all steps together.
      const { steps, response } = await agent.generate(messages as unknown as Messages, limits);
      return { text: steps.at(-1)?.text ?? "", history: [...messages, ...(response.messages ?? [])] };
    },
  };
}

// Mastra's types are those of an earlier release of V4.
const chatModel = (url: string) =>
  createOpenAICompatible({ name: "test", baseURL: `${url}/v1`, includeUsage: true })(
    "gpt-5.4",
  ) as unknown as Model;
const anthropicModel = (url: string) =>
  createAnthropic({ apiKey: "key", baseURL: `${url}/v1`, fetch: cachingFetch })(
    "claude-sonnet-4-5",
  ) as unknown as Model;

const HOSTS: readonly HostUnderTest[] = [
  { name: "coppice/mastra, chat", dialect: "chat", start: (setup) => start(setup, chatModel(setup.url)) },
  {
    name: "coppice/mastra, Anthropic",
    dialect: "anthropic",
    start: (setup) => start(setup, anthropicModel(setup.url)),
  },
];

for (const host of HOSTS) describeHost(host);

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider(playSession({ steps: 4 }));
});
afterAll(() => provider.close());
const sentOf = (talk: string) => provider.received.filter(({ raw }) => raw.includes(`[talk ${talk}]`));

describe.each(HOSTS)("$name", (host) => {
  test.each([true, false])("the usage of an answer is recorded, streaming: %s", async (stream) => {
    const store = memoryStore();
    const reports: Report[] = [];
    const options = { store, onReport: (report: Report) => reports.push(report) };
    const agent = await host.start({ url: provider.url, stream, options, agentTools: false });
    const before = provider.billed.length;
    await agent.talk(`Look into it. [talk cost${stream}]`);
    const rows = await store.readRequests(reports.map(({ key }) => key));
    expect(rows).toHaveLength(4);
    for (const { answeredBy, terms } of rows) {
      expect(answeredBy).toBe(host.dialect === "chat" ? "gpt-5.4" : "claude-sonnet-4-5");
      expect(terms.prefixTokens).toBeGreaterThan(50);
    }
    const billed = provider.billed.slice(before).map(({ model, ...tokens }) => tokens);
    expect(rows.map(({ usage }) => usage)).toEqual(billed);
    expect(rows.at(-1)?.usage?.cacheRead).toBeGreaterThan(500);
  });

  test("our tools' text for the model comes after the instructions, the same in every request", async () => {
    const agent = await host.start({ url: provider.url, stream: true, options: {}, agentTools: true });
    await agent.talk(`Look into it. [talk told${host.dialect}]`);
    const sent = sentOf(`told${host.dialect}`);
    expect(sent).toHaveLength(4);
    for (const { raw } of sent)
      expect(raw).toContain(JSON.stringify(`${INSTRUCTIONS}\n\n${SYSTEM_TEXT}`).slice(1, -1));
    for (const { body } of sent) expect(JSON.stringify(body.tools)).toContain("context_recall");
  });
});

test("the lines of docs/mastra.md", async () => {
  const model = chatModel(provider.url);
  const mine = TOOLS;

  const pruning = coppice();

  const agent = new Agent({
    id: "helper",
    name: "Helper",
    instructions: "You look into things.",
    model,
    inputProcessors: [pruning],
    tools: { ...mine, ...pruning.tools },
  });

  expect((await agent.generate("Look into it. [talk lines]")).steps).toHaveLength(4);
  expect(listUntestedLines("mastra.md", import.meta.url)).toEqual([]);
});

describe("memory", () => {
  const EAGER = { schedule: { mode: "eager" }, strategies: { pruneProtect: 0, pruneMinimum: 0 } } as const;

  /** Three turns in one thread. */
  async function talk(thread: string, lastMessages: number | false) {
    const complaints: string[] = [];
    const memory = new MockMemory({ options: { lastMessages } });
    const agent = new Agent({
      id: "keeper",
      name: "Keeper",
      instructions: INSTRUCTIONS,
      model: chatModel(provider.url),
      memory,
      tools: TOOLS,
      inputProcessors: [coppice({ ...EAGER, onIssue: (issue) => complaints.push(issue.code) })],
    });
    for (const turn of [1, 2, 3])
      await agent.generate(`Turn ${turn}. [talk ${thread}]`, {
        memory: { thread, resource: "user" },
        maxSteps: 10,
      });
    const { messages } = await memory.recall({ threadId: thread, perPage: false });
    return { told: complaints, kept: JSON.stringify(messages) };
  }

  test("keeps the whole conversation, while requests are smaller", async () => {
    const { told: complaints, kept } = await talk("long", 1_000);
    expect(complaints).toEqual([]);
    const sent = sentOf("long");
    expect(sent.length).toBeGreaterThan(9);
    expect(sent.at(-1)?.raw).toContain("[superseded");
    expect(kept).not.toContain("[superseded");
    expect(kept.split("line 39: const total39").length - 1).toBe(3 + 4 + 4);
    expect(provider.refused).toEqual([]);
  });

  test("one that returns only the last messages is reported, once", async () => {
    const { told: complaints } = await talk("short", 2);
    expect(complaints).toEqual(["history-slides"]);
    expect(provider.refused).toEqual([]);
  });

  test("one that returns none is not", async () => {
    const { told: complaints } = await talk("none", false);
    expect(complaints).toEqual([]);
  });
});

test("history on the provider's server is not pruned, reported once", async () => {
  const complaints: string[] = [];
  const agent = new Agent({
    id: "stored",
    name: "Stored",
    instructions: INSTRUCTIONS,
    model: chatModel(provider.url),
    tools: TOOLS,
    inputProcessors: [
      coppice({ onIssue: (issue) => complaints.push(issue.code), onReport: () => complaints.push("pruned") }),
    ],
  });
  const providerOptions = { openai: { previousResponseId: "resp_1" } };
  await agent.generate("Look into it. [talk stored]", { providerOptions, maxSteps: 10 });
  expect(sentOf("stored")).toHaveLength(4);
  expect(complaints).toEqual(["history-on-server"]);
});
