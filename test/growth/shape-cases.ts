import { FORMAT_NAMES } from "../../src/formats/detect.ts";
import { createPruner, type PrunerOptions } from "../../src/index.ts";
import { textOf } from "../conversation.ts";
import { render, type Script } from "../generate.ts";
import type { Case } from "./measure.ts";
import { EAGER, PRESSED } from "./session.ts";
import { COUNT_SIZES, NAMED_FILE_SIZES } from "./sizes.ts";

const list = <T>(size: number, item: (i: number) => T): readonly T[] =>
  Array.from({ length: size }, (_, i) => item(i));

type Call = readonly [name: string, id: string, input: unknown, content: unknown];

/** One step with these calls. */
function step(calls: readonly Call[]): readonly unknown[] {
  return [
    {
      role: "assistant",
      content: calls.map(([name, id, input]) => ({ type: "tool_use", id, name, input })),
    },
    {
      role: "user",
      content: calls.map(([, id, , content]) => ({ type: "tool_result", tool_use_id: id, content })),
    },
  ];
}

const PROMPT = { role: "user", content: "Go on." };
const LATER = list(8, (i) => [
  ...step([["glob", `later${i}`, { pattern: `${i}` }, textOf(40, i)]]),
  ...(i % 3 === 2 ? [{ role: "assistant", content: "Done." }, PROMPT] : []),
]).flat();

/** Sessions with very many parts in one place, as Anthropic's messages. */
const SHAPES: readonly (readonly [name: string, make: (size: number) => readonly unknown[]])[] = [
  [
    "results in one step",
    (size) => step(list(size, (i) => ["bash", `c${i}`, { command: `a${i}` }, textOf(60, i)])),
  ],
  [
    "equal calls in one step",
    (size) => step(list(size, (i) => ["bash", `c${i}`, { command: "a" }, textOf(60, i)])),
  ],
  ["failed calls in one step", (size) => failedStep(size)],
  [
    "calls with one id",
    (size) => list(size, (i) => step([["bash", "c", { command: `a${i}` }, textOf(60)]])).flat(),
  ],
  [
    "blocks in a result",
    (size) => step([["bash", "c", { command: "a" }, list(size, (i) => textBlock(60, i))]]),
  ],
  ["blocks in a prompt", (size) => [{ role: "user", content: list(size, (i) => textBlock(60, i)) }]],
  ["pictures in a prompt", (size) => [{ role: "user", content: list(size, () => PICTURE) }]],
  [
    "blocks in an answer",
    (size) => [{ role: "assistant", content: list(size, (i) => textBlock(60, i)) }, PROMPT],
  ],
  [
    "texts in an input",
    (size) => step([["upload", "c", { edits: list(size, (i) => textOf(60, i)) }, "Done."]]),
  ],
  ["fields in an input", (size) => step([["upload", "c", fields(size), "Done."]])],
  [
    "files in a patch",
    (size) => list(3, (n) => step([["apply_patch", `c${n}`, patch(size), textOf(60)]])).flat(),
  ],
  [
    "files in a command",
    (size) => list(3, (n) => step([["bash", `c${n}`, catAll(size), textOf(60)]])).flat(),
  ],
  ["commands in a line", (size) => step([["bash", "c", { command: "echo a;".repeat(size) }, textOf(60)]])],
  [
    "tasks in a list",
    (size) => list(3, (n) => step([["todowrite", `c${n}`, todos(size, n), "Done."]])).flat(),
  ],
  ["prompts in a row", (size) => list(size, (i) => ({ role: "user", content: textOf(60, i) }))],
  ["turns", (size) => list(size, (i) => [PROMPT, { role: "assistant", content: textOf(60, i) }]).flat()],
  ["messages of no kind", (size) => list(size, (i) => ({ role: "user", content: i }))],
  [
    "fences in a prompt",
    (size) => [{ role: "user", content: `\`\`\`ts\n${textOf(60)}\n\`\`\`\n`.repeat(size) }],
  ],
  [
    "reminders in a result",
    (size) => step([["bash", "c", {}, "<system-reminder>a</system-reminder>".repeat(size)]]),
  ],
  ["here-documents in a line", (size) => step([["bash", "c", { command: HEREDOC.repeat(size) }, "Done."]])],
];

