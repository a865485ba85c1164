import type { CutPlan } from "../../edits/cut-plan.ts";
import { textOf } from "./file-accesses.ts";
import { renderFilePlaceholder, renderPlaceholder } from "./placeholder.ts";
import type { ResultItem } from "./survey.ts";
import type { Trimming } from "./trim-messages.ts";
import { describeResult, proposePlaceholder } from "./trim-plans.ts";

/** Placeholders for results: the long form for files if it is small enough, and finally the short one for all. */
export function* truncateResults<M>(
  trimming: Trimming<M>,
  results: readonly ResultItem[],
): Generator<CutPlan> {
  for (const item of results) yield* truncate(trimming, item, [renderLong, renderShort]);
  for (const item of results) yield* truncate(trimming, item, [renderShort]);
}

type Render = typeof renderShort;

/** The first of these forms that the guard accepts. */
function* truncate<M>(trimming: Trimming<M>, item: ResultItem, forms: readonly Render[]): Generator<CutPlan> {
  const { facts, shown } = trimming;
  const before = shown.tokens[item.part] ?? 0;
  for (const render of forms) {
    const text = render(trimming, item);
    const plan = text === undefined ? undefined : proposePlaceholder(facts, shown, item.part, () => text);
    if (plan) yield plan;
    if ((shown.tokens[item.part] ?? 0) < before) return;
  }
}

function renderShort<M>({ facts }: Trimming<M>, item: ResultItem): string | undefined {
  return renderPlaceholder(describeResult(facts, item));
}

function renderLong<M>({ facts, files, rules }: Trimming<M>, item: ResultItem): string | undefined {
  const { filePath: path, age } = item.metadata;
  if (path === undefined) return undefined;
  const text = textOf(facts.transcript.part(item.part));
  return renderFilePlaceholder({ path, text, file: files.get(path), age }, rules.ageOf(0));
}
