import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { Conversation } from "../conversation.ts";

const log = Array.from({ length: 800 }, (_, i) =>
  i === 400 ? "calling applyRate with no order" : `step ${i} of the build is done`,
).join("\n");

function cap(conversation: Conversation, ingestCap: number | null) {
  const { messages, report } = createPruner({ config: { schedule: { ingestCap } } }).prune(
    conversation.messages,
    { meta: conversation.meta },
  );
  return { report, output: String((messages.at(-1) as { content: unknown }).content) };
}

describe("results that are too large", () => {
  test("shrink before they are first sent: head, tail, named lines", () => {
    const { output, report } = cap(
      new Conversation("Why does applyRate fail?").call("bash", { command: "make" }, log),
      500,
    );
    expect(report.cut?.reason).toBe("never-sent");
    expect(estimateTokens(output)).toBeLessThanOrEqual(500);
    expect(estimateTokens(output)).toBeGreaterThan(350);
    const shown = output.split("\n");
    expect(shown[0]).toBe("step 0 of the build is done");
    expect(shown.at(-1)).toBe("step 799 of the build is done");
    expect(shown).toContain("calling applyRate with no order");
    expect(output.match(/ lines omitted · [0-9a-f]{6}\] \.\.\.$/gm)?.length).toBe(1);
  });

  test("list the names in the omitted text", () => {
    const lines = Array.from({ length: 800 }, (_, i) => `step ${i} of the build is done`);
    lines[400] = "reading src/orders/total.ts";
    const { output } = cap(new Conversation().call("bash", { command: "make" }, lines.join("\n")), 500);
    expect(output.split("\n").at(-1)).toBe("[also names src/orders/total.ts]");
  });

  test("a single huge line keeps as much of its text", () => {
    const { output } = cap(
      new Conversation().call("bash", { command: "curl x" }, "word ".repeat(10_000)),
      500,
    );
    expect(estimateTokens(output)).toBeLessThanOrEqual(500);
    expect(estimateTokens(output)).toBeGreaterThan(150);
  });

  test.each<[string, string, unknown, number | null]>([
    ["smaller ones stay", "bash", { command: "make" }, 20_000],
    ["files that were asked for stay", "read", { filePath: "a.ts" }, 500],
    ["also in a shell", "bash", { command: "cat a.ts" }, 500],
    ["a diff, which shows lines of files", "bash", { command: "git diff main" }, 500],
    ["protected tools stay", "task", { prompt: "x" }, 500],
    ["null turns it off", "bash", { command: "make" }, null],
  ])("%s", (_, tool, input, ingestCap) => {
    expect(cap(new Conversation().call(tool, input, log), ingestCap).output).toBe(log);
  });

  test("once sent, a result is not capped", () => {
    const conversation = new Conversation().call("bash", { command: "make" }, log);
    const capped = cap(conversation, 500).output;
    const later = conversation.answer("done").say("and now?");
    const { messages } = createPruner({ config: { schedule: { ingestCap: 500 } } }).prune(later.messages);
    expect(JSON.stringify(messages)).toContain(JSON.stringify(capped).slice(1, -1));
  });
});
