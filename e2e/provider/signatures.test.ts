import { afterEach, describe, expect, test } from "vitest";
import { type Provider, startProvider } from "./provider.ts";

type Fields = Record<string, unknown>;

const CALL = { id: "call_1", name: "read", input: { path: "a" } };
let provider: Provider | undefined;
afterEach(() => provider?.close());

async function ask(path: string, body: object): Promise<Fields> {
  const answer = await fetch(`${provider?.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  return (await answer.json()) as Fields;
}

describe("Anthropic: thinking is sent back unchanged", () => {
  const path = "/v1/messages";
  const prompt = { role: "user", content: "Read a." };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "text" }] };

  async function secondRequest(
    model: string,
    change: (answer: readonly Fields[]) => readonly Fields[],
    first: object = prompt,
  ): Promise<readonly string[]> {
    provider = await startProvider(() => ({ thinking: "Which file?", calls: [CALL] }));
    const about = { model, thinking: { type: "enabled" } };
    const { content } = await ask(path, { ...about, messages: [prompt] });
    const answer = { role: "assistant", content: change(content as readonly Fields[]) };
    await ask(path, { ...about, messages: [first, answer, result] });
    return provider.refused;
  }

  const same = (answer: readonly Fields[]) => answer;
  const withThinking = (fields: Fields) => (answer: readonly Fields[]) =>
    answer.map((block) => (block.type === "thinking" ? { ...block, ...fields } : block));

  test.each([
    ["as it was", "claude-opus-5-5", same, prompt, undefined],
    [
      "the text changed",
      "claude-sonnet-4-5",
      withThinking({ thinking: "Which?" }),
      prompt,
      "cannot be modified",
    ],
    ["a signature of another", "claude-sonnet-4-5", withThinking({ signature: "x" }), prompt, "Invalid"],
    ["left out in the loop", "claude-sonnet-4-5", (all) => all.slice(1), prompt, "Expected `thinking`"],
    ["the prompt as a block, with a mark", "claude-opus-5-5", same, marked("Read a."), undefined],
    ["bound to what stood before", "claude-opus-5-5", same, marked("Read b."), "was changed"],
    ["not bound", "claude-sonnet-4-5", same, marked("Read b."), undefined],
  ] satisfies [string, string, typeof same, object, string | undefined][])(
    "%s",
    async (_, model, change, first, refusal) => {
      const refused = await secondRequest(model, change, first);
      expect(refused).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
    },
  );
});

describe("Responses: encrypted reasoning is the provider's own, and present in the loop", () => {
  const prompt = { role: "user", content: "Read a." };
  const output = { type: "function_call_output", call_id: "call_1", output: "text" };

  test.each([
    ["as it was", (items: readonly Fields[]) => items, undefined],
    [
      "changed",
      (items: readonly Fields[]) => items.map((item) => ({ ...item, ...changed(item) })),
      "verified",
    ],
    ["left out", (items: readonly Fields[]) => items.slice(1), "without its required 'reasoning'"],
  ])("%s", async (_, change, refusal) => {
    provider = await startProvider(() => ({ thinking: "Which file?", calls: [CALL] }));
    const first = await ask("/v1/responses", { model: "gpt-6.1-sol", input: [prompt] });
    const items = change(first.output as readonly Fields[]);
    await ask("/v1/responses", { model: "gpt-6.1-sol", input: [prompt, ...items, output] });
    expect(provider.refused).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
  });
});

describe("Gemini: calls of the current turn are signed", () => {
  const path = "/v1beta/models/gemini-3-pro-preview:generateContent";
  const prompt = { role: "user", parts: [{ text: "Read a." }] };
  const result = {
    role: "user",
    parts: [{ functionResponse: { id: "call_1", name: "read", response: { output: "text" } } }],
  };

  test.each([
    ["as it was", {}, undefined],
    ["no signature", { thoughtSignature: undefined }, "missing a thought_signature"],
    ["another signature", { thoughtSignature: "x" }, "Corrupted"],
    ["said to be unsigned", { thoughtSignature: "skip_thought_signature_validator" }, undefined],
  ])("%s", async (_, fields, refusal) => {
    provider = await startProvider(() => ({ thinking: "Which file?", calls: [CALL] }));
    const about = { tools: [{ functionDeclarations: [{ name: "read" }] }] };
    const first = await ask(path, { ...about, contents: [prompt] });
    const [{ content }] = first.candidates as [{ content: { role: string; parts: readonly Fields[] } }];
    const parts = content.parts.map((part) => (part.functionCall ? { ...part, ...fields } : part));
    await ask(path, { ...about, contents: [prompt, { ...content, parts }, result] });
    expect(provider.refused).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
  });
});

function marked(text: string): object {
  return { role: "user", content: [{ type: "text", text, cache_control: { type: "ephemeral" } }] };
}

function changed({ type }: Fields): Fields {
  return type === "reasoning" ? { encrypted_content: "x" } : {};
}
