import { describe, expect, test } from "vitest";
import { infoTool, listAgentTools, pruneTool, recallTool } from "../../src/agent/tool-definitions.ts";
import { findMatches } from "../../src/replace/find-matches.ts";
import { type PatternKind, suggestPatterns } from "../../src/replace/suggest-patterns.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { textOf } from "../conversation.ts";

const many = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const TRACE = `before it\nTypeError: x is undefined\n${many(12, (i) => `    at frame${i} (/work/src/file${i}.ts:${i}:9)`)}\nafter it`;

describe("context_info", () => {
  const session = () =>
    new AgentSession({
      config: { window: 40_000, schedule: { requestedLimit: 0 }, strategies: { spent: { enabled: false } } },
      prefixTokens: 2_000,
    })
      .step({
        text: textOf(500, 4),
        thinking: { text: textOf(100, 5), signed: false },
        calls: [["bash", { command: "npm test" }, TRACE]],
      })
      .call("read", { filePath: "src/a.ts" }, textOf(2_000, 1))
      .call("bash", { command: "git status" }, textOf(400, 2))
      .call("read", { filePath: "src/b.ts" }, textOf(900, 6))
      .call("bash", { command: "git status" }, textOf(400, 3));

  test("shows how full the context is, line by line", () => {
    const lines = session().info().split("\n");
    expect(lines[0]).toMatch(
      /^Context: \d,\d{3} of 40,000 tokens \(\d+ %\)\. Pressure light: nothing to do\.$/,
    );
    expect(lines[1]).toMatch(/^By kind: tool results \d,\d{3} · messages \d{3} · .*reasoning \d+/);
    expect(lines[2]).toMatch(/^By tool: read \d,\d{3} \(2 results\) · bash \d,\d{3} \(3 results\)$/);
    expect(lines[3]).toBe("Prunable, largest first:");
    expect(lines[4]).toMatch(/^ {2}[0-9a-f]{6} ⚙️ read src\/a\.ts: 2,\d{3} tokens, 4 steps ago$/);
    expect(lines[6]).toMatch(/^ {2}[0-9a-f]{6} 💬 message ".*…": \d{3} tokens, 5 steps ago$/);
    expect(lines).toContainEqual(expect.stringMatching(/🧠 reasoning: \d+ tokens/));
    expect(lines).toContain("Available: Tools(5), Messages(1), Reasoning(1)");
    expect(lines).toContainEqual(
      expect.stringMatching(/^Stale, waiting for a cheap moment: 1 part, \d{3} tokens/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}[0-9a-f]{6} bash git status: newer git status$/),
    );
    expect(lines).toContain("Saved so far: 0 tokens by 0 cuts, 0 of them yours.");
    expect(lines.at(-1)).toBe("Keep always: open todos, files being edited, the user's requirements.");
  });

  test("a suggestion can be used without changes", () => {
    const played = session();
    const line =
      played
        .info()
        .split("\n")
        .find((text) => text.includes("stack trace")) ?? "";
    expect(line).toMatch(
      /: stack trace, 12 lines, \d+ tokens in message \d+, bash npm test \([0-9a-f]{6}\)$/,
    );
    const operation = JSON.parse(line.slice(0, line.lastIndexOf("]:") + 1));
    expect(played.ask("replace", [operation])).toContain("replace ✓");
  });

  test("the savings, by author", () => {
    const played = new AgentSession().call("bash", { command: "npm test" }, textOf(900));
    played.ask("discard", [[played.ref("result")]]);
    expect(played.info()).toMatch(/Saved so far: 1,\d{3} tokens by 1 cut, 1 of them yours\./);
    expect(played.info()).toContain("Prunable: nothing");
  });

  test("refs of cuts outside results are shown only here, and can be recalled", () => {
    const content = textOf(900, 2);
    const played = new AgentSession({
      config: {
        schedule: { mode: "eager", prices: { "*": { reasoning: "field" } } },
        strategies: { spent: { enabled: false } },
      },
    })
      .call("write", { filePath: "a.ts", content }, "written")
      .step({
        text: `Look here.\n${textOf(400, 4)}`,
        thinking: { text: textOf(400, 5), signed: false },
        calls: [["write", { filePath: "a.ts", content: "x" }, "written"]],
      });
    const [message, reasoning] = [played.ref("text"), played.ref("reasoning")];
    played.ask("distill", [[message, "a.ts is written"]]);
    played.ask("discard", [[reasoning]]);
    const spoken = played.shown().filter(({ kind, role }) => kind !== "result" && role === "assistant");
    expect(spoken.map(({ text }) => text)).toContain('[distilled: message "Look here.…"]\na.ts is written');
    const [, listed = ""] = /^Cut outside results, .* context_recall: (.*)$/m.exec(played.info()) ?? [];
    const names = listed.split(" · ");
    expect(names).toContain(`${message} message "Look here.…"`);
    expect(names).toContain(`${reasoning} reasoning`);
    const input = names.find((name) => name.endsWith(" input of write a.ts"));
    expect(played.recall({ ref: input?.slice(0, 6) })).toContain(content);
    expect(played.recall({ ref: message })).toContain(textOf(400, 4));
  });

  test.each([
    [100_000, "light", "nothing to do"],
    [10_000, "moderate", "prune old tool results"],
    [8_000, "high", "write down what matters, then prune in batches"],
    [6_500, "critical", "prune everything disposable"],
  ])("pressure with a window of %i is %s", (window, level, advice) => {
    const played = new AgentSession({ config: { window }, prefixTokens: 5_000, ladder: [] }).call(
      "bash",
      { command: "x" },
      textOf(1_100),
    );
    expect(played.info()).toContain(`Pressure ${level}: ${advice}.`);
  });

  test("a long list is cut off, and says how much it leaves out", () => {
    const played = new AgentSession({ config: { strategies: { spent: { enabled: false } } } });
    for (let i = 0; i < 30; i++) played.call("bash", { command: `run ${i}` }, textOf(100, i));
    expect(played.info()).toMatch(/ {2}and 10 more, 1,\d{3} tokens/);
    expect(played.info()).toContain("Available: Tools(30)");
  });
});

