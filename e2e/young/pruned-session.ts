import { expect } from "vitest";
import type { HostOptions } from "../../src/hosts/conversation/host-options.ts";
import type { Provider, Received, Reply } from "../provider/provider.ts";
import { playSession, resultsOf, talkOf } from "../sdk/session.ts";

/** Makes all due cuts, so that a short session has some. */
export const EAGER: HostOptions = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 1_000, pruneMinimum: 200 },
  tools: { todoReminder: { enabled: false } },
};

export const STEPS = 16;

/** A conversation with this name prefix has an agent that uses our tools. */
export const WITH_TOOLS = "tools";

const reads = playSession({ steps: STEPS });

/** The agent lists its options, and cuts a result by its tag. */
const readsAndPrunes = playSession({
  steps: STEPS,
  instead(n, request) {
    const results = [...resultsOf(request).values()].join("\n");
    const ref = /<tool_hash>([0-9a-f]{6})<\/tool_hash>/.exec(results)?.[1] ?? "none";
    if (n === 3) return { name: "context_info", input: {} };
    if (n === 4) return { name: "context_prune", input: { action: "discard", targets: [[ref]] } };
    return undefined;
  },
});

/** The model reads the same seven files repeatedly, and queries the state. */
export function script(request: Received): Reply {
  return talkOf(request).startsWith(WITH_TOOLS) ? readsAndPrunes(request) : reads(request);
}

export const promptOf = (name: string): string => `Look into it. [talk ${name}]`;

/** Every replacement of Coppice ends with a ref. */
const MARKER = /· [0-9a-f]{6}\]/;

/** The provider's requests of the conversation `pruned` equal those of `plain`, only shorter, and legal. */
export function expectPruned(provider: Provider, plain: string, pruned: string): void {
  expect(provider.refused).toEqual([]);
  const [without, sent] = [listResults(provider, plain), listResults(provider, pruned)];
  expect(without.length).toBe(STEPS - 1);
  expect(sent.length).toBe(STEPS - 1);
  const [whole, left] = [[...(without.at(-1) ?? [])], [...(sent.at(-1) ?? [])]];
  // Every call still has its result, and the newest is unchanged.
  expect(left.map(([id]) => id.replace(pruned, plain))).toEqual(whole.map(([id]) => id));
  expect(left.at(-1)?.[1]).toBe(whole.at(-1)?.[1]);
  expect(left.filter(([, text]) => MARKER.test(text)).length).toBeGreaterThan(4);
  expect(lengthOf(left)).toBeLessThan(0.7 * lengthOf(whole));
}

/** The program's own data: the text of each result. */
export function expectWhole(history: unknown): void {
  const text = JSON.stringify(history);
  expect(text).not.toMatch(MARKER);
  expect(text.split("line 39: const total39").length - 1).toBeGreaterThanOrEqual(STEPS - 1);
}

/** Our tools were answered for the conversation that they were called in. */
export function expectToolAnswers(provider: Provider, name: string): void {
  expect(provider.refused).toEqual([]);
  const answerOf = (n: number) =>
    listResults(provider, name)
      .map((results) => results.get(`call_${name}_${n}`))
      .find((text) => text !== undefined);
  expect(answerOf(3)).toMatch(/tokens/);
  expect(answerOf(4)).toMatch(/discard ✓/);
}

/** The results in each request of a conversation that has any. */
function listResults(provider: Provider, name: string): readonly ReadonlyMap<string, string>[] {
  return provider.received
    .filter((request) => talkOf(request) === name)
    .map(resultsOf)
    .filter(({ size }) => size > 0);
}

function lengthOf(results: readonly (readonly [string, string])[]): number {
  return results.reduce((sum, [, text]) => sum + text.length, 0);
}
