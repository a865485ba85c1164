import type { Issue, Result } from "../basics/issue.ts";
import type { FormatName } from "../formats/format.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";

/** One epoch of a recorded session: every request made in it begins with the one before. */
export interface Segment {
  readonly messages: readonly unknown[];
  /** Parallel to `messages`. */
  readonly meta: readonly MessageMeta[];
  /**
   * How many leading messages the host brought along when it compacted (summary and kept tail).
   * No request of this epoch was made for the assistant messages among them, and they have no usage.
   */
  readonly carried: number;
  /** Another conversation in the same file: it does not go on from the segment before, as one after a compaction does. */
  readonly separate?: true;
}

/**
 * A request that was paid for though its answer is in no segment: made by a subagent, on a branch that was left, broken off
 * (`failed`), for the host's own compaction, answered with nothing that was recorded (`hidden`), or for a user whom a
 * model plays.
 */
export interface PaidRequest extends Pick<MessageMeta, "time" | "model" | "cost"> {
  readonly kind: "subagent" | "branch" | "failed" | "compaction" | "hidden" | "played-user";
  readonly usage?: Usage;
}

export type RecordingSource =
  | "claude-code"
  | "cline-roo"
  | "codex"
  | "copilot-cli"
  | "gemini-cli"
  | "messages"
  | "mini-swe-agent"
  | "moatless"
  | "opencode"
  | "openhands"
  | "pi"
  | "swe-agent"
  | "tau-bench"
  | "tau2-bench"
  | "trae-agent";

/** A recorded session as messages of a live format. */
export interface Recording {
  readonly source: RecordingSource;
  readonly format: FormatName;
  readonly session?: string;
  /** The folder that the agent worked in, where it was recorded. */
  readonly project?: string;
  /** In order of first use. */
  readonly models: readonly string[];
  /** A host's compaction starts a new segment, and so does another conversation in the same file. A segment without messages is left out. */
  readonly segments: readonly Segment[];
  /** What was paid for beside the requests of the segments. */
  readonly asides: readonly PaidRequest[];
  /** Tools that its subagents called: their messages are not in the segments. */
  readonly calledBeside?: readonly string[];
  /** Its client left a cache mark free, and Coppice could set it; unless given, as is usual for its source. */
  readonly mayMark?: boolean;
  /** The context window in tokens, where the recording tells: by itself, or by what the host compacted. */
  readonly window?: number;
  /** The window is not known: `window` is the largest context that the host compacted. */
  readonly isCompactionPeak?: true;
  /** The agent may compact without recording what that request used. */
  readonly leavesOutCompactions?: true;
  readonly issues: readonly Issue[];
  /** Lines or messages that could not be read; each has an issue. */
  readonly skipped: number;
}

/** What is used to tell which agent recorded a file. */
export interface Head {
  /** The first few thousand characters. */
  readonly text: string;
  /** The readable JSON lines among the first fifty. */
  readonly records: readonly { readonly [key: string]: unknown }[];
  /** The whole file, where it is one JSON value; `undefined` where it is not. */
  readonly document: unknown;
}

/** One kind of recording. */
export interface RecordingKind {
  readonly name: RecordingSource;
  /** How to recognise it, in words: shown when a file is of no kind. */
  readonly lookedFor: string;
  matches(head: Head): boolean;
  /** Pure and total: whatever the text holds, it comes back as a recording or an issue. `name` is only for issues. */
  parse(text: string, name?: string): Result<Recording>;
}

/** Puts the segments together with what is true of all of them. */
export function makeRecording(
  from: Pick<Recording, "source" | "format" | "issues" | "skipped"> & {
    readonly session: string | undefined;
    readonly project?: string | undefined;
    readonly segments: readonly Segment[];
    readonly asides?: readonly PaidRequest[] | undefined;
    readonly window?: number | undefined;
    readonly isCompactionPeak?: boolean;
    readonly leavesOutCompactions?: true;
  },
): Recording {
  const { session, project, asides = [], window, isCompactionPeak, ...rest } = from;
  const segments = from.segments.filter((segment) => segment.messages.length > 0);
  const models = new Set<string>();
  for (const segment of segments)
    for (const { model } of segment.meta) if (model !== undefined) models.add(model);
  return {
    ...rest,
    segments,
    asides,
    models: [...models],
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project }),
    ...(window !== undefined && { window, ...(isCompactionPeak && { isCompactionPeak }) }),
  };
}
