import type { Facts } from "../../facts/facts.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import { ContentPriority } from "./content-priority.ts";
import { isResult, textOf } from "./file-accesses.ts";
import { type Prioritized, type PriorityRules, prioritize } from "./prioritize.ts";
import { findResultPath } from "./result-path.ts";

/** One result, which a placeholder may replace. */
export interface ResultItem extends Prioritized {
  readonly part: number;
  readonly step: number;
  readonly isError: boolean;
  /** Is its call in the transcript? */
  readonly isAnswer: boolean;
}

/** A step's calls with their results. They are dropped together, so the highest priority among them counts. */
export interface GroupItem extends Prioritized {
  readonly kind: "group";
  /** Its first call. */
  readonly part: number;
  readonly results: readonly ResultItem[];
}

/** The text of a message in one step other than calls and results, or a result without a call. */
export interface LooseItem extends Prioritized {
  readonly kind: "text" | "result";
  readonly part: number;
  /** The first of the calls in the same message and step: the text can only be dropped after them. */
  readonly after?: number;
}

export interface SurveyRules extends PriorityRules {
  /** The age of a step, counted back from the next step. */
  readonly ageOf: (step: number) => number;
  /** Returns the file of a result without a call. */
  readonly findFile: (text: string) => string | undefined;
}

/** The usual rules of a session, with the overrides of the caller. */
export function makeRules(
  { transcript, files }: Facts,
  recent: number,
  more: Partial<SurveyRules> = {},
): SurveyRules {
  return {
    ageOf: (step) => transcript.lastStep + 1 - step,
    recent,
    wasModified: (path) => files.wasModified(path),
    findFile: findResultPath,
    ...more,
  };
}

/** The results of a transcript, in order, without dropped ones. */
export function surveyResults(
  facts: Facts,
  rules: SurveyRules,
  isGone: (part: number) => boolean = () => false,
): readonly ResultItem[] {
  const { transcript } = facts;
  const items: ResultItem[] = [];
  for (let i = 0; i < transcript.length; i++) {
    if (isGone(i)) continue;
    const part = transcript.part(i);
    if (!isResult(part)) continue;
    const fact = facts.calls.of(i);
    const step = fact?.step ?? transcript.step[i] ?? 0;
    const named = fact ? undefined : rules.findFile(textOf(part));
    const subject = {
      role: "tool" as const,
      part,
      files: fact ? fact.use.files.map(({ path }) => path) : named === undefined ? [] : [named],
      readsFiles: fact && readsFiles(fact.use),
      isSummarized: part.kind === "result" && part.status === "cleared",
      age: rules.ageOf(step),
    };
    const isError = part.kind === "result" && part.status === "error";
    items.push({ part: i, step, isError, isAnswer: fact !== undefined, ...prioritize(subject, rules) });
  }
  return items;
}

function readsFiles({ server, files }: ToolUse): boolean {
  return server === undefined && files.some(({ operation }) => operation === "read");
}

/** The groups of these results, in the order of their first results. */
export function surveyGroups(facts: Facts, results: readonly ResultItem[]): readonly GroupItem[] {
  const bySteps = new Map<number, ResultItem[]>();
  for (const item of results) {
    if (!item.isAnswer) continue;
    const step = bySteps.get(item.step);
    if (step) step.push(item);
    else bySteps.set(item.step, [item]);
  }
  return [...bySteps.values()].map((items): GroupItem => {
    const dearest = items.reduce((a, b) => (b.priority > a.priority ? b : a));
    const first = items.reduce(
      (least, { part }) => Math.min(least, facts.calls.of(part)?.call ?? part),
      Number.POSITIVE_INFINITY,
    );
    const { priority, metadata } = dearest;
    return { kind: "group", part: first, priority, metadata, results: items };
  });
}

/** The texts of all messages, and the results without a call. */
export function surveyLoose(
  transcript: Transcript,
  messages: readonly DecodedMessage[],
  results: readonly ResultItem[],
  currentTask: number | undefined,
  rules: SurveyRules,
): readonly LooseItem[] {
  const loose: LooseItem[] = results
    .filter(({ isAnswer }) => !isAnswer)
    .map(({ part, priority, metadata }) => ({ kind: "result", part, priority, metadata }));
  for (let from = 0; from < transcript.length; ) {
    const { message, step } = transcript;
    let to = from + 1;
    while (to < transcript.length && message[to] === message[from] && step[to] === step[from]) to++;
    const item = readUtterance(transcript, messages, [from, to], currentTask, rules);
    if (item) loose.push(item);
    from = to;
  }
  return loose;
}

function readUtterance(
  transcript: Transcript,
  messages: readonly DecodedMessage[],
  [from, to]: readonly [number, number],
  currentTask: number | undefined,
  rules: SurveyRules,
): LooseItem | undefined {
  const message = transcript.message[from] ?? 0;
  const age = rules.ageOf(transcript.step[from] ?? 0);
  let utterance: number | undefined;
  let call: number | undefined;
  let dearest: Prioritized | undefined;
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind === "call" && !part.server) call ??= i;
    if (isResult(part) || part.kind === "marker" || part.kind === "reasoning") continue;
    if (part.kind === "call" && !part.server) continue;
    utterance ??= i;
    const subject = {
      role: part.role,
      part,
      isCurrentTask: message === currentTask,
      isSummarized:
        messages[message]?.isCompaction === true ||
        (part.kind === "text" && part.synthetic === true && part.role === "assistant"),
      age,
    };
    const found = prioritize(subject, rules);
    if (!dearest || found.priority > dearest.priority) dearest = found;
  }
  if (utterance === undefined || !dearest) return undefined;
  return { kind: "text", part: utterance, ...dearest, ...(call !== undefined && { after: call }) };
}

/**
 * The newest user message that a person wrote, not a host's text, a summary or instructions. If there is none, the
 * newest user message.
 */
export function findCurrentTask(
  messages: readonly DecodedMessage[],
  isAgentInstruction?: (text: string) => boolean,
): number | undefined {
  const rules = { recent: 0, wasModified: () => false, isAgentInstruction };
  const opens = (isWork: (message: DecodedMessage) => boolean): number =>
    messages.findLastIndex(
      (message) =>
        message.role === "user" &&
        message.parts.length > 0 &&
        !message.parts.some(({ kind }) => kind === "result") &&
        isWork(message),
    );
  const isWork = ({ role, parts, isCompaction }: DecodedMessage): boolean =>
    !isCompaction &&
    parts.some((part) => {
      if (part.kind !== "text") return part.kind === "file";
      const { priority } = prioritize({ role, part, age: 0 }, rules);
      return !part.synthetic && priority === ContentPriority.RECENT_TURNS && !isWrapped(textOf(part));
    });
  const newest = opens(isWork);
  const found = newest >= 0 ? newest : opens(() => true);
  return found >= 0 ? found : undefined;
}

/** Is all of the text inside one tag, like a host's reminder? */
function isWrapped(text: string): boolean {
  const [start = "", tag] = /^\s*<([a-z][\w-]*)/i.exec(text) ?? [];
  return tag !== undefined && text.includes(">", start.length) && text.trimEnd().endsWith(`</${tag}>`);
}
