import type { Issue } from "../basics/issue.ts";
import type { FormatName } from "../formats/format.ts";
import type { ModelOverrides } from "../models/profile.ts";
import type { Recording } from "../recordings/recording.ts";
import { PING_BUDGET } from "../schedule/keep-warm.ts";
import type { MessageMeta } from "../transcript/message.ts";
import type { RecordedTerms } from "./requests.ts";

/** What is known of a recording before its first request, and how its requests will be billed. */
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
  /** Its client leaves a cache mark free, and a policy can set it. */
  readonly mayMark?: true;
  /** The context window, where the recording tells. */
  readonly window?: number;
}

/** A recorded request as a policy sees it, without anything that came after. */
export interface ReplayRequest {
  /** Counts over the whole session. */
  readonly index: number;
  /** A host's compaction starts the next segment, whose messages are a new history. */
  readonly segment: number;
  /** How many leading messages the compaction kept: no request of this segment was made for them. */
  readonly carried: number;
  /** The model that answered. */
  readonly model?: string;
  /** The time of the newest input. */
  readonly time?: number;
  /** When the request before was last sent again, where the policy keeps the cache warm. */
  readonly warmedAt?: number;
  /** How long it asked the provider to keep its prefix, where that was recorded. */
  readonly ttl?: number;
  /** Parallel to the messages. */
  readonly meta: readonly (MessageMeta | undefined)[];
  /** Called by a policy to say what it cut for this request, by which mechanism and why. */
  note(cuts: readonly ReplayCut[]): void;
  /** Called by a policy that sets a cache mark at the end of a message of its view. */
  mark(message: number): void;
  /** Called by a policy that adds a text of its own as the last part of its view: the client's mark stands before it. */
  addNote(): void;
  /** Called by a policy to say that something went wrong. */
  report(issue: Issue): void;
}

/** Something that a policy cuts from this request on, or puts back. */
export interface ReplayCut {
  /** The mechanism. */
  readonly author: string;
  readonly reason: string;
  /** Why now. */
  readonly timing: string;
  /** Tokens saved in this request and each one after it; negative for something put back. */
  readonly saved: number;
}

/** Gives what is sent. Called once for each recorded request, in order, with the full history; the format stays. */
export type DecideView = (messages: readonly unknown[], request: ReplayRequest) => readonly unknown[];

export interface ReplayPolicy {
  readonly name: string;
  /** What the policy itself adds to the system prompt and the tool schemas of every request. */
  readonly overheadTokens?: number;
  /**
   * During a pause the last request is sent again before the cache expires, until that has cost this share of the rewrite
   * that it saves. Without it no request is sent again.
   */
  readonly pingBudget?: number;
  /** Called once for each recording; the function it gives holds the state of one replay. */
  start(recording: RecordingInfo): DecideView;
}

/** The same policy, and the cache is kept warm during pauses. */
export function keepWarm(policy: ReplayPolicy, pingBudget: number = PING_BUDGET): ReplayPolicy {
  return { ...policy, name: `${policy.name} + keep warm`, pingBudget };
}

export const noPruning: ReplayPolicy = {
  name: "no pruning",
  start: () => (messages) => messages,
};
