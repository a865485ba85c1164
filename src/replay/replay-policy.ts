import type { Issue } from "../basics/issue.ts";
import type { FormatName } from "../formats/format.ts";
import type { ModelOverrides } from "../models/profile.ts";
import type { Recording } from "../recordings/recording.ts";
import { PING_BUDGET } from "../schedule/keep-warm.ts";
import type { MessageMeta } from "../transcript/message.ts";
import type { RecordedTerms } from "./requests.ts";

/** The data of a recording that is known before its first request, and how its requests will be billed. */
export interface RecordingInfo extends RecordedTerms {
  readonly source: Recording["source"];
  readonly format: FormatName;
  readonly session?: string;
  /** Overrides the prices of the price library. */
  readonly prices: ModelOverrides;
  /** All requests are billed as if this model had answered. */
  readonly pricedAs?: string;
  /** System prompt and tool schemas, in tokens by our own estimate. */
  readonly prefixTokens: number;
  /** The client leaves a cache mark unused, and a policy can set it. */
  readonly mayMark?: true;
  /** The context window, if recorded. */
  readonly window?: number;
}

/** A recorded request as a policy sees it, without anything that came later. */
export interface ReplayRequest {
  /** Counts over the whole session. */
  readonly index: number;
  /** A host's compaction starts the next segment, whose messages are a new history. */
  readonly segment: number;
  /** The number of leading messages that the compaction kept: this segment has no requests for them. */
  readonly carried: number;
  /** The model that answered. */
  readonly model?: string;
  /** The time of the newest input. */
  readonly time?: number;
  /** When the previous request was last sent again, if the policy keeps the cache warm. */
  readonly warmedAt?: number;
  /** The cache lifetime that the request asked for, if recorded. */
  readonly ttl?: number;
  /** Parallel to the messages. */
  readonly meta: readonly (MessageMeta | undefined)[];
  /** A policy calls this to report its cuts for this request, with mechanism and reason. */
  note(cuts: readonly ReplayCut[]): void;
  /** A policy calls this if it sets a cache mark at the end of a message of its view. */
  mark(message: number): void;
  /** A policy calls this if it adds a text as the last part of its view: the client's mark is before that text. */
  addNote(): void;
  /** A policy calls this to report a problem. */
  report(issue: Issue): void;
}

/** Text that a policy cuts from this request on, or restores. */
export interface ReplayCut {
  /** The mechanism. */
  readonly author: string;
  readonly reason: string;
  /** Why now. */
  readonly timing: string;
  /** Tokens saved in this request and each later one; negative for restored text. */
  readonly saved: number;
}

/**
 * Returns the messages to send. Called once for each recorded request, in order, with the full history; the format
 * stays.
 */
export type DecideView = (messages: readonly unknown[], request: ReplayRequest) => readonly unknown[];

export interface ReplayPolicy {
  readonly name: string;
  /** Text that the policy adds to the system prompt and the tool schemas of every request. */
  readonly overheadTokens?: number;
  /**
   * During a pause, the last request is sent again before the cache expires, until that has cost this share of the
   * rewrite that it saves. If unset, no request is sent again.
   */
  readonly pingBudget?: number;
  /** Called once for each recording; the function that it returns holds the state of one replay. */
  start(recording: RecordingInfo): DecideView;
}

/** The same policy with the cache kept warm during pauses. */
export function keepWarm(policy: ReplayPolicy, pingBudget: number = PING_BUDGET): ReplayPolicy {
  return { ...policy, name: `${policy.name} + keep warm`, pingBudget };
}

export const noPruning: ReplayPolicy = {
  name: "no pruning",
  start: () => (messages) => messages,
};
