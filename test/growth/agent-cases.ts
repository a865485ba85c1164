import { stripTags } from "../../src/entries/host.ts";
import { executeReplace, suggestPatterns } from "../../src/entries/messages.ts";
import {
  type AgentView,
  answerInfo,
  answerPrune,
  answerRecall,
  createPruner,
  type PrunerOptions,
} from "../../src/index.ts";
import { Conversation, textOf } from "../conversation.ts";
import type { Case } from "./measure.ts";
import { age, EAGER } from "./session.ts";
import { SMALL_TEXT_SIZES, TARGET_SIZES } from "./sizes.ts";
import { hostileTexts } from "./texts.ts";

type Ask = (view: AgentView, text: string, ref: string) => unknown;

/** The requests of an agent in a session whose results contain the text, with the text in its own words too. */
const QUESTIONS: readonly (readonly [name: string, ask: Ask])[] = [
  ["context_info", (view) => answerInfo({}, view)],
  ["context_recall", (view, _, ref) => answerRecall({ ref }, view)],
  ["context_recall search", (view, text, ref) => answerRecall({ ref, search: text.slice(0, 40) }, view)],
  ["context_recall search for much", (view, text, ref) => answerRecall({ ref, search: `${text}x` }, view)],
  ["context_recall lines", (view, text, ref) => answerRecall({ ref, lines: text }, view)],
  ["context_recall ref", (view, text) => answerRecall({ ref: text }, view)],
  ["discard", (view, text, ref) => answerPrune({ action: "discard", targets: [[ref], [text]] }, view)],
  ["distill", (view, text, ref) => answerPrune({ action: "distill", targets: [[ref, text]] }, view)],
  ["restore", (view, text, ref) => answerPrune({ action: "restore", targets: [[ref], [text]] }, view)],
  ["targets", (view, text) => answerPrune({ action: "discard", targets: text }, view)],
  ["action", (view, text) => answerPrune({ action: text, targets: [] }, view)],
  ["replace", (view, text) => replace(view, text.slice(0, 40), text.slice(-40))],
  ["replace from much", (view, text) => replace(view, text, text)],
  ["replace what is not there", (view, text) => replace(view, `${text.slice(0, 40)}x`, "not there at all")],
  ["replace up to what is not there", (view, text) => replace(view, text.slice(0, 40), `${text}x`)],
];

function replace(view: AgentView, start: string, end: string): string {
  return answerPrune({ action: "replace", targets: [[start, end, "…"]] }, view);
}

/** The agent's tools, and their building blocks. */
export function agentCases(): readonly Case[] {
  return [...targetCases(), ...textCases()];
}

/** One call that names every result of a session. */
function targetCases(): readonly Case[] {
  const viewOf = rememberLast(openLong);
  const calls: readonly (readonly [name: string, targets: (long: Long) => unknown])[] = [
    ["discard", ({ refs }) => ({ action: "discard", targets: refs.map((ref) => [ref]) })],
    ["distill", ({ refs }) => ({ action: "distill", targets: refs.map((ref) => [ref, "short"]) })],
    ["restore", ({ refs }) => ({ action: "restore", targets: refs.map((ref) => [ref]) })],
    ["replace", ({ refs }) => ({ action: "replace", targets: refs.map((_, i) => stretchOf(i)) })],
    [
      "replace what is not there",
      ({ refs }) => ({
        action: "replace",
        targets: refs.map((_, i) => [`this stands in no result ${i}`, "x", "…"]),
      }),
    ],
  ];
  const carriedOut: Case = {
    name: "a distill with as many targets as results, carried out",
    sizes: TARGET_SIZES,
    prepare: (size) => {
      const { refs, messages } = viewOf(size);
      const input = { action: "distill", targets: refs.map((ref) => [ref, "in short"]) };
      const answered = new Conversation("").call("context_prune", input, `Cut: ${refs.join(", ")}`);
      return () => createPruner(NOTHING_BY_ITSELF).prune([...messages, ...answered.messages]);
    },
  };
  const asked = calls.flatMap(([name, inputOf]) =>
    (["whole", "waiting", "cut"] as const).map(
      (state): Case => ({
        name: `${name} with as many targets as results, ${state}`,
        sizes: TARGET_SIZES,
        prepare: (size) => {
          const long = viewOf(size);
          const input = inputOf(long);
          return () => answerPrune(input, long[state]);
        },
      }),
    ),
  );
  return [...asked, carriedOut];
}

