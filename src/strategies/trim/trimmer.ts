import { boundFloor, listVoidReasoning } from "../../edits/bound-reasoning.ts";
import { type Proposal, toDrafts } from "../../edits/proposal.ts";
import { profileFor } from "../../models/profile-for.ts";
import { createToolKinds } from "../../tool-kinds/tool-kinds.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Role } from "../../transcript/part.ts";
import { MessageBench } from "../../workbench/message-bench.ts";
import { replacePart } from "../replacing/replace-part.ts";
import { classifyDropped } from "./classify-dropped.ts";
import { ContextOverflowError } from "./context-overflow-error.ts";
import { textOf } from "./file-accesses.ts";
import { FileTracker } from "./file-tracker.ts";
import { renderFilePlaceholder, renderPlaceholder } from "./placeholder.ts";
import { findResultPath } from "./result-path.ts";
import { summarizeCuts } from "./summarize-cuts.ts";
import {
  findCurrentTask,
  type GroupItem,
  type LooseItem,
  type ResultItem,
  type SurveyRules,
  surveyGroups,
  surveyLoose,
  surveyResults,
} from "./survey.ts";
import { RECENT_STEPS, type TrimOptions, type TrimResult, type TruncatedResult } from "./trim-options.ts";

const AUTHOR = "trim";
const WHY = { reason: "it did not fit", mechanism: "trim" } as const;

/** Messages being trimmed. A cut that would make the request illegal is not made. */
export class Trimmer<M> {
  readonly results: readonly ResultItem[];
  readonly groups: readonly GroupItem[];
  readonly loose: readonly LooseItem[];
  readonly #bench: MessageBench<M>;
  readonly #messages: readonly M[];
  readonly #options: TrimOptions;
  readonly #tracker: FileTracker;
  readonly #rules: SurveyRules;
  readonly #currentStep: number;
  readonly #before: number;
  /** The last part that may not change, as signed reasoning is bound to it; −1 where there is none. */
  readonly #floor: number;
  readonly #isBound: boolean;
  #firstCut: number = Number.POSITIVE_INFINITY;
  /** By message, how many of its parts are left. */
  readonly #alive: number[];
  /** The first message that is left, system messages aside, and the next one. */
  #head = 0;
  #second = 0;
  /** The opening user message, where it is to be dropped once the answers to it are. */
  #opening: LooseItem | undefined;
  readonly #truncated = new Map<number, number>();

  constructor(messages: readonly M[], options: TrimOptions) {
    const { format, toolKinds = createToolKinds(), targetTokens } = options;
    if (!(targetTokens >= 0))
      throw new RangeError(`targetTokens is ${targetTokens}: give a number of tokens.`);
    const bench = new MessageBench(messages, { toolKinds, ...(format && { format }) });
    const { transcript, facts, messages: decoded } = bench;
    this.#bench = bench;
    this.#messages = messages;
    this.#options = options;
    this.#before = bench.view.total;
    this.#tracker = options.fileTracker ?? FileTracker.fromBench(bench, messages, toolKinds);
    this.#currentStep = transcript.lastStep + 1;
    const rules = {
      ageOf: (step: number) => this.#currentStep - step,
      recent: options.preserveRecentTurns ?? RECENT_STEPS,
      wasModified: (path: string) => this.#tracker.wasModified(path),
      isAgentInstruction: options.isAgentInstruction,
      findFile: (text: string) => findResultPath(text) ?? this.#tracker.findNamed(text),
    };
    this.#rules = rules;
    const currentTask = findCurrentTask(decoded, options.isAgentInstruction);
    this.results = surveyResults(facts, rules);
    this.groups = surveyGroups(facts, this.results);
    this.loose = surveyLoose(transcript, decoded, this.results, currentTask, rules);
    this.#alive = decoded.map(({ parts }) => parts.filter(({ kind }) => kind !== "marker").length);
    const model = options.model ?? decoded.findLast((message) => message.model !== undefined)?.model;
    this.#isBound = model !== undefined && profileFor(model).reasoning === "bound";
    this.#floor = this.#isBound ? boundFloor(facts, bench.ledger, true) : -1;
  }

  get fits(): boolean {
    return this.#bench.view.total <= this.#options.targetTokens;
  }

  tokensOf(part: number): number {
    return this.#bench.transcript.tokens[part] ?? 0;
  }

