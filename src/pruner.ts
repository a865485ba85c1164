import { type AgentView, makeAgentView } from "./agent/agent-view.ts";
import { type Rewritten, rewriteMessages } from "./edits/apply.ts";
import { type Advance, Fold, type SessionStatus } from "./fold.ts";
import { detectFormat, FORMAT_NAMES, formatByName } from "./formats/detect.ts";
import type { Format, FormatName, PlacedNote } from "./formats/format.ts";
import type { Issue } from "./issue.ts";
import type { ModelProfile } from "./models/profile.ts";
import { makePolicy, type Policy, type PolicyOptions } from "./policy.ts";
import { makeEmptyReport, makeReport, type Report } from "./report.ts";
import { boundaryEnds } from "./transcript/boundaries.ts";
import { decodeMessages } from "./transcript/decode.ts";
import type { DecodedMessage, MessageMeta } from "./transcript/message.ts";
import { sameMessage } from "./transcript/same-part.ts";

export interface PrunerOptions extends PolicyOptions {
  /** Where the messages are of no format that can be told by looking at them. */
  readonly format?: FormatName;
}

/** What a host knows of the request that it is about to send. */
export interface PruneRequest {
  /** Keeps conversations apart; hosts with one conversation leave it out. */
  readonly session?: string;
  readonly model?: string;
  /** Overrides the model's window, in tokens. */
  readonly window?: number;
  /** When the newest input came, in milliseconds, for formats whose messages carry no times. */
  readonly at?: number;
  /** How many leading messages a host's compaction brought along: none of them was sent in this form before. */
  readonly carried?: number;
  /** Times, usage and models that the messages themselves do not carry, by index. */
  readonly meta?: readonly (MessageMeta | undefined)[];
  /** A subagent's session: it is pruned, and never reminded of anything. */
  readonly subagent?: boolean;
  /** How Coppice stood before the first message, where a host's compaction has taken away what said so. */
  readonly standing?: SessionStatus;
}

/**
 * What to send (a message without edits is the very same object), and what was done. A reminder that is a message of its
 * own stands behind the others and has no source.
 */
export interface PruneResult<M> extends Rewritten<M> {
  readonly report: Report;
}

export interface Pruner {
  /** Must be called before every request with the full history. Synchronous, and never throws. */
  prune<M>(messages: readonly M[], request?: PruneRequest): PruneResult<M>;
  /** What the agent's tools answer from: the session as of its last request. */
  agentView(session?: string): AgentView | undefined;
}

/** Sessions whose folds are kept in memory; an older one is folded anew when it comes back. */
const SESSIONS = 16;

/**
 * The whole of Coppice:
 *
 *   decode → recognise what was seen before → advance over each new boundary → rewrite
 *
 * A session's state is a pure function of the transcript and the policy. What is kept between calls is only a cache
 * of it: a retry, an undo, a fork and a restart give the same bytes.
 */
export function createPruner(options: PrunerOptions = {}): Pruner {
  const policy = makePolicy(options);
  const sessions = new Map<string, Fold>();

  function prune<M>(messages: readonly M[], request: PruneRequest = {}): PruneResult<M> {
    const name = request.session ?? "";
    if (!Array.isArray(messages)) return notAList(messages);
    try {
      const formatName = options.format ?? detectFormat(messages);
      if (!formatName) return { ...unchanged(messages), report: makeEmptyReport(unknownFormat(messages)) };
      const format = formatByName(formatName);
      const fold = takeSession(sessions, name, policy);
      const decoded = decodeMessages(format, messages, request.meta, fold.messages);
      advanceOver(fold, decoded, request, policy);
      const report = makeReport(fold);
      if (report.status !== "on") return { ...unchanged(messages), report };
      const rewritten = rewriteMessages(fold.view, format, messages, decoded, fold.firstPart);
      return { ...addNote(rewritten, format, fold.advances.at(-1)?.note), report };
    } catch (error) {
      sessions.delete(name);
      const message = `nothing was pruned: ${error instanceof Error ? error.message : String(error)}`;
      return {
        ...unchanged(messages),
        report: makeEmptyReport({ code: "fold-failed", message, severity: "error" }),
      };
    }
  }

  function agentView(session = ""): AgentView | undefined {
    const fold = sessions.get(session);
    const last = fold?.advances.at(-1);
    return fold && last && makeAgentView(fold, policy, last);
  }

  return { prune, agentView };
}

