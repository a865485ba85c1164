import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coppice } from "../../src/hosts/ai-sdk/index.ts";
import type { Report } from "../../src/reports/report.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { listUntestedLines } from "./docs-lines.ts";

type Model = Exclude<Parameters<typeof wrapLanguageModel>[0]["model"], string>;

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider(() => ({ text: "done" }));
});
afterAll(() => provider.close());

const open = () => createOpenAICompatible({ name: "test", baseURL: `${provider.url}/v1` })("gpt-5.4");

test("the lines of docs/ai-sdk.md", async () => {
  const model = open();
  const messages: ModelMessage[] = [{ role: "user", content: "What is in a.ts?" }];
  const mine = {
    read: tool({
      description: "Reads a file.",
      inputSchema: jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } }),
      execute: ({ path }) => `text of ${path}`,
    }),
  };

  const { middleware, tools } = coppice();

  const result = await generateText({
    model: wrapLanguageModel({ model, middleware }),
    tools: { ...mine, ...tools },
    stopWhen: isStepCount(50),
    messages,
  });

  expect(result.text).toBe("done");
  expect(listUntestedLines("ai-sdk.md", import.meta.url)).toEqual([]);
  // The names and results of tools keep their types.
  const names: ("read" | "context_prune" | "context_recall" | "context_info")[] = result.staticToolCalls.map(
    ({ toolName }) => toolName,
  );
  expect(names).toEqual([]);
  // They may also be all of an agent's tools.
  const { text } = streamText({
    model: wrapLanguageModel({ model, middleware: [middleware] }),
    tools,
    messages,
  });
  expect(await text).toBe("done");
});

/** A history in which the same file was read repeatedly: most of it is stale. */
function reads(count: number): ModelMessage[] {
  const steps = Array.from({ length: count }, (_, i): ModelMessage[] => {
    const call = { toolCallId: `call_${i}`, toolName: "read_file" };
    const value = `const total = ${"order.rate * ".repeat(200)};`;
    return [
      { role: "assistant", content: [{ type: "tool-call", ...call, input: { path: "src/a.ts" } }] },
      { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] },
    ];
  });
  return [{ role: "user", content: "Look into it." }, ...steps.flat()];
}

const EAGER = { schedule: { mode: "eager" }, strategies: { pruneProtect: 0, pruneMinimum: 0 } } as const;
const TOOLS = {
  read_file: tool({ inputSchema: jsonSchema<{ path: string }>({ type: "object" }), execute: () => "" }),
};

describe("history on the provider's server", () => {
  test.each([{ previousResponseId: "resp_1" }, { conversation: "conv_1" }])(
    "%o: not pruned, reported once",
    async (openai) => {
      const complaints: string[] = [];
      const { middleware } = coppice({ ...EAGER, onIssue: (issue) => complaints.push(issue.code) });
      const model = wrapLanguageModel({ model: open(), middleware });
      const send = async (providerOptions: Parameters<typeof generateText>[0]["providerOptions"] & {}) => {
        await generateText({ model, messages: reads(8), tools: TOOLS, providerOptions });
        return provider.received.at(-1)?.raw.length ?? 0;
      };
      const whole = await send({ openai });
      expect(await send({ openai })).toBe(whole);
      expect(complaints).toEqual(["history-on-server"]);
      expect(await send({})).toBeLessThan(0.5 * whole);
    },
  );
});

describe("turned off", () => {
  const send = async (options: Parameters<typeof coppice>[0]) => {
    const { middleware, tools } = coppice(options);
    const model = wrapLanguageModel({ model: open(), middleware });
    await generateText({ model, messages: reads(8), tools: { ...TOOLS, ...tools } });
    return provider.received.at(-1)?.raw;
  };

  test("by the configuration, or in shadow mode: the same bytes as without, and no tools", async () => {
    await generateText({ model: open(), messages: reads(8), tools: TOOLS });
    const bare = provider.received.at(-1)?.raw;
    const reports: Report[] = [];
    const onReport = (report: Report) => void reports.push(report);
    expect(await send({ ...EAGER, enabled: false })).toBe(bare);
    expect(await send({ ...EAGER, shadow: true, onReport })).toBe(bare);
    expect(reports[0]?.status).toBe("shadow");
    expect(reports[0]?.tokens.saved).toBeGreaterThan(1_000);
  });

  test("an error in `onReport` is reported, and nothing else happens", async () => {
    const complaints: string[] = [];
    const sent = await send({
      ...EAGER,
      onIssue: (_, text) => complaints.push(text),
      onReport: () => {
        throw new Error("no screen");
      },
    });
    expect(sent).toContain("[superseded");
    expect(complaints).toEqual(["`onReport` failed: no screen"]);
  });
});

