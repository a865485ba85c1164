import type { RequestState } from "../agent/agent-view.ts";
import type { Issue } from "../basics/issue.ts";
import type { Guard } from "../edits/guard.ts";
import type { Delta } from "../facts/facts.ts";
import type { CachePrices, ModelProfile } from "../models/profile.ts";
import type { CachedText, Kept } from "../schedule/prompt-cache.ts";
import type { AppliedCut } from "../schedule/scheduler.ts";
import type { DecodedMessage, RequestTerms, Usage } from "../transcript/message.ts";
import type { SessionStatus } from "../transcript/session-command.ts";
import type { HandedOver } from "./hand-over.ts";
import type { CacheMarkPlace } from "./place-marks.ts";

/** The input of one request: the messages since the previous request, and its terms. */
export interface RequestInput {
  readonly messages: readonly DecodedMessage[];
  readonly profile: ModelProfile;
  readonly window: number;
  /** The time of its newest input. */
  readonly time: number | undefined;
  /** The sources of the profile, window and time, and the size of the text before the first message. */
  readonly terms: RequestTerms;
  /** The usage that the provider reported for the previous request. */
  readonly usage: Usage | undefined;
  /** A client's own question (a title, a summary): nothing new is cut for it. */
  readonly quiet: boolean;
  /** The terms are unknown, so those of the newest request are used. */
  readonly isAssumed: boolean;
  /** A subagent's session gets no reminders. */
  readonly subagent: boolean;
  /** The status of Coppice before the first request. `undefined` uses the policy's. */
  readonly status: SessionStatus | undefined;
}

/** A request before its cut. */
export interface Arrival {
  readonly input: RequestInput;
  readonly delta: Delta;
  readonly status: SessionStatus;
  readonly window: number;
  readonly prices: CachePrices;
  /** Tokens before the first message. */
  readonly prefix: number;
  readonly cache: ArrivalCache;
  readonly guard: Guard;
}

/** The provider's cache when the request arrives. */
export interface ArrivalCache {
  readonly cached: CachedText;
  /** The part of the previous request's text that is still the same, if the host changed its start. */
  readonly lost: Kept | undefined;
  /** The client's cache marks, in the order of their places. */
  readonly marks: readonly CacheMarkPlace[];
  readonly mayMark: boolean;
  /** The response at the start of the newest parts, if the provider caches responses. */
  readonly answer: { readonly blocks: number; readonly tokens: number } | undefined;
}

/** The cut of a request, and the text that it sends. */
export interface Decision extends HandedOver {
  readonly cut: AppliedCut | undefined;
  /** Tokens of the messages as shown to the model: with all cuts, without what the provider clears. */
  readonly shown: number;
  /** See `Advance`. */
  readonly used: number;
  /** See `Advance`. */
  readonly note: string | undefined;
}

/** The record of one request. Its mark is the checkpoint after it. */
export interface Advance
  extends Omit<RequestState, "profile">,
    Pick<Decision, "cut" | "note" | "cleared" | "clearedUncut"> {
  readonly input: RequestInput;
  readonly mark: number;
  /** The number of messages up to this request. */
  readonly messages: number;
  /**
   * Tokens of the request as sent, as the provider will count them: the text before the first message, and the messages
   * with their tags after the cut. If Coppice is off or only watches, the original messages count. The note at the end is
   * not counted, because it quotes this figure. An estimate, corrected by the usage that the provider reported.
   */
  readonly used: number;
  readonly issues: readonly Issue[];
  /** The message that gets Coppice's own cache mark at its end. */
  readonly ownMark: number | undefined;
}
