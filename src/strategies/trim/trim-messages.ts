import { boundFloor, dropVoidReasoning } from "../../edits/bound-reasoning.ts";
import type { CutPlan } from "../../edits/cut-plan.ts";
import { MessageBench } from "../../edits/message-bench.ts";
import type { Facts } from "../../facts/facts.ts";
import { profileFor } from "../../models/profile-for.ts";
import { createToolKinds } from "../../tool-kinds/tool-kinds.ts";
import { climb, type Rung, type ShownSession } from "../rung.ts";
import { classifyDropped } from "./classify-dropped.ts";
import { ContextOverflowError } from "./context-overflow-error.ts";
import { countText } from "./file-accesses.ts";
import { Opening } from "./opening.ts";
import { summarizeCuts } from "./summarize-cuts.ts";
import type { ResultItem } from "./survey.ts";
import { type Surveyed, surveyMessages } from "./survey-messages.ts";
import type { TrimOptions, TrimResult, TruncatedResult } from "./trim-options.ts";
import { DID_NOT_FIT } from "./trim-plans.ts";

/** Messages that are being trimmed. */
export interface Trimming<M> extends Surveyed {
  readonly facts: Facts;
  readonly shown: ShownSession;
  readonly opening: Opening<M>;
}

/** Cut plans in order; only as many as needed are used. */
type Propose<M> = (trimming: Trimming<M>) => Iterable<CutPlan>;

/**
 * Makes as many of the planned cuts as the messages need to fit: a ladder with one rung. Every cut keeps the
 * request legal, or is not made. Throws a `ContextOverflowError` if the rest does not fit.
 */
export function trimMessages<M>(
  messages: readonly M[],
  options: TrimOptions,
  propose: Propose<M>,
): TrimResult<M> {
  const { format, model, toolKinds = createToolKinds(), targetTokens, summarizeDropped } = options;
  if (!(targetTokens >= 0)) throw new RangeError(`targetTokens is ${targetTokens}: give a number of tokens.`);
  const bench = new MessageBench(messages, { toolKinds, model, ...(format && { format }) });
  const { view, ledger } = bench;
  const originalTokens = view.total;
  const surveyed = surveyMessages(bench, messages, { ...options, toolKinds });
  const fits = () => view.total <= targetTokens;
  const rung: Rung = {
    name: "trim",
    propose: (facts, shown) => propose({ ...surveyed, facts, shown, opening: new Opening(bench) }),
  };
  cutDown(bench, rung, fits, bindsReasoning(bench));
  if (!fits()) throw new ContextOverflowError({ originalTokens, remainingTokens: view.total, targetTokens });

  const rewritten = bench.rewrite();
  const summary = summarizeDropped ? summarizeCuts(bench, targetTokens) : undefined;
  return {
    ...rewritten,
    droppedMessages: classifyDropped(bench, messages, rewritten.sources, surveyed),
    savedTokens: originalTokens - view.total,
    metadata: listTruncated(bench, rewritten.sources, surveyed.results),
    edits: ledger.entries,
    ...(summary !== undefined && { summary }),
  };
}

/** Bound reasoning is removed as soon as the text before it has changed, which counts for the size. */
function cutDown<M>(bench: MessageBench<M>, rung: Rung, isDone: () => boolean, isBound: boolean): void {
  const { facts, ledger, cutting, transcript } = bench;
  const floor = isBound ? boundFloor(facts, ledger, true) : -1;
  let voidFrom = Number.POSITIVE_INFINITY;
  climb([rung], bench, {
    floor,
    end: transcript.length,
    isDone,
    cut(plan) {
      cutting.apply(plan);
      if (!isBound || cutting.from >= voidFrom) return;
      voidFrom = cutting.from;
      dropVoidReasoning(facts, ledger, cutting, { author: plan.author, ...DID_NOT_FIT });
    },
  });
}

function bindsReasoning<M>({ model }: MessageBench<M>): boolean {
  return model !== undefined && profileFor(model).reasoning === "bound";
}

/** The results that placeholders replaced. `sources`: the original positions of the remaining messages. */
function listTruncated<M>(
  { transcript, view, ledger }: MessageBench<M>,
  sources: readonly number[],
  results: readonly ResultItem[],
): readonly TruncatedResult[] {
  const outputOf = new Map(sources.map((source, message) => [source, message]));
  const isTruncated = ({ part }: ResultItem) => {
    const key = transcript.key(part);
    return ledger.isCut(key) && !ledger.isDropped(key);
  };
  return results.filter(isTruncated).map(({ part, metadata: { filePath } }) => {
    const source = transcript.message[part] ?? -1;
    const result = transcript.part(part);
    return {
      message: outputOf.get(source) ?? -1,
      source,
      ...(result.kind === "result" && { callId: result.callId }),
      ...(filePath !== undefined && { filePath }),
      truncated: true as const,
      originalTokens: countText(result),
      tokens: view.tokens[part] ?? 0,
    };
  });
}