  /** Replaces a result by a placeholder, for a file by the long form if asked for. Does nothing if none is smaller. */
  truncate(item: ResultItem, form: "long" | "short"): void {
    const { part, metadata } = item;
    const { filePath: path, age } = metadata;
    const text = textOf(this.#bench.transcript.part(part));
    const file = path === undefined ? undefined : this.#tracker.get(path);
    const tokens = estimateTokens(text);
    const isDone =
      (form === "long" &&
        path !== undefined &&
        this.#replace(part, renderFilePlaceholder({ path, text, file, age }, this.#currentStep))) ||
      this.#replace(part, renderPlaceholder({ path, age, tokens }));
    if (isDone) this.#truncated.set(part, tokens);
  }

  /** Drops a group, a text or a result. The message that opens the conversation waits until its answers are dropped. */
  drop(item: GroupItem | LooseItem): void {
    if (item.kind === "text" && this.#leads(item.part)) this.#opening = item;
    else this.#drop(item.part);
    const opening = this.#opening;
    if (!this.fits && opening && !this.#leads(opening.part)) {
      this.#opening = undefined;
      this.#drop(opening.part);
    }
  }

  /** Replaces the text of an opening message that had to stay by a placeholder. */
  truncateOpening(): void {
    const { transcript } = this.#bench;
    if (!this.#opening || this.fits) return;
    const { part, metadata } = this.#opening;
    const message = transcript.message[part];
    for (let i = part; transcript.message[i] === message && !this.fits; i++) {
      const tokens = this.tokensOf(i);
      this.#replace(i, renderPlaceholder({ path: undefined, age: metadata.age, tokens }));
    }
  }

  /** The result; throws a `ContextOverflowError` where it does not fit. */
  finish(): TrimResult<M> {
    const { view, ledger } = this.#bench;
    const { targetTokens, summarizeDropped } = this.#options;
    const sizes = { originalTokens: this.#before, remainingTokens: view.total, targetTokens };
    if (!this.fits) throw new ContextOverflowError(sizes);
    const rewritten = this.#bench.rewrite();
    const left = new Set(rewritten.sources);
    const surveyed = { results: this.results, groups: this.groups, loose: this.loose, rules: this.#rules };
    const dropped = [...this.#messages.keys()].filter((i) => !left.has(i));
    const summary = summarizeDropped ? summarizeCuts(this.#bench, targetTokens) : undefined;
    return {
      ...rewritten,
      droppedMessages: classifyDropped(this.#bench, this.#messages, dropped, surveyed),
      savedTokens: this.#before - view.total,
      metadata: this.#listTruncated(rewritten.sources),
      edits: ledger.entries,
      ...(summary !== undefined && { summary }),
    };
  }

  #replace(part: number, text: string): boolean {
    const proposal = replacePart(this.#bench.facts, part, () => text, WHY);
    if (!proposal || part <= this.#floor) return false;
    if (!this.#bench.cutTogether(toDrafts(proposal, AUTHOR))[0].ok) return false;
    this.#dropVoidReasoning(part);
    return true;
  }

  #drop(part: number): void {
    if (part <= this.#floor) return;
    const { transcript } = this.#bench;
    const proposal: Proposal = { part, drop: true, ...WHY };
    const [cut] = this.#bench.cutTogether(toDrafts(proposal, AUTHOR));
    if (!cut.ok || cut.value.type !== "drop") return;
    for (const key of cut.value.parts) {
      const index = transcript.find(key) ?? -1;
      const message = transcript.message[index] ?? -1;
      if (transcript.part(index).kind !== "marker") this.#alive[message] = (this.#alive[message] ?? 1) - 1;
    }
    this.#dropVoidReasoning(transcript.find(cut.value.parts[0] ?? cut.value.part) ?? part);
  }

  /** Drops reasoning that is bound to text before it which has changed. */
  #dropVoidReasoning(from: number): void {
    if (!this.#isBound || from >= this.#firstCut) return;
    this.#firstCut = from;
    for (const part of listVoidReasoning(this.#bench.facts, this.#bench.ledger, from)) this.#drop(part);
  }

  /** Does this text open the conversation, with an answer right after it? A conversation has to begin with the user. */
  #leads(part: number): boolean {
    const { messages: decoded, transcript } = this.#bench;
    const isThere = (i: number) =>
      (this.#alive[i] ?? 0) > 0 && !SYSTEM_ROLES.includes(decoded[i]?.role ?? "system");
    while (this.#head < decoded.length && !isThere(this.#head)) this.#head++;
    if (transcript.message[part] !== this.#head || decoded[this.#head]?.role !== "user") return false;
    this.#second = Math.max(this.#second, this.#head + 1);
    while (this.#second < decoded.length && !isThere(this.#second)) this.#second++;
    const next = decoded[this.#second];
    return next !== undefined && next.role !== "user";
  }

  #listTruncated(sources: readonly number[]): readonly TruncatedResult[] {
    const { transcript, view, ledger } = this.#bench;
    const outputOf = new Map(sources.map((source, message) => [source, message]));
    const pathOf = new Map(this.results.map(({ part, metadata }) => [part, metadata.filePath]));
    return [...this.#truncated]
      .filter(([part]) => !ledger.isDropped(transcript.key(part)))
      .sort(([a], [b]) => a - b)
      .map(([part, originalTokens]) => {
        const source = transcript.message[part] ?? -1;
        const result = transcript.part(part);
        const filePath = pathOf.get(part);
        return {
          message: outputOf.get(source) ?? -1,
          source,
          ...(result.kind === "result" && { callId: result.callId }),
          ...(filePath !== undefined && { filePath }),
          truncated: true as const,
          originalTokens,
          tokens: view.tokens[part] ?? 0,
        };
      });
  }
}

const SYSTEM_ROLES: readonly Role[] = ["system", "developer"];
