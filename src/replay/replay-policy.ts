import type { Issue } from "../basics/issue.ts";
import type { FormatName } from "../formats/format.ts";
import type { ModelOverrides } from "../models/profile.ts";
import type { Recording } from "../recordings/recording.ts";
import type { MessageMeta } from "../transcript/message.ts";

/** What is known of a recording before its first request, and how its requests will be billed. */
export interface RecordingInfo {
  readonly source: Recording["source"];
  readonly format: FormatName;
  readonly session?: string;
  /** What the bill uses instead of the price library's word. */
  readonly prices: ModelOverrides;
  /** System prompt and tool schemas, in tokens. */
  readonly prefixTokens: number;
}

/** A recorded request, as a policy sees it: nothing of what comes after. */
export interface ReplayRequest {
  /** Counts over the whole session. */
  readonly index: number;
  /** A host's compaction starts the next one: its messages are a new history. */
  readonly segment: number;
  /** Leading messages that the compaction brought along: none was answered in this segment. */
  readonly carried: number;
  /** The model that answered. */
  readonly model?: string;
  /** When the newest input was there. */
  readonly time?: number;
  /** Parallel to the messages. */
  readonly meta: readonly (MessageMeta | undefined)[];
  /** For a policy to say what it cut for this request, by whom and why. */
  note(cuts: readonly ReplayCut[]): void;
  /** For a policy to say that something went wrong with it. */
  report(issue: Issue): void;
}

/** Something that a policy took out, from this request on, or put back. */
export interface ReplayCut {
  /** The mechanism. */
  readonly author: string;
  readonly reason: string;
  /** Why now. */
  readonly timing: string;
  /** Tokens less in this request and each one after it; below zero for what came back. */
  readonly saved: number;
}

/** What is sent: called once for each recorded request, in order, with the full history; gives messages of the same format. */
export type DecideView = (messages: readonly unknown[], request: ReplayRequest) => readonly unknown[];

export interface ReplayPolicy {
  readonly name: string;
  /** What the policy itself adds to the system prompt and the tool schemas of every request. */
  readonly overheadTokens?: number;
  /** Called once for each recording; the state of one replay lives in what it gives. */
  start(recording: RecordingInfo): DecideView;
}

export const noPruning: ReplayPolicy = {
  name: "no pruning",
  start: () => (messages) => messages,
};
