import { remember } from "../../basics/remember.ts";
import type { Part, Role } from "../../transcript/part.ts";
import { isAgentInstructions, isInstructionFile } from "./agent-instructions.ts";
import { ContentPriority } from "./content-priority.ts";
import { textOf } from "./file-accesses.ts";
import { isSummarizedText } from "./summarized-text.ts";

/** The inputs for the priority of a text or a result. */
export interface PrioritySubject {
  readonly role: Role;
  /** `undefined` for a message without text or results. */
  readonly part: Part | undefined;
  /** For a result: its files. `undefined` for anything else. */
  readonly files?: readonly string[] | undefined;
  /** For a result with a known call: does the call read files of the workspace? Only those can be instructions. */
  readonly readsFiles?: boolean | undefined;
  /** The host marks it as a summary, or has cleared it. */
  readonly isSummarized?: boolean;
  readonly isCurrentTask?: boolean;
  /** In steps. */
  readonly age: number;
}

export interface PriorityRules {
  /** Up to this age, in steps, content is recent. */
  readonly recent: number;
  readonly wasModified: (path: string) => boolean;
  /** Recognises agent instructions that have no known file name or tag. */
  readonly isAgentInstruction?: ((text: string) => boolean) | undefined;
}

/** Further data on a message. Keys that do not apply are absent. */
export interface MessageMetadata {
  readonly age: number;
  readonly isSystem?: true;
  readonly isAgentInstruction?: true;
  readonly isCurrentTask?: true;
  readonly filePath?: string;
  readonly wasModified?: boolean;
  readonly isSummarized?: true;
}

export interface Prioritized {
  readonly priority: ContentPriority;
  readonly metadata: MessageMetadata;
}

export function prioritize(subject: PrioritySubject, rules: PriorityRules): Prioritized {
  const { role, part, files, age } = subject;
  const [filePath] = files ?? [];
  const wasModified = files?.some(rules.wasModified) ?? false;
  const metadata = { age, ...(filePath !== undefined && { filePath, wasModified }) };
  const give = (priority: ContentPriority, more: Partial<MessageMetadata> = {}): Prioritized => ({
    priority,
    metadata: { ...metadata, ...more },
  });
  const isRecent = age <= rules.recent;

  if (role === "system" || role === "developer") return give(ContentPriority.SYSTEM, { isSystem: true });
  if (holdsInstructions(subject, rules))
    return give(ContentPriority.AGENT_INSTRUCTIONS, { isAgentInstruction: true });
  if (subject.isCurrentTask) return give(ContentPriority.CURRENT_TASK, { isCurrentTask: true });
  if (subject.isSummarized || (part && isSummary(part)))
    return give(ContentPriority.SUMMARIZED, { isSummarized: true });
  if (files === undefined) return give(isRecent ? ContentPriority.RECENT_TURNS : ContentPriority.OLD_HISTORY);
  if (wasModified) return give(ContentPriority.MODIFIED_FILES);
  if (!isRecent) return give(ContentPriority.STALE_TOOL_OUTPUTS);
  return give(files.length > 0 ? ContentPriority.RECENT_FILE_READS : ContentPriority.RECENT_TURNS);
}

/** Is it agent instructions? The agent's own texts never are, unless `isAgentInstruction` returns true. */
function holdsInstructions(
  { role, part, files, readsFiles }: PrioritySubject,
  rules: PriorityRules,
): boolean {
  if (rules.isAgentInstruction?.(part ? textOf(part) : "")) return true;
  if (readsFiles === false) return false;
  if (files?.some(isInstructionFile)) return true;
  if (readsFiles) return false;
  if (!part || (files === undefined && role === "assistant")) return false;
  return isInstructions(part);
}

const isInstructions = remember((part: Part) => isAgentInstructions(textOf(part)));
const isSummary = remember((part: Part) => isSummarizedText(textOf(part)));
