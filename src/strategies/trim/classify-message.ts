import { MessageBench } from "../../edits/message-bench.ts";
import { detectFormat } from "../../formats/detect.ts";
import type { FormatChoice } from "../../formats/format.ts";
import type { ContentPriority } from "./content-priority.ts";
import { FileTracker } from "./file-tracker.ts";
import { type MessageMetadata, type Prioritized, prioritize } from "./prioritize.ts";
import { findResultPath } from "./result-path.ts";
import { surveyLoose, surveyResults } from "./survey.ts";
import { RECENT_STEPS } from "./trim-options.ts";

/** Data for the classification that is not in the message. */
export interface ClassificationContext {
  /** The step of the message, and the next step. */
  readonly messageStep: number;
  readonly currentStep: number;
  readonly modifiedFiles?: ReadonlySet<string> | readonly string[];
  /** Up to this age, in steps, a message is recent. Default: `preserveRecentTurns`, or else 5. */
  readonly recentThreshold?: number;
  readonly preserveRecentTurns?: number;
  readonly isCurrentTask?: boolean;
  /** Recognises agent instructions that have no known file name or tag. */
  readonly isAgentInstruction?: (text: string) => boolean;
  readonly format?: FormatChoice;
}

export interface ClassifiedMessage<M = unknown> {
  readonly message: M;
  readonly priority: ContentPriority;
  /** Estimated tokens. */
  readonly tokens: number;
  readonly step: number;
  readonly metadata: MessageMetadata;
}

/**
 * The priority of one message, which is that of its most important part. A tool's result is classified by its own
 * text here; the trim functions also know its call.
 *
 *   { role: "system", … }                             ->  SYSTEM
 *   { role: "tool", content: "File: a.ts\n…" }        ->  RECENT_FILE_READS, STALE_TOOL_OUTPUTS or MODIFIED_FILES
 */
export function classifyMessage<M>(message: M, context: ClassificationContext): ClassifiedMessage<M> {
  const { messageStep: step, currentStep, isAgentInstruction, isCurrentTask } = context;
  const age = currentStep - step;
  const format = context.format ?? detectFormat([message]) ?? "openai-chat";
  const { facts, transcript, messages: decoded, view } = new MessageBench([message], { format });
  const modified = trackModified(context.modifiedFiles ?? []);
  const rules = {
    ageOf: () => age,
    recent: context.recentThreshold ?? context.preserveRecentTurns ?? RECENT_STEPS,
    wasModified: (path: string) => modified.wasModified(path),
    isAgentInstruction,
    findFile: (text: string) => findResultPath(text) ?? modified.findNamed(text),
  };
  const results = surveyResults(facts, rules);
  const items = surveyLoose(transcript, decoded, results, isCurrentTask ? 0 : undefined, rules);
  const found: readonly Prioritized[] = [...results, ...items];
  const { priority, metadata } =
    found.length > 0
      ? found.reduce((a, b) => (b.priority > a.priority ? b : a))
      : prioritize({ role: decoded[0]?.role ?? "custom", part: undefined, age }, rules);
  return { message, priority, tokens: view.total, step, metadata };
}

function trackModified(paths: Iterable<string>): FileTracker {
  const tracker = new FileTracker();
  for (const path of paths) tracker.trackAccess(path, 0, "edit");
  return tracker;
}
