import { createToolKinds } from "../../tool-kinds/tool-kinds.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { isSummary } from "./is-summary.ts";
import { NO_SALIENCE, salienceOf } from "./salience.ts";
import { summarize } from "./summarize.ts";

export interface SummarizeToolOutputOptions {
  /** The tool's input. The summary names a shell's command. */
  readonly input?: unknown;
  readonly exitCode?: number;
  /** The task: lines that share rare literals with it are kept first. */
  readonly task?: string;
}

const KINDS = createToolKinds();

/**
 * A summary with the information for which an agent would run the tool again; the content itself if a summary would
 * not be smaller.
 *
 *   summarizeToolOutput("tree", output)   ->  "[Pruned tree: ~45 directories, 200 lines of structure]"
 */
export function summarizeToolOutput(
  toolName: string,
  content: string,
  { input, exitCode, task }: SummarizeToolOutputOptions = {},
): string {
  if (isSummary(content)) return content;
  const use = KINDS.describe(toolName, input);
  const salience = task === undefined ? NO_SALIENCE : salienceOf(task);
  const summary = summarize(use, content, { exitCode, salience });
  return summary !== undefined && estimateTokens(summary) < estimateTokens(content) ? summary : content;
}