/** Calls that name very many files, and later calls that make them stale: the same again, and changes of each. */
const NAMING: typeof SHAPES = [
  [
    "reads of many files",
    (size) => twice((n) => ["read_many_files", `c${n}`, manyPaths(size), textOf(60, n)]),
  ],
  ["cats of many files", (size) => twice((n) => ["bash", `c${n}`, catAll(size), textOf(60, n)])],
  ["patches of many files", (size) => twice((n) => ["apply_patch", `c${n}`, patch(size), textOf(60, n)])],
  ["edits of many files", (size) => twice((n) => ["multi_edit", `c${n}`, manyEdits(size), textOf(60, n)])],
  [
    "reads of many files, then a patch of them",
    (size) => [
      ...step([["read_many_files", "c0", manyPaths(size), textOf(60)]]),
      ...step([["apply_patch", "c1", patch(size), textOf(60)]]),
    ],
  ],
];

function twice(call: (n: number) => Call): readonly unknown[] {
  return list(2, (n) => step([call(n)])).flat();
}

function manyPaths(size: number): unknown {
  return { paths: list(size, (i) => `src/${i}.ts`) };
}

function manyEdits(size: number): unknown {
  return { files: list(size, (i) => ({ path: `src/${i}.ts`, old: textOf(30, i), new: "b" })) };
}

const PICTURE = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const HEREDOC = `cat > a <<EOF\n${textOf(60)}\nEOF\n`;

function textBlock(tokens: number, seed: number): unknown {
  return { type: "text", text: textOf(tokens, seed) };
}

function fields(size: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(list(size, (i) => [`field${i}`, textOf(60, i)]));
}

function failedStep(size: number): readonly unknown[] {
  const [calls, results] = step(list(size, (i) => ["bash", `c${i}`, { command: "a" }, textOf(60, i)]));
  const { content } = results as { readonly content: readonly object[] };
  return [calls, { role: "user", content: content.map((block) => ({ ...block, is_error: true })) }];
}

function patch(size: number): unknown {
  const files = list(size, (i) => `*** Update File: src/${i}.ts\n@@\n-a\n+b\n`);
  return { input: `*** Begin Patch\n${files.join("")}*** End Patch` };
}

function catAll(size: number): unknown {
  return { command: `cat ${list(size, (i) => `src/${i}.ts`).join(" ")}` };
}

function todos(size: number, n: number): unknown {
  return { todos: list(size, (i) => ({ content: `task ${i} of list ${n}`, status: "pending" })) };
}

/** Features of every format, very many in one step. */
function scriptOf(size: number): Script {
  const call = (id: number) => ({
    id,
    tool: "multi_edit",
    input: { filePath: `src/${id}.ts`, edits: list(4, (i) => ({ old: textOf(60, i), new: textOf(60, id) })) },
    output: textOf(60, id),
    split: true,
    failed: false,
  });
  const own = { text: "Now.", thinking: { text: "Hm.", signed: false }, unknown: true, pause: 1_000 };
  const steps = [
    { ...own, calls: list(size, call) },
    ...list(8, (i) => ({ ...own, calls: [call(size + i)] })),
  ];
  return { turns: [{ prompt: "Go on.", image: true, steps }] };
}

export function shapeCases(): readonly Case[] {
  const shapes = [
    ...SHAPES.map((shape) => [...shape, COUNT_SIZES] as const),
    ...NAMING.map((shape) => [...shape, NAMED_FILE_SIZES] as const),
  ].flatMap(([name, make, sizes]): readonly Case[] =>
    (
      [
        ["eager", EAGER],
        ["pressed", PRESSED],
      ] as const
    ).map(([option, options]) => ({
      name: `${option}: ${name}`,
      sizes,
      prepare: (size) =>
        pruneTwice([PROMPT, ...make(size), ...LATER], { ...options, format: "anthropic-messages" }),
    })),
  );
  const formats = FORMAT_NAMES.map(
    (format): Case => ({
      name: `a step with very much in it, ${format}`,
      sizes: COUNT_SIZES,
      prepare: (size) => pruneTwice(render(scriptOf(size), format).messages, { ...EAGER, format }),
    }),
  );
  return [...shapes, ...formats];
}

/** Cold, and once more unchanged. */
function pruneTwice(messages: readonly unknown[], options: PrunerOptions): () => unknown {
  return () => {
    const pruner = createPruner(options);
    for (let i = 0; i < 2; i++) {
      const { issues } = pruner.prune(messages).report;
      const failed = issues.find(({ code }) => code === "fold-failed" || code === "strategy-failed");
      if (failed) throw new Error(failed.message);
    }
  };
}
