import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, streamText, tool, wrapLanguageModel } from "ai";
import * as ai6 from "ai6";
import { createAnthropic as createAnthropic6 } from "ai6-anthropic";
import { createOpenAICompatible as createOpenAICompatible6 } from "ai6-openai-compatible";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { coppice } from "../../src/hosts/ai-sdk/index.ts";
import type { Report } from "../../src/reports/report.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { describeHost, type HostUnderTest, type Setup } from "./describe-host.ts";
import { APP_TOOLS, cachingFetch, playSession } from "./session.ts";

const SYSTEM = "You look into things.";

/** The agent's loop as people write it with version 7. */
function agent7(
  { stream, options, agentTools }: Setup,
  model: Parameters<typeof wrapLanguageModel>[0]["model"],
) {
  const pruning = options && coppice(options);
  const call = {
    model: pruning ? wrapLanguageModel({ model, middleware: pruning.middleware }) : model,
    instructions: SYSTEM,
    tools: { ...tools7, ...(agentTools ? pruning?.tools : {}) },
    stopWhen: isStepCount(50),
    maxRetries: 0,
  };
  return {
    async talk(prompt: string, history: unknown) {
      const messages = [...((history as ModelMessage7[] | undefined) ?? [])];
      messages.push({ role: "user", content: prompt });
      const result = stream ? streamText({ ...call, messages }) : await generateText({ ...call, messages });
      messages.push(...(await result.responseMessages));
      return { text: await result.text, history: messages };
    },
  };
}

type ModelMessage7 = NonNullable<Parameters<typeof generateText>[0]["messages"]>[number];

const tools7 = Object.fromEntries(
  APP_TOOLS.map(({ name, description, argument, run }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema<Record<string, string>>(schemaOf(argument)),
      execute: (input) => run(input[argument] ?? ""),
    }),
  ]),
);

/** And with version 6. */
function agent6(
  { stream, options, agentTools }: Setup,
  model: Parameters<typeof ai6.wrapLanguageModel>[0]["model"],
) {
  const pruning = options && coppice(options);
  const call = {
    model: pruning ? ai6.wrapLanguageModel({ model, middleware: pruning.middleware }) : model,
    system: SYSTEM,
    tools: { ...tools6, ...(agentTools ? pruning?.tools : {}) },
    stopWhen: ai6.stepCountIs(50),
    maxRetries: 0,
  };
  return {
    async talk(prompt: string, history: unknown) {
      const messages = [...((history as ai6.ModelMessage[] | undefined) ?? [])];
      messages.push({ role: "user", content: prompt });
      const result = stream
        ? ai6.streamText({ ...call, messages })
        : await ai6.generateText({ ...call, messages });
      const text = await result.text;
      messages.push(...(await result.response).messages);
      return { text, history: messages };
    },
  };
}

const tools6 = Object.fromEntries(
  APP_TOOLS.map(({ name, description, argument, run }) => [
    name,
    ai6.tool({
      description,
      inputSchema: ai6.jsonSchema<Record<string, string>>(schemaOf(argument)),
      execute: (input) => run(input[argument] ?? ""),
    }),
  ]),
);

function schemaOf(argument: string) {
  return {
    type: "object" as const,
    properties: { [argument]: { type: "string" as const } },
    required: [argument],
  };
}

const HOSTS: readonly HostUnderTest[] = [
  {
    name: "coppice/ai-sdk, version 7, chat",
    dialect: "chat",
    start: (setup) =>
      agent7(setup, createOpenAICompatible({ name: "test", baseURL: `${setup.url}/v1` })("gpt-5.4")),
  },
  {
    name: "coppice/ai-sdk, version 7, Anthropic",
    dialect: "anthropic",
    start: (setup) =>
      agent7(
        setup,
        createAnthropic({ apiKey: "key", baseURL: `${setup.url}/v1`, fetch: cachingFetch })(
          "claude-sonnet-4-5",
        ),
      ),
  },
  {
    name: "coppice/ai-sdk, version 6, chat",
    dialect: "chat",
    start: (setup) =>
      agent6(setup, createOpenAICompatible6({ name: "test", baseURL: `${setup.url}/v1` })("gpt-5.4")),
  },
  {
    name: "coppice/ai-sdk, version 6, Anthropic",
    dialect: "anthropic",
    start: (setup) =>
      agent6(
        setup,
        createAnthropic6({ apiKey: "key", baseURL: `${setup.url}/v1`, fetch: cachingFetch })(
          "claude-sonnet-4-5",
        ),
      ),
  },
];

for (const host of HOSTS) describeHost(host);

describe.each(HOSTS)("$name", (host) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await startProvider(playSession({ steps: 4 }));
  });
  afterAll(() => provider.close());

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

  test("our tools' text for the model comes after the system text, the same in every request", async () => {
    const agent = await host.start({ url: provider.url, stream: true, options: {}, agentTools: true });
    await agent.talk("Look into it. [talk told]");
    const sent = provider.received.filter(({ raw }) => raw.includes("[talk told]"));
    expect(sent).toHaveLength(4);
    for (const { raw } of sent)
      expect(raw).toContain(JSON.stringify(`${SYSTEM}\n\n${SYSTEM_TEXT}`).slice(1, -1));
    for (const { body } of sent) expect(JSON.stringify(body.tools)).toContain("context_recall");
  });
});
