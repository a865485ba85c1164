import { createPruner, type PruneRequest, type PrunerOptions } from "../../src/index.ts";
import { textOf } from "../conversation.ts";
import { render, type Script } from "../generate.ts";
import type { Case } from "./measure.ts";
import { EAGER, PRESSED } from "./session.ts";
import { isFull, PRESSED_STEP_SIZES, STEP_SIZES } from "./sizes.ts";

type Step = Script["turns"][number]["steps"][number];
type Made = readonly [tool: string, input: Readonly<Record<string, unknown>>, how?: "failed" | "missed"];

const read = (path: string, range = {}): Made => ["read", { filePath: path, ...range }];
const edit = (path: string, i: number): Made => [
  "edit",
  { filePath: path, oldString: `old ${i}`, newString: textOf(40, i) },
];
const bash = (command: string): Made => ["bash", { command }];

/** Calls that an agent may repeat: the calls of step i. */
const SERIES: readonly (readonly [name: string, calls: (i: number) => readonly Made[]])[] = [
  ["reads and edits of one file in turn", (i) => [i % 2 ? edit("a.ts", i) : read("a.ts")]],
  [
    "reads and edits that do not find their text",
    (i) => [
      i % 2 ? ["edit", { filePath: "a.ts", oldString: `old ${i}`, newString: "b" }, "missed"] : read("a.ts"),
    ],
  ],
  ["a read and two edits of one file", (i) => [i % 3 ? edit("a.ts", i) : read("a.ts")]],
  [
    "reads of a part and edits in turn",
    (i) => [i % 2 ? edit("a.ts", i) : read("a.ts", { offset: 1, limit: 50 })],
  ],
  ["reads of one file", () => [read("a.ts")]],
  ["reads of the same lines", () => [read("a.ts", { offset: 10, limit: 20 })]],
  ["reads of other lines each", (i) => [read("a.ts", { offset: 1 + 20 * i, limit: 20 })]],
  ["reads of more and more lines", (i) => [read("a.ts", { offset: 1, limit: 20 + i })]],
  ["edits of one file", (i) => [edit("a.ts", i)]],
  ["writes of one file", (i) => [["write", { filePath: "a.ts", content: textOf(60, i) }]]],
  [
    "edits with rests",
    (i) => [i % 6 === 0 ? edit("a.ts", i) : i % 6 === 1 ? read("a.ts") : read(`b${i}.ts`)],
  ],
  ["two files together and edits of one", (i) => [i % 2 ? edit("a.ts", i) : bash("cat a.ts b.ts")]],
  ["two files together and edits of both", (i) => [i % 2 ? edit(i % 4 < 2 ? "a" : "b", i) : bash("cat a b")]],
  ["the shell shows and changes a file", (i) => [bash(i % 2 ? `sed -i s/${i}/b/ a.ts` : "cat a.ts")]],
  ["patches of many files", (i) => [patch(i)]],
  ["reads of many files", (i) => [read(`src/${i}.ts`)]],
  ["deletes and writes", (i) => [i % 2 ? bash("rm a.ts") : ["write", { filePath: "a.ts", content: "a" }]]],
  ["the same command", () => [bash("npm test")]],
  ["the same command fails", () => [[...bash("npm test"), "failed"] as unknown as Made]],
  ["other commands each", (i) => [bash(`node script-${i}.js`)]],
  ["a question about the workspace", (i) => [bash(i % 2 ? "git status -s" : "cd . && git status")]],
  ["a search that fails", () => [["grep", { pattern: "a" }, "failed"]]],
  [
    "edits that fail",
    (i) => [["edit", { filePath: "a.ts", oldString: `${i}`, newString: textOf(60) }, "failed"]],
  ],
  [
    "edits of which one succeeds at times",
    (i) => [
      ["edit", { filePath: "a.ts", oldString: `${i}`, newString: "b" }, ...(i % 50 ? FAILED : [])] as Made,
    ],
  ],
  ["todo lists", (i) => [["todowrite", { todos: todoList(i) }]]],
  ["tasks, one by one", (i) => [["task_create", { subject: `task number ${i}` }]]],
  ["updates of a task", (i) => [["task_update", { task_id: `${i % 3}`, status: "in_progress" }]]],
  ["fetches of a page", (i) => [["webfetch", { url: `https://a.org/x#${i}` }]]],
  ["fetches that fail", () => [["webfetch", { url: "https://a.org/x" }, "failed"]]],
  ["searches of the web", () => [["websearch", { query: "how to" }]]],
  ["snapshots", () => [["browser_snapshot", {}]]],
  ["looks at the context", () => [["context_info", {}]]],
  ["cuts that the agent asks for", () => [["context_prune", { action: "discard", targets: [["a1b2c3"]] }]]],
  ["recalls", () => [["context_recall", { ref: "a1b2c3" }]]],
  ["skills", () => [["skill", { name: "a" }]]],
  ["here-documents", (i) => [bash(`cat > a.py <<EOF\n${textOf(150, i)}\nEOF`)]],
  ["nothing but words", () => []],
];

const FAILED = ["failed"] as const;

function patch(i: number): Made {
  const files = [1, 2, 3, 4].map((n) => `*** Update File: src/${(i + n) % 40}.ts\n@@\n-a\n+b\n`);
  return ["apply_patch", { input: `*** Begin Patch\n${files.join("")}*** End Patch` }];
}

