import { estimateTokens } from "../../transcript/estimate.ts";
import { summaryLimit } from "./summarize-cuts.ts";
import { trimByPriority } from "./trim-by-priority.ts";
import type { TrimOptions, TrimResult } from "./trim-options.ts";

/** Writes a summary of the dropped messages, for example with a model. */
export type Summarize<M> = (
  dropped: readonly M[],
  limits: { readonly maxTokens: number },
) => Promise<string> | string;

/**
 * `trimByPriority` with a summary by `summarize`. If that fails, is empty or is not smaller than the savings, the
 * summary is the extractive one.
 */
export async function trimAndSummarize<M>(
  messages: readonly M[],
  options: Omit<TrimOptions, "summarizeDropped">,
  summarize: Summarize<M>,
): Promise<TrimResult<M>> {
  const result = trimByPriority(messages, { ...options, summarizeDropped: true });
  if (result.droppedMessages.length === 0) return result;
  try {
    const maxTokens = summaryLimit(options.targetTokens);
    const dropped = result.droppedMessages.map(({ message }) => message);
    const summary = await summarize(dropped, { maxTokens });
    const isSmaller = summary.trim() !== "" && estimateTokens(summary) < result.savedTokens;
    return isSmaller ? { ...result, summary } : result;
  } catch {
    return result;
  }
}