describe("suggestPatterns", () => {
  test.each<[PatternKind, string]>([
    ["stack trace", TRACE],
    [
      "stack trace",
      `x\nTraceback\n${many(6, (i) => `  File "/work/app/m${i}.py", line ${i}, in run\n    value = compute(${i})`)}\nValueError`,
    ],
    [
      "package manager output",
      `> install\n${many(9, (i) => `npm warn deprecated package-${i}@1.0.${i}: no longer supported`)}\ndone`,
    ],
    ["package manager output", `x\n${many(9, (i) => `   Compiling serde_part_${i} v1.0.${i}`)}\nfinished`],
    [
      "progress",
      `x\n${many(20, (i) => `[${"=".repeat(i)}>${" ".repeat(20 - i)}] ${i * 5}% of the download`)}\ndone`,
    ],
    [
      "repeated lines",
      `x\n${many(20, (i) => `2026-01-01 10:00:${10 + i} INFO waiting for the worker to come up`)}\nready`,
    ],
  ])("%s", (kind, text) => {
    const [suggestion] = suggestPatterns(text);
    expect(suggestion?.kind).toBe(kind);
    if (!suggestion) return;
    const { start, end, lines } = suggestion;
    expect(Math.max(start.length, end.length)).toBeGreaterThan(15);
    expect(lines).toBeGreaterThanOrEqual(6);
    const [match, ...others] = findMatches([{ part: 0, text, segments: [] }], start, end);
    expect(others).toEqual([]);
    const left = text.slice(0, match?.from) + text.slice(match?.to);
    expect(left.split("\n").length).toBeLessThanOrEqual(5);
  });

  test("empty if nothing repeats, if the text is short, or if no pattern matches exactly once", () => {
    expect(suggestPatterns("")).toEqual([]);
    expect(suggestPatterns(textOf(30))).toEqual([]);
    expect(suggestPatterns("a\nb\nc\nd\ne\n".repeat(50))).toEqual([]);
    expect(suggestPatterns("the very same line\n".repeat(50))).toEqual([]);
  });

  test("a very long run is one suggestion", () => {
    const text = many(50_000, (i) => `2026-01-01 INFO worker ${i} is up`);
    expect(suggestPatterns(text).length).toBe(1);
  });
});

describe("the definitions", () => {
  test("cost no more than 700 tokens together", () => {
    expect(estimateTokens(JSON.stringify([pruneTool, recallTool, infoTool]))).toBeLessThanOrEqual(700);
  });

  test("say the rules of replace", () => {
    const [, text = ""] = /^replace (.*)$/m.exec(pruneTool.description) ?? [];
    expect(text).toContain("at least 30 characters");
    expect(text).toContain("longer than 15");
    expect(text).toContain("match once");
    expect(text).toContain("hides no secret");
  });

  test("have no tuples and no alternatives, which several providers reject", () => {
    const text = JSON.stringify([pruneTool, recallTool, infoTool]);
    for (const word of ["anyOf", "oneOf", "prefixItems", "additionalItems", '"items":['])
      expect(text).not.toContain(word);
    expect(pruneTool.parameters.properties.targets).toMatchObject({
      type: "array",
      items: { type: "array", items: { type: "string" } },
    });
  });

  test("offer what is turned on", () => {
    const settings = { recall: false, messages: true, reasoning: true, visibleHashes: true };
    const [prune, info, ...others] = listAgentTools({ ...settings, actions: ["discard", "restore"] });
    expect([prune?.name, info?.name, others.length]).toEqual(["context_prune", "context_info", 0]);
    expect(prune?.parameters.properties.action).toEqual({ type: "string", enum: ["discard", "restore"] });
    expect(prune?.description).not.toContain("distill");
    expect(listAgentTools({ ...settings, recall: true, actions: [] }).map(({ name }) => name)).toEqual([
      "context_recall",
      "context_info",
    ]);
  });
});
