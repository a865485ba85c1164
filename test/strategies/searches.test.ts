import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { createPruner } from "../../src/pruner.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { Conversation } from "../conversation.ts";

/* Search results are never cut before the agent has seen them: an incomplete list of matches looks complete. */

const list = (count: number, name = "match") =>
  Array.from({ length: count }, (_, i) => `src/orders/${name}${i}.ts:${i + 1}: applyRate(order)`).join("\n");
const FOUND = list(400);

const SEARCHES: readonly (readonly [string, object])[] = [
  ["Grep", { pattern: "applyRate" }],
  ["Glob", { pattern: "**/*.ts" }],
  ["LS", { path: "src" }],
  ["WebSearch", { query: "apply rate" }],
  ["bash", { command: "rg applyRate src" }],
  ["bash", { command: "cd src && find . -name '*.ts' | sort" }],
  ["bash", { command: "grep -rn applyRate src; grep -rn rateOf src || true" }],
  ["bash", { command: "npm test 2>&1 | grep -E 'FAIL|Error'" }],
  ["bash", { command: "for f in src/*; do rg -n applyRate $f; done" }],
  ["bash", { command: "git status -s" }],
];

/** Results in each request, as a host sends them. */
function send(messages: readonly unknown[], ends: readonly number[], config: PartialConfig) {
  const pruner = createPruner({ format: "anthropic-messages", prefixTokens: 1_000, config });
  return ends.map((end) => {
    const { messages: sent } = pruner.prune(messages.slice(0, end), { session: "s" });
    return sent.flatMap((message) => {
      const { content } = message as { content: unknown };
      const blocks = Array.isArray(content) ? content : [];
      return blocks.flatMap((block) => (block.type === "tool_result" ? [String(block.content)] : []));
    });
  });
}

/** A step with several calls, and their results. */
function callAll(step: number, calls: readonly (readonly [string, object, string])[]): readonly unknown[] {
  const id = (i: number) => `t${step}-${i}`;
  return [
    {
      role: "assistant",
      content: calls.map(([name, input], i) => ({ type: "tool_use", id: id(i), name, input })),
    },
    {
      role: "user",
      content: calls.map(([, , content], i) => ({ type: "tool_result", tool_use_id: id(i), content })),
    },
  ];
}

const prompt = { role: "user", content: "Where is applyRate used?" };

describe("no cap", () => {
  test.each(SEARCHES)("%s %j", (tool, input) => {
    const { messages } = createPruner({ config: { schedule: { ingestCap: 500 } } }).prune(
      new Conversation().call(tool, input, FOUND).messages,
    );
    expect((messages.at(-1) as { content: unknown }).content).toBe(FOUND);
  });

  test.each(["rg applyRate src && npm test", "npm test", "npm test | tail -900"])("except %s", (command) => {
    const { messages } = createPruner({ config: { schedule: { ingestCap: 500 } } }).prune(
      new Conversation().call("bash", { command }, FOUND).messages,
    );
    expect(String((messages.at(-1) as { content: unknown }).content)).toContain("lines omitted");
  });

  test("nor the lower limit of models that bind reasoning", () => {
    const schedule = { prices: { "*": { reasoning: "bound" as const } } };
    const messages = [prompt, ...callAll(0, [["Grep", { pattern: "applyRate" }, FOUND]])];
    expect(send(messages, [3], { schedule })).toEqual([[FOUND]]);
  });
});

describe("results that would be cut at once wait until the agent has seen them", () => {
  const searches = callAll(0, [
    ["Grep", { pattern: "applyRate" }, FOUND],
    ["Grep", { pattern: "rateOf" }, list(400, "other")],
    ["bash", { command: "make" }, list(300, "line")],
  ]);
  const whole = [FOUND, list(400, "other")];
  const next = callAll(1, [["bash", { command: "echo 1" }, "1"]]);

  test("results that are old at once, because others came with them", () => {
    const config: PartialConfig = {
      schedule: { mode: "eager", ingestCap: null },
      strategies: { pruneProtect: 300, pruneMinimum: 0, spent: { enabled: false } },
    };
    const [first, second] = send([prompt, ...searches, ...next], [3, 5], config);
    expect(first?.slice(0, 2)).toEqual(whole);
    expect(second?.[0]).toMatch(/^\[Pruned Grep: 400 matches/i);
  });

  test("results that are unneeded at once, by a setting", () => {
    const config: PartialConfig = {
      schedule: { mode: "eager", ingestCap: null },
      strategies: { spent: { results: 0 } },
    };
    const steps = Array.from({ length: 7 }, (_, i) =>
      callAll(i + 2, [["bash", { command: `echo ${i}` }, "ok"]]),
    );
    const messages = [prompt, ...steps.flat(), ...searches, ...next];
    const [first, second] = send(messages, [17, 19], config);
    expect(first?.slice(7, 9)).toEqual(whole);
    expect(first?.[9]).toMatch(/^\[Pruned/);
    expect(second?.[7]).not.toBe(FOUND);
  });

  test("under pressure too, if the request fits", () => {
    const config: PartialConfig = {
      window: 40_000,
      strategies: { compactThreshold: 0.2, pruneProtect: 300, pruneMinimum: 0 },
      schedule: { ingestCap: null },
    };
    const [first] = send([prompt, ...searches], [3], config);
    expect(first?.slice(0, 2)).toEqual(whole);
  });
});

test("a list that does not fit into the window says that it is incomplete, and how much is missing", () => {
  const messages = [prompt, ...callAll(0, [["Grep", { pattern: "applyRate" }, list(4_000)]])];
  const [[text = ""] = []] = send(messages, [3], { window: 16_000 });
  expect(estimateTokens(text)).toBeLessThan(11_000);
  const [, omitted = "", all] =
    /^\[this list is incomplete: ([\d,]+) of ([\d,]+) lines omitted\]$/m.exec(text) ?? [];
  expect(all).toBe("4,000");
  const shown = text.split("\n").filter((line) => line.startsWith("src/orders/")).length;
  expect(Number(omitted.replaceAll(",", ""))).toBe(4_000 - shown);
});