/** Brings the fold to this transcript: keeps the boundaries that it shares with the last one, advances over the rest. */
function advanceOver(
  fold: Fold,
  messages: readonly DecodedMessage[],
  request: PruneRequest,
  policy: Policy,
): void {
  const ends = boundaryEnds(messages, request.carried);
  const given = request.model ?? messages.findLast(({ model }) => model !== undefined)?.model;
  const profile = policy.profileFor(given);
  const windowFor = ({ window }: ModelProfile) => request.window ?? policy.window ?? window;
  const shared = countShared(fold, messages, ends, policy);
  const newest = fold.advances[shared - 1];
  const holds = newest?.messages !== messages.length || isAskedLike(newest, profile, windowFor(profile));
  fold.rewind(holds ? shared : shared - 1);
  for (const end of ends.slice(fold.advances.length)) {
    const input = messages.slice(fold.messages.length, end);
    const answeredBy = messages[end]?.model;
    const asked = answeredBy === undefined ? profile : policy.profileFor(answeredBy);
    const time = timeOf(input) ?? (end === messages.length ? request.at : undefined);
    const { subagent = false, standing } = request;
    fold.advance({ messages: input, profile: asked, window: windowFor(asked), time, subagent, standing });
  }
}

/** The same messages may be asked of another model, or under another window. */
function isAskedLike({ model, boundary }: Advance, profile: ModelProfile, window: number): boolean {
  return model === profile.id && boundary.window === window;
}

/**
 * The number of boundaries that this transcript begins with and the fold has passed already. Where the transcript
 * tells which model answered, it must be the one that was reckoned with.
 */
function countShared(
  fold: Fold,
  messages: readonly DecodedMessage[],
  ends: readonly number[],
  policy: Policy,
): number {
  const known = fold.messages;
  let same = 0;
  while (same < known.length && same < messages.length && sameMessage(known[same], messages[same])) same++;
  const isShared = ({ messages: end, model }: Advance, i: number) => {
    if (end !== ends[i] || end > same) return false;
    const answeredBy = messages[end]?.model;
    return answeredBy === undefined || answeredBy === model || policy.profileFor(answeredBy).id === model;
  };
  const { advances } = fold;
  let shared = 0;
  while (shared < advances.length && isShared(advances[shared] as Advance, shared)) shared++;
  return shared;
}

function timeOf(messages: readonly DecodedMessage[]): number | undefined {
  return messages.reduce<number | undefined>(
    (newest, { time }) => (time === undefined ? newest : Math.max(time, newest ?? time)),
    undefined,
  );
}

/** The session's fold, newest last; the one unused for longest makes room. */
function takeSession(sessions: Map<string, Fold>, name: string, policy: Policy): Fold {
  const fold = sessions.get(name) ?? new Fold(policy);
  sessions.delete(name);
  sessions.set(name, fold);
  const [oldest] = sessions.keys();
  if (sessions.size > SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return fold;
}

/** A reminder stands at the very end, so that no prefix changes. */
function addNote<M>(rewritten: Rewritten<M>, format: Format, note: string | undefined): Rewritten<M> {
  if (note === undefined) return rewritten;
  const { messages, added } = format.placeNote(rewritten.messages, note) as PlacedNote<M>;
  return { ...rewritten, messages, note: added };
}

function unchanged<M>(messages: readonly M[]): Rewritten<M> {
  return { messages: [...messages], sources: [...messages.keys()] };
}

/** For callers without types: whatever it was comes back as it is. */
function notAList<M>(given: readonly M[]): PruneResult<M> {
  const message = "prune takes a list of messages; what was given came back as it is";
  const report = makeEmptyReport({ code: "unreadable-input", message, severity: "error" });
  return { messages: given as M[], sources: [], report };
}

function unknownFormat(messages: readonly unknown[]): Issue {
  if (messages.length === 0)
    return { code: "empty-input", message: "there are no messages to prune", severity: "warning" };
  const message = `these messages are of no format that Coppice knows (${FORMAT_NAMES.join(", ")}); name one with \`format\``;
  return { code: "unknown-format", message, severity: "error" };
}