interface Long {
  readonly messages: readonly unknown[];
  readonly refs: readonly string[];
  /** Unchanged, after a discard of all results that waits for a cut, and after one that is made. */
  readonly whole: AgentView;
  readonly waiting: AgentView;
  readonly cut: AgentView;
}

function openLong(size: number): Long {
  const conversation = new Conversation();
  for (let i = 0; i < size; i++) {
    const [start, end] = stretchOf(i);
    conversation.call("bash", { command: `echo ${i}` }, `${start}\n${textOf(60, i)}\n${end}`);
  }
  const open = (messages: readonly unknown[]): AgentView => {
    const pruner = createPruner(NOTHING_BY_ITSELF);
    pruner.prune(messages, { model: "claude-sonnet-4-5" });
    const view = pruner.agentView();
    if (!view) throw new Error("there is no session");
    return view;
  };
  const whole = open(conversation.messages);
  const { parts } = whole.facts.transcript;
  const refs = parts.flatMap(({ kind }, i) => (kind === "result" ? (whole.facts.partRef(i) ?? []) : []));
  const discard = { action: "discard", targets: refs.map((ref) => [ref]) };
  const answered = (when: string) =>
    open([
      ...conversation.messages,
      ...new Conversation("").call(
        "context_prune",
        discard,
        `Cut: ${refs.map((ref) => ref + when).join(", ")}`,
      ).messages,
    ]);
  return { messages: conversation.messages, refs, whole, waiting: answered(" (later)"), cut: answered("") };
}

function stretchOf(i: number): readonly [start: string, end: string, replacement: string] {
  return [`here begins the result number ${i}.`, `here ends the result number ${i}.`, "…"];
}

const NOTHING_BY_ITSELF: PrunerOptions = {
  agentTools: true,
  config: {
    window: 1_000_000_000,
    schedule: { ingestCap: null },
    strategies: { aggressivePruning: { preset: "verbose" } },
  },
};

function textCases(): readonly Case[] {
  return hostileTexts.flatMap(({ name, of }) => {
    const viewOf = rememberLast((size) => openSession(of(size)));
    const asked = QUESTIONS.map(
      ([question, ask]): Case => ({
        name: `${question}, ${name}`,
        sizes: SMALL_TEXT_SIZES,
        prepare: (size) => {
          const { view, text, ref } = viewOf(size);
          return () => ask(view, text, ref);
        },
      }),
    );
    const plain: readonly (readonly [string, (text: string) => unknown])[] = [
      ["suggestPatterns", suggestPatterns],
      ["stripTags", stripTags],
      [
        "executeReplace",
        (text) =>
          executeReplace(
            [
              { role: "user", content: `start of it ${text} end of it` },
              { role: "assistant", content: text },
            ],
            [{ start: "start of it", end: "end of it", replacement: "…" }],
          ),
      ],
      [
        "executeReplace, many",
        (text) =>
          executeReplace(
            [{ role: "user", content: text }],
            [{ start: text.slice(0, 20), end: text.slice(-20), replacement: "…" }],
          ),
      ],
    ];
    return [
      ...asked,
      ...plain.map(
        ([what, run]): Case => ({
          name: `${what}, ${name}`,
          sizes: SMALL_TEXT_SIZES,
          prepare: (size) => {
            const text = of(size);
            return () => run(text);
          },
        }),
      ),
    ];
  });
}

function openSession(text: string): {
  readonly view: AgentView;
  readonly text: string;
  readonly ref: string;
} {
  const conversation = new Conversation(`Look. ${text}`).call("bash", { command: "npm test" }, text);
  const { messages, meta } = age(conversation).call("grep", { pattern: "a" }, text);
  const pruner = createPruner(EAGER);
  pruner.prune(messages, { meta });
  const view = pruner.agentView();
  if (!view) throw new Error("there is no session");
  return { view, text, ref: view.facts.partRef(2) ?? "" };
}

/** All questions about a text share its sessions, one of each size; those of the previous text are deleted. */
function rememberLast<T>(make: (size: number) => T): (size: number) => T {
  const own: Remembered = new Map();
  return (size) => {
    if (remembered !== own) remembered.clear();
    remembered = own;
    const known = own.get(size) ?? make(size);
    own.set(size, known);
    return known as T;
  };
}

type Remembered = Map<number, unknown>;
let remembered: Remembered = new Map();
