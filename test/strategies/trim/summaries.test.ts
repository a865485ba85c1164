import { describe, expect, test } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { trimAndSummarize } from "../../../src/strategies/trim/trim-and-summarize.ts";
import { trimByPriority } from "../../../src/strategies/trim/trim-by-priority.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";
import { textOf } from "../../conversation.ts";
import { chatOf } from "./chat.ts";

const chat = chatOf((c) =>
  c
    .call("read", { filePath: "src/a.ts" }, textOf(300))
    .call("bash", { command: "npm test" }, textOf(300))
    .answer("Two tests fail. The cause was a stale cache. It is raining.")
    .say("Then clear it.")
    .answer("Done.")
    .say("Thanks. Now the docs."),
);
const options = { targetTokens: 150, preserveRecentTurns: 0 };

describe("the extractive summary", () => {
  test("names files, commands, what was asked and decided, and nothing that stayed", () => {
    const roomy = [...chat.slice(0, -1), { role: "user", content: textOf(600, 9) }];
    const targetTokens = new MessageBench(roomy.filter((_, i) => i === 0 || i === roomy.length - 1)).view
      .total;
    const result = trimByPriority(roomy, { targetTokens, preserveRecentTurns: 0, summarizeDropped: true });
    expect(result.summary?.split("\n")).toEqual([
      "Files read: src/a.ts",
      "Commands: npm test",
      "Asked: Then clear it. | Fix it.",
      "Decided: The cause was a stale cache.",
    ]);
    expect(JSON.stringify(result.messages)).not.toContain("Files read");
  });

  test("is no longer than 500 tokens and a tenth of the budget, and keeps the newest", () => {
    const long = chatOf((c) => {
      for (let i = 0; i < 400; i++)
        c.call("bash", { command: `run the long task number ${i}` }, textOf(50, i));
      c.say("Next.");
    });
    for (const targetTokens of [400, 2_000, 9_000]) {
      const { summary = "" } = trimByPriority(long, { targetTokens, summarizeDropped: true });
      expect(estimateTokens(summary)).toBeLessThanOrEqual(Math.min(500, targetTokens / 10));
      expect(estimateTokens(summary)).toBeGreaterThan(Math.min(500, targetTokens / 10) / 2);
    }
    const { summary = "", messages } = trimByPriority(long, { targetTokens: 400, summarizeDropped: true });
    const newest = Math.max(...[...summary.matchAll(/number (\d+)/g)].map(([, n]) => Number(n)));
    expect(JSON.stringify(messages)).toContain(`number ${newest + 1}`);
  });

  test("is empty if nothing was dropped", () => {
    expect(trimByPriority(chat, { targetTokens: 10_000, summarizeDropped: true })).not.toHaveProperty(
      "summary",
    );
  });
});

describe("a summary by a model", () => {
  const extractive = trimByPriority(chat, { ...options, targetTokens: 200, summarizeDropped: true }).summary;
  const ask = (summarize: () => Promise<string> | string) =>
    trimAndSummarize(chat, { ...options, targetTokens: 200 }, summarize);

  test("is given what was dropped, and its limit", async () => {
    let given: unknown;
    const result = await trimAndSummarize(chat, options, async (dropped, limits) => {
      given = { dropped, limits };
      return "We fixed a.ts.";
    });
    expect(result.summary).toBe("We fixed a.ts.");
    expect(given).toEqual({
      dropped: result.droppedMessages.map(({ message }) => message),
      limits: { maxTokens: 15 },
    });
    expect(result.messages).toEqual(trimByPriority(chat, options).messages);
  });

  test.each<[string, () => Promise<string> | string]>([
    ["it is not smaller than what it stands for", async () => textOf(2_000)],
    ["it says nothing", async () => "  "],
    ["it rejects", () => Promise.reject(new Error("no model"))],
    [
      "it throws",
      () => {
        throw new Error("no model");
      },
    ],
    ["it gives no text", async () => undefined as unknown as string],
  ])("gives way to the extractive one where %s", async (_, summarize) => {
    expect(extractive).toMatch(/^Files read/);
    expect((await ask(summarize)).summary).toBe(extractive);
  });

  test("is not asked for where nothing went", async () => {
    const result = await trimAndSummarize(chat, { targetTokens: 10_000 }, () => {
      throw new Error("nobody asked");
    });
    expect(result).not.toHaveProperty("summary");
  });
});