test("an image counts as an image, not as its base64", async () => {
  const reports: Report[] = [];
  const { middleware } = coppice({ onReport: (report) => reports.push(report) });
  const image = new Uint8Array(220_000).fill(7);
  image.set([0x89, 0x50, 0x4e, 0x47]);
  for (const data of [image, Buffer.from(image).toString("base64")])
    await generateText({
      model: wrapLanguageModel({ model: open(), middleware }),
      messages: [{ role: "user", content: [{ type: "file", mediaType: "image/png", data }] }],
    });
  expect(provider.received.at(-1)?.raw.length).toBeGreaterThan(280_000);
  expect(reports.map(({ tokens }) => tokens.before < 5_000)).toEqual([true, true]);
});

describe("streams", () => {
  const PARTS = ["text-start", "text-delta", "text-delta", "text-delta"].map((type, i) => ({
    type,
    id: "0",
    ...(type === "text-delta" && { delta: `word ${i} ` }),
  }));

  /** A model that sends some words, and then nothing more until it is aborted. */
  function hangingModel() {
    const seen = { pulled: 0, cancelled: undefined as unknown, aborted: false };
    const model = {
      specificationVersion: "v4",
      provider: "test",
      modelId: "gpt-5.4",
      supportedUrls: {},
      doStream: async ({ abortSignal }: { readonly abortSignal?: AbortSignal }) => ({
        stream: new ReadableStream(
          {
            start(controller) {
              abortSignal?.addEventListener("abort", () => {
                seen.aborted = true;
                controller.error(abortSignal.reason);
              });
            },
            pull(controller) {
              const part = PARTS[seen.pulled++];
              if (part) controller.enqueue(part);
              return part ? undefined : new Promise(() => {});
            },
            cancel(reason) {
              seen.cancelled = reason;
            },
          },
          { highWaterMark: 0 },
        ),
      }),
    } as unknown as Model;
    return { seen, model, wrapped: wrapLanguageModel({ model, middleware: coppice().middleware }) };
  }

  test("parts are passed on as the very same objects, and none is requested early", async () => {
    const { wrapped, seen } = hangingModel();
    const { stream } = await wrapped.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    });
    expect(seen.pulled).toBe(0);
    const reader = stream.getReader();
    expect((await reader.read()).value).toBe(PARTS[0]);
    expect((await reader.read()).value).toBe(PARTS[1]);
    expect(seen.pulled).toBe(2);
    await reader.cancel("enough");
    expect(seen.cancelled).toBe("enough");
  });

  test("one that is aborted ends as without Coppice", async () => {
    const abortInTheMiddle = async (kind: "model" | "wrapped") => {
      const { seen, [kind]: model } = hangingModel();
      const abort = new AbortController();
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      const result = streamText({ model, prompt: "Hi", abortSignal: abort.signal, onError });
      const types: string[] = [];
      for await (const part of result.fullStream) {
        types.push(part.type);
        if (types.filter((type) => type === "text-delta").length === 3) abort.abort();
      }
      return { types, errors, seen };
    };
    const pruned = await abortInTheMiddle("wrapped");
    expect(pruned.types.at(-1)).toBe("abort");
    expect(pruned.seen.aborted).toBe(true);
    expect(pruned).toEqual(await abortInTheMiddle("model"));
  });

  test("one that fails fails with the same error", async () => {
    const failure = new Error("connection lost");
    const model = {
      specificationVersion: "v4",
      provider: "test",
      modelId: "gpt-5.4",
      supportedUrls: {},
      doStream: async () => ({
        stream: new ReadableStream({ pull: (controller) => controller.error(failure) }),
      }),
    } as unknown as Model;
    const wrapped = wrapLanguageModel({ model, middleware: coppice().middleware });
    const { stream } = await wrapped.doStream({ prompt: [] });
    await expect(stream.getReader().read()).rejects.toBe(failure);
  });
});

test("our cache mark reaches Anthropic next to the application's own", async () => {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const anthropic = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: "x" })("claude-sonnet-4-5");
  const cacheControl = { type: "ephemeral" } as const;
  const marked = { providerOptions: { anthropic: { cacheControl } } };
  const messages: ModelMessage[] = [...reads(3), { role: "user", content: "Go on.", ...marked }];
  const before = provider.received.length;
  await generateText({
    model: wrapLanguageModel({ model: anthropic as Model, middleware: coppice().middleware }),
    tools: TOOLS,
    system: { role: "system", content: "You are an agent.", ...marked },
    messages,
  });
  const { body } = provider.received[before] ?? { body: {} };
  const marks = JSON.stringify(body).match(/"cache_control"/g) ?? [];
  expect(marks).toHaveLength(3);
  expect(provider.refused).toEqual([]);
});
