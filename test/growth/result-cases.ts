import { summarizeToolOutput } from "../../src/entries/messages.ts";
import { createPruner, type PrunerOptions } from "../../src/index.ts";
import { Conversation } from "../conversation.ts";
import type { Case } from "./measure.ts";
import { age, EAGER, PRESSED } from "./session.ts";
import { HUGE_TEXT_SIZES, LARGE_TEXT_SIZES, SMALL_TEXT_SIZES, TEXT_SIZES } from "./sizes.ts";
import { hostileTexts } from "./texts.ts";

/** The input of a tool, for every way to summarise an answer. */
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

const RUN: (typeof ASKED)[number] = ["bash", { command: "npm test" }];

/** Tools whose answers go different ways through the passes. */
const PRUNED: readonly (readonly [asked: (typeof ASKED)[number], sizes: readonly number[]])[] = [
  [RUN, LARGE_TEXT_SIZES],
  [["read", { filePath: "src/a.ts" }], SMALL_TEXT_SIZES],
];

/** The most lines, and the most words. */
const HUGE: ReadonlySet<string> = new Set(["\n", "a\n", "a b "].map((unit) => JSON.stringify(unit)));

/** Outputs of tools: anything, from anywhere. */
export function resultCases(): readonly Case[] {
  return hostileTexts.flatMap(({ name, of }) => {
    const summaries = ASKED.map(
      ([tool, input]): Case => ({
        name: `summarizeToolOutput, ${nameOf(tool, input)}, ${name}`,
        sizes: SMALL_TEXT_SIZES,
        prepare: (size) => {
          const text = of(size);
          return () => summarizeToolOutput(tool, text, { input, task: "Fix src/a.ts and applyRate." });
        },
      }),
    );
    const pruned = PRUNED.flatMap(([asked, usual]) => [
      pruneCase(
        `prune, result of ${nameOf(...asked)}, ${name}`,
        asked === RUN && HUGE.has(name) ? HUGE_TEXT_SIZES : usual,
        EAGER,
        asked,
        of,
      ),
      pruneCase(
        `prune under pressure, result of ${nameOf(...asked)}, ${name}`,
        TEXT_SIZES,
        PRESSED,
        asked,
        of,
      ),
    ]);
    const failed = pruneCase(`prune, a command that failed, ${name}`, TEXT_SIZES, EAGER, RUN, (size) =>
      [of(size), "[exit code 1]"].join("\n"),
    );
    const again: Case = {
      name: `prune, a file that is read again with other lines in it, ${name}`,
      sizes: SMALL_TEXT_SIZES,
      prepare: (size) => {
        const text = of(size);
        const middle = text.indexOf("\n", text.length / 2) + 1;
        const changed = `first\n${text.slice(0, middle)}another\n${text.slice(middle)}\nlast`;
        const read = (output: string) => ["read", { filePath: "src/a.ts" }, output] as const;
        const { messages, meta } = age(new Conversation().call(...read(text)).call(...read(changed)));
        return () => createPruner(EAGER).prune(messages, { meta, model: "claude-sonnet-4-5" });
      },
    };
    return [...summaries, ...pruned, failed, again];
  });
}

function nameOf(tool: string, input: Readonly<Record<string, unknown>>): string {
  const [first = ""] = Object.values(input);
  return typeof first === "string" ? `${tool} ${first}`.trim() : tool;
}

function pruneCase(
  name: string,
  sizes: readonly number[],
  options: PrunerOptions,
  [tool, input]: (typeof ASKED)[number],
  of: (size: number) => string,
): Case {
  return {
    name,
    sizes,
    prepare: (size) => {
      const conversation = new Conversation().call(tool, input, of(size));
      const { messages, meta } = age(conversation);
      return () => createPruner(options).prune(messages, { meta, model: "claude-sonnet-4-5" });
    },
  };
}
