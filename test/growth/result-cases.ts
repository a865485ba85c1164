import { createPruner, type PrunerOptions, summarizeToolOutput } from "../../src/index.ts";
import { Conversation } from "../conversation.ts";
import type { Case } from "./measure.ts";
import { age, EAGER, PRESSED } from "./session.ts";
import { hostileTexts } from "./texts.ts";

/** What a tool was asked, for every way there is to summarise an answer. */
const ASKED: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ["bash", { command: "npm test" }],
  ["bash", { command: "ls -la" }],
  ["bash", { command: "git status" }],
  ["bash", { command: "git diff" }],
  ["bash", { command: "git log" }],
  ["bash", { command: "tree" }],
  ["bash", { command: "cat src/a.ts" }],
  ["bash", { command: "grep -rn a src" }],
  ["read", { filePath: "src/a.ts" }],
  ["edit", { filePath: "src/a.ts", oldString: "a", newString: "b" }],
  ["list", { path: "src" }],
  ["glob", { pattern: "*" }],
  ["tree", { path: "src" }],
  ["repo_map", {}],
  ["code_structure", { path: "src" }],
  ["git_status", {}],
  ["git_diff", {}],
  ["git_log", {}],
  ["grep", { pattern: "a" }],
  ["webfetch", { url: "https://a.org" }],
  ["websearch", { query: "a" }],
  ["todowrite", { todos: [{ content: "a", status: "pending" }] }],
  ["task_create", { subject: "a" }],
  ["task", { prompt: "a" }],
  ["skill", { name: "a" }],
  ["browser_snapshot", {}],
  ["context_prune", { action: "discard", targets: [["a1b2c3"]] }],
  ["context_recall", { ref: "a1b2c3" }],
  ["some_unknown_tool", { a: "b" }],
];

/** Those whose answers go different ways through the passes. */
const PRUNED: readonly string[] = ["bash npm test", "read src/a.ts", "webfetch https://a.org"];

/** What tools answer: anything, from anywhere. */
export function resultCases(): readonly Case[] {
  return hostileTexts.flatMap(({ name, of }) => {
    const summaries = ASKED.map(
      ([tool, input]): Case => ({
        name: `summarizeToolOutput, ${nameOf(tool, input)}, ${name}`,
        sizes: [4_096, 65_536],
        prepare: (size) => {
          const text = of(size);
          return () => summarizeToolOutput(tool, text, { input, task: "Fix src/a.ts and applyRate." });
        },
      }),
    );
    const pruned = ASKED.filter(([tool, input]) => PRUNED.includes(nameOf(tool, input))).flatMap((asked) => [
      pruneCase(`prune, result of ${nameOf(...asked)}, ${name}`, EAGER, asked, of),
      pruneCase(`prune under pressure, result of ${nameOf(...asked)}, ${name}`, PRESSED, asked, of),
    ]);
    return [...summaries, ...pruned];
  });
}

function nameOf(tool: string, input: Readonly<Record<string, unknown>>): string {
  const [first = ""] = Object.values(input);
  return typeof first === "string" ? `${tool} ${first}`.trim() : tool;
}

function pruneCase(
  name: string,
  options: PrunerOptions,
  [tool, input]: (typeof ASKED)[number],
  of: (size: number) => string,
): Case {
  return {
    name,
    sizes: [4_096, 65_536, 1_048_576],
    prepare: (size) => {
      const conversation = new Conversation().call(tool, input, of(size)).call(tool, input, of(size));
      const { messages, meta } = age(conversation);
      return () => createPruner(options).prune(messages, { meta, model: "claude-sonnet-4-5" });
    },
  };
}
