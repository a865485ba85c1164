import { describe, expect, test } from "vitest";
import { readCall } from "../../../src/hosts/ai-sdk/read-call.ts";

const OURS = [{ name: "context_info" }];
const read = {
  type: "function",
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object" },
};
const info = { type: "function", name: "context_info", description: "Shows how full the context is." };
const user = { role: "user", content: [{ type: "text", text: "Hi" }] };
const mark = (ttl?: string) => ({ anthropic: { cacheControl: { type: "ephemeral", ttl } } });

test("our own tools are not part of the prefix: they are counted as Coppice's addition", () => {
  const without = readCall({ prompt: [user], tools: [read] }, OURS);
  const withOurs = readCall({ prompt: [user], tools: [read, info] }, OURS);
  expect(without).toMatchObject({ hasTools: true, agentTools: false });
  expect(withOurs).toEqual({ ...without, agentTools: true });
  expect(without.prefixTokens).toBeGreaterThan(5);
});

test.each([
  ["a list without any", [], false],
  ["not known", undefined, true],
])("are there tools? %s", (_, tools, hasTools) => {
  expect(readCall({ prompt: [user], tools }, OURS)).toMatchObject({ hasTools, agentTools: false });
});

describe("a cache mark for an hour is found", () => {
  test.each([
    [
      "on a part",
      { prompt: [{ role: "user", content: [{ type: "text", text: "", providerOptions: mark("1h") }] }] },
    ],
    ["on a message", { prompt: [{ role: "system", content: "", providerOptions: mark("1h") }] }],
    ["on a tool", { prompt: [], tools: [{ ...read, providerOptions: mark("1h") }] }],
    ["on the request", { prompt: [], providerOptions: mark("1h") }],
  ])("%s", (_, params) => {
    expect(readCall(params, OURS).ttl).toBe(3_600_000);
  });

  test("and none for five minutes", () => {
    expect(readCall({ prompt: [{ ...user, providerOptions: mark() }] }, OURS).ttl).toBeUndefined();
  });
});

test.each([
  [{ openai: { previousResponseId: "resp_1" } }, "previousResponseId"],
  [{ azure: { conversation: "conv_1" } }, "conversation"],
  [{ openai: { previousResponseId: undefined, store: false } }, undefined],
  [undefined, undefined],
])("history on the server: %o", (providerOptions, field) => {
  expect(readCall({ prompt: [user], providerOptions }, OURS).historyOnServer).toBe(field);
});
