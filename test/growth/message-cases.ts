import { detectFormat, formatByName } from "../../src/entries/host.ts";
import {
  applyLedger,
  applyShakeRegions,
  classifyMessage,
  collectShakeRegions,
  FileTracker,
  trimAndSummarize,
  trimByAge,
  trimByPriority,
  trimConversation,
  trimWithPlaceholders,
} from "../../src/entries/messages.ts";
import { FORMAT_NAMES } from "../../src/formats/detect.ts";
import { createPruner, exportLedger, type FormatName, restoreMessages } from "../../src/index.ts";
import { render, type Script } from "../generate.ts";
import type { Case } from "./measure.ts";
import { EAGER } from "./session.ts";
import { SMALL_TEXT_SIZES } from "./sizes.ts";
import { hostileTexts } from "./texts.ts";

type Messages = readonly unknown[];

/** Everything that takes messages. */
const FUNCTIONS: readonly (readonly [name: string, run: (messages: Messages) => unknown])[] = [
  ["collectShakeRegions", (messages) => collectShakeRegions(messages, SHAKE)],
  [
    "applyShakeRegions",
    (messages) =>
      applyShakeRegions(
        messages,
        collectShakeRegions(messages, SHAKE).map((region) => ({ region })),
      ),
  ],
  ["trimByAge", (messages) => attempt(() => trimByAge(messages, { targetTokens: 500 }))],
  ["trimByPriority", (messages) => attempt(() => trimByPriority(messages, TRIM))],
  ["trimWithPlaceholders", (messages) => attempt(() => trimWithPlaceholders(messages, TRIM))],
  ["trimAndSummarize", (messages) => trimAndSummarize(messages, TRIM, () => "").catch(() => undefined)],
  ["trimConversation", (messages) => attempt(() => trimConversation(messages, 500))],
  ["FileTracker.fromMessages", (messages) => FileTracker.fromMessages(messages)],
  ["FileTracker without calls", (messages) => FileTracker.fromMessages(messages.filter(isNoCall))],
  ["classifyMessage", (messages) => messages.map((message) => classifyMessage(message, CONTEXT))],
  ["detectFormat", (messages) => detectFormat(messages)],
  ["undo", undoAll],
];

const SHAKE = { protectTokens: 0, minSavings: 0, fenceMinTokens: 10, protectedTools: [] };
const TRIM = { targetTokens: 500, summarizeDropped: true };
const CONTEXT = { messageStep: 1, currentStep: 9, modifiedFiles: ["src/a.ts", "src/b.ts"] };

/**
 * Texts in messages: of users, models and tools; in every format, and through every function that takes messages.
 */
export function messageCases(): readonly Case[] {
  return hostileTexts.flatMap(({ name, of }) => {
    const session = (format: FormatName) => (size: number) => render(script(of(size / 4)), format);
    const pruned = FORMAT_NAMES.map(
      (format): Case => ({
        name: `prune, ${format}, ${name}`,
        sizes: SMALL_TEXT_SIZES,
        prepare: (size) => {
          const { messages, meta } = session(format)(size);
          return () => {
            const pruner = createPruner({ ...EAGER, format });
            const { messages: out } = pruner.prune(messages, { meta });
            pruner.prune(messages, { meta });
            formatByName(format).validate(out, "none");
          };
        },
      }),
    );
    const others = FUNCTIONS.map(
      ([what, run]): Case => ({
        name: `${what}, ${name}`,
        sizes: SMALL_TEXT_SIZES,
        prepare: (size) => {
          const { messages } = session("openai-chat")(size);
          return () => run(messages);
        },
      }),
    );
    return [...pruned, ...others];
  });
}

/** The text in every place where somebody may write. */
function script(text: string): Script {
  const call = (id: number, output: string, failed = false) => ({
    id,
    tool: "bash",
    input: { command: "npm test" },
    output,
    split: id % 2 === 0,
    failed,
  });
  const step = (id: number, said: string, output: string, failed = false) => ({
    text: said,
    thinking: { text: said, signed: false },
    unknown: false,
    pause: 1_000,
    calls: [call(id, output, failed)],
  });
  const short = "a few plain words about nothing in particular";
  return {
    turns: [
      { prompt: text, image: false, steps: [step(0, text, text), step(1, short, text, true)] },
      {
        prompt: short,
        image: false,
        steps: [2, 3, 4, 5, 6, 7, 8].map((id) => step(id, short, short)),
      },
      { prompt: short, image: false, steps: [step(9, short, short)] },
    ],
  };
}

/** A target that can't be reached is refused: the time until then still counts. */
function attempt(trim: () => unknown): unknown {
  try {
    return trim();
  } catch (error) {
    if (error instanceof Error && error.name === "ContextOverflowError") return undefined;
    throw error;
  }
}

function isNoCall(message: unknown): boolean {
  return !(typeof message === "object" && message !== null && "tool_calls" in message);
}

function undoAll(messages: Messages): unknown {
  const pruned = createPruner(EAGER).prune(messages);
  const { edits } = pruned.report;
  applyLedger(formatByName("openai-chat"), messages, edits);
  return restoreMessages(pruned.messages, exportLedger(messages, pruned, edits));
}