function todoList(i: number): readonly unknown[] {
  return Array.from({ length: 20 }, (_, n) => ({ content: `task number ${n + (i % 5)}`, status: "pending" }));
}

const NEVER_CUT: PrunerOptions = {
  config: { schedule: { mode: "pressure" }, window: 1_000_000_000 },
};

/** A window that is always full took the most time. */
const HARD = SERIES.filter(([name]) => /rests|of a part|of both|one succeeds|at the context|-doc/.test(name));

const OPTIONS: readonly (readonly [string, PrunerOptions, sizes: readonly number[], typeof SERIES])[] = [
  ["default", { agentTools: true, config: { window: 1_000_000_000 } }, STEP_SIZES, SERIES],
  ["eager", EAGER, STEP_SIZES, SERIES],
  ["pressed", PRESSED, PRESSED_STEP_SIZES, isFull ? SERIES : HARD],
  ...(isFull ? ([["never cut", NEVER_CUT, STEP_SIZES, SERIES]] as const) : []),
];

/** Steps at the end that are asked for one by one. */
const LIVE = 20;

/** Long series of the same call, live and cold. */
export function seriesCases(): readonly Case[] {
  return [...usualCases(), ...providerCases()];
}

/** Where the provider clears results itself, and where it binds reasoning to the text before it. */
function providerCases(): readonly Case[] {
  const sizes = STEP_SIZES;
  return SERIES.filter(([name]) => PROVIDER_SERIES.includes(name)).flatMap(
    ([name, calls]): readonly Case[] => [
      { name: `cold, cleared: ${name}`, sizes, prepare: (size) => foldCold(size, calls, EAGER, CLEARED) },
      { name: `cold, bound: ${name}`, sizes, prepare: (size) => foldBound(size, calls) },
    ],
  );
}

const PROVIDER_SERIES = ["reads of one file", "reads of many files", "other commands each"];
const CLEARED: PruneRequest = { clears: { aboveTokens: 5_000, keep: 3, inputs: true } };

function foldBound(size: number, calls: Calls): () => unknown {
  const { messages, meta } = makeSession(size, calls, { text: "hm", signed: true });
  const config = { window: 1_000_000_000, schedule: { prices: { "*": { reasoning: "bound" as const } } } };
  return () => check(createPruner({ config }).prune(messages, { meta }));
}

function usualCases(): readonly Case[] {
  return OPTIONS.flatMap(([option, options, sizes, series], i) =>
    series.flatMap(([name, calls]): readonly Case[] => {
      const cold: Case = {
        name: `cold, ${option}: ${name}`,
        sizes,
        prepare: (size) => foldCold(size, calls, options),
      };
      return i === 0 || isFull ? coldAndLive(option, name, calls, options, sizes) : [cold];
    }),
  );
}

type Calls = (i: number) => readonly Made[];

function foldCold(
  size: number,
  calls: Calls,
  options: PrunerOptions,
  request: PruneRequest = {},
): () => unknown {
  const { messages, meta } = makeSession(size, calls);
  return () => check(createPruner(options).prune(messages, { ...request, meta }));
}

/** The live case continues where the cold one ended, which would be folded again. */
function coldAndLive(
  option: string,
  name: string,
  calls: Calls,
  options: PrunerOptions,
  sizes: readonly number[],
): readonly Case[] {
  const folded = new Map<number, () => void>();
  const prepareCold = (size: number) => {
    const { messages, meta } = makeSession(size + LIVE, calls);
    const first = messages.length - 2 * LIVE;
    return () => {
      const pruner = createPruner(options);
      const prune = (end: number) => check(pruner.prune(messages.slice(0, end), { meta }));
      prune(first);
      folded.set(size, () => {
        for (let end = first; end <= messages.length; end += 2) prune(end);
      });
    };
  };
  const prepareLive = (size: number): (() => unknown) => {
    if (!folded.has(size)) prepareCold(size)();
    const goOn = folded.get(size);
    folded.delete(size);
    return () => goOn?.();
  };
  return [
    { name: `cold, ${option}: ${name}`, sizes, prepare: prepareCold },
    { name: `live, ${option}: ${name}`, sizes, prepare: prepareLive },
  ];
}

function check({ report }: ReturnType<ReturnType<typeof createPruner>["prune"]>): void {
  const failed = report.issues.find(({ code }) => code === "fold-failed" || code === "strategy-failed");
  if (failed) throw new Error(failed.message);
}

function makeSession(
  steps: number,
  calls: Calls,
  thinking?: NonNullable<Step["thinking"]>,
): ReturnType<typeof render> {
  const made = Array.from({ length: steps }, (_, i): Step => {
    const own = calls(i);
    return {
      text: own.length === 0 ? textOf(30, i) : undefined,
      thinking,
      unknown: false,
      pause: 1_000,
      calls: own.map(([tool, input, how]) => ({
        id: i,
        tool,
        input,
        output: how === "missed" ? "oldString not found in content" : textOf(120, i),
        split: false,
        failed: how !== undefined,
      })),
    };
  });
  return render({ turns: [{ prompt: "Go on.", image: false, steps: made }] }, "anthropic-messages");
}
