import type { Issue, Result } from "../basics/issue.ts";
import type { FormatName } from "../formats/format.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";

/** One segment of a recorded session: every request in it begins with the one before. */
export interface Segment {
  readonly messages: readonly unknown[];
  /** Parallel to `messages`. */
  readonly meta: readonly MessageMeta[];
  /**
   * How many leading messages the host kept when it compacted (summary and kept tail). This segment has no requests
   * for the assistant messages among them, and they have no usage.
   */
  readonly carried: number;
  /**
   * Another conversation in the same file: it does not continue the segment before it, unlike a segment after a
   * compaction.
   */
  readonly separate?: true;
}

/**
 * A paid request whose answer is in no segment: from a subagent, on an abandoned branch, broken off (`failed`), for
 * the host's own compaction, without a recorded answer (`hidden`), or for a user whom a model plays.
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
  /** The folder that the agent worked in, if recorded. */
  readonly project?: string;
  /** In order of first use. */
  readonly models: readonly string[];
  /**
   * A host's compaction starts a new segment, and so does another conversation in the same file. Segments without
   * messages are left out.
   */
  readonly segments: readonly Segment[];
  /** Paid requests other than those of the segments. */
  readonly asides: readonly PaidRequest[];
  /** Tools that its subagents called: their messages are not in the segments. */
  readonly calledBeside?: readonly string[];
  /** The client left a cache mark unused that Coppice could set; default: as usual for the source. */
  readonly mayMark?: boolean;
  /** The context window in tokens, if recorded or known from a compaction. */
  readonly window?: number;
  /** The window is unknown: `window` is the largest context that the host compacted. */
  readonly isCompactionPeak?: true;
  /** The agent may compact without recording the usage of that request. */
  readonly leavesOutCompactions?: true;
  readonly issues: readonly Issue[];
  /** Lines or messages that could not be read; each has an issue. */
  readonly skipped: number;
}

/** The data that shows which agent recorded a file. */
export interface Head {
  /** The first few thousand characters. */
  readonly text: string;
  /** The readable JSON lines among the first fifty. */
  readonly records: readonly { readonly [key: string]: unknown }[];
  /** The whole file, if it is one JSON value; `undefined` if not. */
  readonly document: unknown;
}

/** One kind of recording. */
export interface RecordingKind {
  readonly name: RecordingSource;
  /** Describes how to recognise it: shown when a file is of no kind. */
  readonly lookedFor: string;
  matches(head: Head): boolean;
  /** Pure and total: returns a recording or an issue for any text. `name` is used only for issues. */
  parse(text: string, name?: string): Result<Recording>;
}

/** Combines the segments with the data that applies to all of them. */
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
