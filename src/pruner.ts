import type { AgentView } from "./agent/agent-view.ts";
import { type FieldChecks, invalidRequest, readFields } from "./basics/read-fields.ts";
import { type Rewritten, rewriteMessages } from "./edits/apply.ts";
import {
  type AnsweredRequest,
  type ConversationChoice,
  type FoundConversation,
  type KnownConversation,
  KnownConversations,
} from "./fold/known-conversations.ts";
import { makePolicy, type PolicyOptions } from "./fold/policy.ts";
import { type PruneRequest, readRequest } from "./fold/prune-request.ts";
import type { RequestRow } from "./fold/request-memory.ts";
import { chosenFormat, detectFormat, FORMAT } from "./formats/detect.ts";
import type { Format, FormatChoice, PlacedNote } from "./formats/format.ts";
import { makeReport, type Report } from "./reports/report.ts";
import { unchanged, unprunedAfter, unprunedList, unprunedUnknown } from "./reports/unpruned.ts";

export interface PrunerOptions extends PolicyOptions {
  /** Needed if the format can't be recognised by its messages, or if it is your own. */
  readonly format?: FormatChoice;
}

/**
 * The messages to send (a message without edits is the very same object), and the report. A reminder that is a message
 * of its own is the last one and has no entry in `sources`.
 */
export interface PruneResult<M> extends Rewritten<M> {
  readonly report: Report;
}

/** A request that is about to be pruned: for hosts that keep a journal. */
export interface OpenedRequest<M> {
  /**
   * Keys of the requests of this history whose terms are unknown: a journal may have them. Empty if the conversation
   * is in memory.
   */
  readonly missing: readonly string[];
  /** Is the conversation in memory? */
  readonly known: boolean;
  /** Names the conversation while it grows: a hash of its first request's messages. Its forks have the same name. */
  readonly root: string;
  /** `report.key` of the request that this one continues, if the conversation is in memory. */
  readonly last: string | undefined;
  /** @param late fields that a host can only fill once it knows which conversation it is */
  prune(late?: Pick<PruneRequest, "status" | "warmedAt">): PruneResult<M>;
}

export interface Pruner {
  /**
   * Must be called before every request with the full history. Synchronous, and never throws: messages that can't be
   * read are returned unchanged, and wrong fields of the request are left out, with an issue.
   */
  prune<M>(messages: readonly M[], request?: PruneRequest): PruneResult<M>;
  /** The first half of `prune`, so that a host can read its journal before the second half. Never throws. */
  open<M>(messages: readonly M[], request?: PruneRequest): OpenedRequest<M>;
  /** Adds rows of requests from a journal. */
  learn(rows: readonly RequestRow[]): void;
  /**
   * Takes the response to a request. It shows how the provider counts and caches, and which calls belong to the
   * request.
   */
  answered(answer: AnsweredRequest): void;
  /** For the agent's tools: the conversation as of its last request, or as of the request that led to a call. */
  agentView(of?: ConversationChoice): AgentView | undefined;
  /** All conversations in memory, the newest first: for tool calls that don't say which one they mean. */
  conversations(): readonly KnownConversation[];
  /** The conversation that a call was made in, as of the request that led to it. */
  conversationOf(callId: string): KnownConversation | undefined;
}

const OPTIONS: FieldChecks<Pick<PrunerOptions, "format">> = { format: FORMAT };

/**
 * The whole of Coppice:
 *
 *   find the conversation -> advance over each new request (take in, propose, decide, settle) -> rewrite the messages
 *
 * A conversation's state is a pure function of its messages, the policy and the terms of its requests. The state that is
 * kept between calls is only a cache: a retry, an undo, a fork and a restart send the same bytes.
 *
 * Never throws. Wrong options are left out, and every report says so.
 */
export function createPruner(options: PrunerOptions = {}): Pruner {
  const problems: string[] = [];
  const own = readFields(options, OPTIONS, (problem) => problems.push(problem));
  const policy = makePolicy(options);
  const wrong = [...policy.issues, ...problems.map(invalidRequest)];
  const conversations = new KnownConversations(policy);

  function open<M>(messages: readonly M[], rawRequest: PruneRequest = {}): OpenedRequest<M> {
    const { request, issues } = readRequest(rawRequest);
    const opened = openRead(messages, request);
    return {
      // Getters, because only a host with a journal needs these two.
      get missing() {
        return opened.missing;
      },
      get root() {
        return opened.root;
      },
      known: opened.known,
      last: opened.last,
      prune(late) {
        const { report, ...rest } = opened.prune(late);
        return { ...rest, report: { ...report, issues: [...wrong, ...issues, ...report.issues] } };
      },
    };
  }

  function openRead<M>(raw: readonly M[], request: PruneRequest): OpenedRequest<M> {
    const messages = readList(raw);
    if (!messages) return openUnread(unprunedList(raw));
    try {
      const choice = request.format ?? own.format ?? detectFormat(messages);
      if (!choice) return openUnread(unprunedUnknown(messages));
      const found = conversations.find(messages, chosenFormat(choice), request);
      return {
        get missing() {
          return conversations.listMissing(found);
        },
        get root() {
          return conversations.findRoot(found);
        },
        known: found.fold.advances.length > 0,
        last: found.fold.prefixes.at(-1),
        prune: (late = {}) => finish(addLate(found, late)),
      };
    } catch (error) {
      return openUnread(unprunedAfter(error, messages));
    }
  }

  function finish<M>(found: FoundConversation<M>): PruneResult<M> {
    const { list, args } = found;
    try {
      const { fold, issues } = conversations.advance(found);
      const made = makeReport(fold);
      const report = { ...made, issues: [...issues, ...made.issues] };
      if (report.status !== "on") return { ...unchanged(list.messages), report };
      const view = args.request.quiet ? fold.view.withoutTags() : fold.view;
      const rewritten = rewriteMessages(view, list.format, list.messages, args.messages, fold.firstPart);
      return { ...addNote(rewritten, list.format, fold.advances.at(-1)?.note), report };
    } catch (error) {
      conversations.forget(found.fold);
      return unprunedAfter(error, list.messages);
    }
  }

  return {
    prune: (messages, request) => open(messages, request).prune(),
    open,
    learn: (rows) => conversations.learn(rows),
    answered: (answer) => conversations.answered(answer),
    agentView: (of = {}) => conversations.agentView(of),
    conversations: () => conversations.list(),
    conversationOf: (callId) => conversations.ofCall(callId),
  };
}

function addLate<M>(found: FoundConversation<M>, late: Partial<PruneRequest>): FoundConversation<M> {
  return { ...found, args: { ...found.args, request: { ...found.args.request, ...late } } };
}

/** A request whose messages are sent unchanged. */
function openUnread<M>(result: PruneResult<M>): OpenedRequest<M> {
  return { missing: [], known: false, root: "", last: undefined, prune: () => result };
}

/** Adds the reminder at the very end, so that the cached prefix does not change. */
function addNote<M>(rewritten: Rewritten<M>, format: Format, note: string | undefined): Rewritten<M> {
  if (note === undefined) return rewritten;
  const { messages, added } = format.placeNote(rewritten.messages, note) as PlacedNote<M>;
  return { ...rewritten, messages, note: added };
}

/** A copy of the list, without holes; `undefined` if it is not a list or can't be read. */
function readList<M>(messages: readonly M[]): readonly M[] | undefined {
  try {
    return Array.isArray(messages) ? Array.from(messages) : undefined;
  } catch {
    return undefined;
  }
}
