import type { MessageBench } from "../../edits/message-bench.ts";
import type { ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import { FileTracker } from "./file-tracker.ts";
import { findResultPath } from "./result-path.ts";
import {
  findCurrentTask,
  type GroupItem,
  type LooseItem,
  makeRules,
  type ResultItem,
  type SurveyRules,
  surveyGroups,
  surveyLoose,
  surveyResults,
} from "./survey.ts";
import { RECENT_STEPS, type TrimOptions } from "./trim-options.ts";

/** The parts of a conversation that may be trimmed. */
export interface Surveyed {
  readonly results: readonly ResultItem[];
  readonly groups: readonly GroupItem[];
  readonly loose: readonly LooseItem[];
  readonly rules: SurveyRules;
  readonly files: FileTracker;
}

export function surveyMessages<M>(
  bench: MessageBench<M>,
  messages: readonly M[],
  options: TrimOptions & { readonly toolKinds: ToolKinds },
): Surveyed {
  const { transcript, facts, messages: decoded } = bench;
  const { isAgentInstruction, preserveRecentTurns = RECENT_STEPS, toolKinds } = options;
  const files = options.fileTracker ?? FileTracker.fromBench(bench, messages, toolKinds);
  const rules = makeRules(facts, preserveRecentTurns, {
    wasModified: (path) => files.wasModified(path),
    isAgentInstruction,
    findFile: (text) => findResultPath(text) ?? files.findNamed(text),
  });
  const results = surveyResults(facts, rules);
  const currentTask = findCurrentTask(decoded, isAgentInstruction);
  return {
    results,
    groups: surveyGroups(facts, results),
    loose: surveyLoose(transcript, decoded, results, currentTask, rules),
    rules,
    files,
  };
}
