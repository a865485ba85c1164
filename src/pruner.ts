import { type AgentView, makeAgentView } from "./agent/agent-view.ts";
import { type FieldChecks, invalidRequest, readFields } from "./basics/read-fields.ts";
import { type Rewritten, rewriteMessages } from "./edits/apply.ts";
import { advanceOver, hashKnown, listRequests } from "./fold/advance-over.ts";
import { AnsweredCalls } from "./fold/answered-calls.ts";
import { Fold } from "./fold/fold.ts";
import { Folds, type HostMessages, openList } from "./fold/folds.ts";
import { makePolicy, type PolicyOptions } from "./fold/policy.ts";
import { isUsage, type PruneRequest, readRequest } from "./fold/prune-request.ts";
import { RequestMemory, type RequestRow } from "./fold/request-memory.ts";
import type { PruneArguments } from "./fold/terms.ts";
import { chosenFormat, detectFormat, FORMAT } from "./formats/detect.ts";
import type { Format, FormatChoice, PlacedNote } from "./formats/format.ts";
import { decodeMessages } from "./intake/decode.ts";
import { requestEnds } from "./intake/request-ends.ts";
import { makeReport, type Report } from "./reports/report.ts";
import { unchanged, unprunedAfter, unprunedList, unprunedUnknown } from "./reports/unpruned.ts";
import { hashPrefixes } from "./transcript/hash-prefixes.ts";
import type { Usage } from "./transcript/message.ts";

export interface PrunerOptions extends PolicyOptions {
  /** Where the messages are of no format that can be told by looking at them, or of one of your own. */
  readonly format?: FormatChoice;
}

/**
 * What to send (a message without edits is the very same object), and what was done. A reminder that is a message of
 * its own is the last one and has no entry in `sources`.
 */
export interface PruneResult<M> extends Rewritten<M> {
  readonly report: Report;
}

/** A request that is about to be pruned: for hosts that keep a journal. */
export interface OpenedRequest<M> {
  /**
   * Keys of requests in this history that nothing is known of but their messages: those that a journal may know. Empty
   * where the conversation is in memory.
   */
  readonly missing: readonly string[];
  /** Is the conversation in memory? */
  readonly known: boolean;
  /** Names the conversation as long as it grows: a hash of its first request's messages. Its forks have the same. */
  readonly root: string;
  /** `report.key` of the request that this one goes on from, where the conversation is in memory. */
  readonly last: string | undefined;
  /** @param told what a host can only tell when it knows which conversation it is */
  prune(late?: Pick<PruneRequest, "status" | "warmedAt">): PruneResult<M>;
}

/** What came back for a request. */
export interface AnsweredRequest {
  /** `report.key` of the request. */
  readonly request: string;
  readonly usage?: Usage;
  /** The model that answered. */
  readonly model?: string;
  /** Ids of the calls in the answer. */
  readonly calls?: readonly string[];
  /** Names of the tools that are called in it. */
  readonly calledTools?: readonly string[];
}

/** A conversation that is in memory. */
export interface KnownConversation {
  /** As of an `OpenedRequest`. */
  readonly root: string;
  readonly session: string;
  /** Names of the tools that its newest answer calls and whose results have not come yet. */
  readonly openTools: readonly string[];
  readonly view: AgentView;
}

/** Which conversation is meant: the one that a call belongs to, else the newest of a session. */
export type ConversationChoice = string | { readonly session?: string; readonly callId?: string };

export interface Pruner {
  /**
   * Must be called before every request with the full history. Synchronous, and never throws: messages that can't be
   * read are returned unchanged, and wrong fields of the request are left out, with an issue.
   */
  prune<M>(messages: readonly M[], request?: PruneRequest): PruneResult<M>;
  /** The first half of `prune`, so that a host can look into its journal before the second. Never throws. */
  open<M>(messages: readonly M[], request?: PruneRequest): OpenedRequest<M>;
  /** What a journal knows of requests. */
  learn(rows: readonly RequestRow[]): void;
  /** What came back for a request: how the provider counts and caches, and to whom calls belong. */
  answered(answer: AnsweredRequest): void;
  /** What the agent's tools answer from: the conversation as of its last request, or as of the one that led to a call. */
  agentView(of?: ConversationChoice): AgentView | undefined;
  /** All that are in memory, the newest first: for tools that are called without a word of which one is meant. */
  conversations(): readonly KnownConversation[];
  /** The one that a call was made in, as of the request that led to it. */
  conversationOf(callId: string): KnownConversation | undefined;
}

const OPTIONS: FieldChecks<Pick<PrunerOptions, "format">> = { format: FORMAT };

/**
 * The whole of Coppice:
 *
 *   find the conversation → decode → recognise what was seen before → advance over each new boundary → rewrite
 *
 * A conversation's state is a pure function of the transcript, the policy and what was told of its requests. What is kept
 * between calls is only a cache of it: a retry, an undo, a fork and a restart give the same bytes.
 *
 * Never throws: what is wrong in the options is left out, and every report says so.
 */
export function createPruner(options: PrunerOptions = {}): Pruner {
  const problems: string[] = [];
  const own = readFields(options, OPTIONS, (problem) => problems.push(problem));
  const policy = makePolicy(options);
  const wrong = [...policy.issues, ...problems.map(invalidRequest)];
  const folds = new Folds(policy.keepBytes);
  const memory = new RequestMemory();
  const calls = new AnsweredCalls();

  function open<M>(messages: readonly M[], rawRequest: PruneRequest = {}): OpenedRequest<M> {
    const { request, issues } = readRequest(rawRequest);
    const opened = openRead(messages, request);
    return {
      // Only a host with a journal wants to know.
      get missing() {
        return opened.missing;
      },
      known: opened.known,
      get root() {
        return opened.root;
      },
      last: opened.last,
      prune(late) {
        const { report, ...rest } = opened.prune(late);
        return { ...rest, report: { ...report, issues: [...wrong, ...issues, ...report.issues] } };
      },
    };
  }

  function openRead<M>(raw: readonly M[], request: PruneRequest): OpenedRequest<M> {
    const messages = readList(raw);
    if (!messages) return asItCame(unprunedList(raw));
    try {
      const choice = request.format ?? own.format ?? detectFormat(messages);
      if (!choice) return asItCame(unprunedUnknown(messages));
      const opened = find(messages, chosenFormat(choice), request);
      return {
        get missing() {
          return listMissing(opened);
        },
        known: opened.fold.advances.length > 0,
        get root() {
          return findRoot(opened);
        },
        last: opened.fold.prefixes.at(-1),
        prune: (late = {}) => finish({ ...opened, args: withLate(opened.args, late) }),
      };
    } catch (error) {
      return asItCame(unprunedAfter(error, messages));
    }
  }

  /** The conversation that these messages are of, and the messages taken apart. */
  function find<M>(messages: readonly M[], format: Format, request: PruneRequest): Opened<M> {
    const { textProtocols } = policy;
    const list = openList(messages, format, request, textProtocols);
    const likely = folds.guess(list);
    const decoded = decodeMessages(format, messages, request.meta, likely?.messages, textProtocols);
    const keys = hashKnown(likely, decoded);
    const fold = folds.choose(list, keys) ?? new Fold(policy);
    const model = request.model ?? decoded.findLast((message) => message.model !== undefined)?.model;
    // The messages have it all.
    const { meta: _, ...terms } = request;
    return { fold, list, args: { messages: decoded, keys, request: terms, policy, model } };
  }

  /** Requests that the fold has not come by and nothing is known of. */
  function listMissing({ fold, args }: Opened): readonly string[] {
    try {
      const { keys } = args;
      const { ends, shared } = listRequests(fold, args, memory);
      // Behind the input of a request that was made, a client's own question may stand.
      const inside = args.request.quiet ? keys.slice((ends.at(-2) ?? 0) + 1, ends.at(-1)) : [];
      // What had to be assumed before is asked for again: the journal may have been out of reach.
      const assumedAdvances = fold.advances.slice(0, shared).filter(({ input }) => input.isAssumed);
      const wantedEnds = [...assumedAdvances.map(({ messages }) => messages), ...ends.slice(shared)];
      return [...wantedEnds.flatMap((end) => keys[end] ?? []), ...inside].filter((key) => !memory.get(key));
    } catch {
      // `prune` will say what is wrong with them.
      return [];
    }
  }

  function findRoot({ fold, args }: Opened): string {
    if (fold.advances.length > 0) return rootOf(fold);
    const end = requestEnds(args.messages, args.request.carried)[0] ?? 0;
    return hashPrefixes(args.messages.slice(0, end)).at(-1) ?? "";
  }

  function finish<M>({ fold: known, list, args }: Opened<M>): PruneResult<M> {
    try {
      const { fold, issues } = advanceOver(known, args, memory);
      if (fold !== known) discard(known);
      for (const gone of folds.use(fold, list)) calls.forget(gone);
      const made = makeReport(fold);
      calls.expect({ key: made.key, fold, args });
      const report = { ...made, issues: [...issues, ...made.issues] };
      if (report.status !== "on") return { ...unchanged(list.messages), report };
      const view = args.request.quiet ? fold.view.withoutTags() : fold.view;
      const rewritten = rewriteMessages(view, list.format, list.messages, args.messages, fold.firstPart);
      return { ...addNote(rewritten, list.format, fold.advances.at(-1)?.note), report };
    } catch (error) {
      folds.remove(known);
      return unprunedAfter(error, list.messages);
    }
  }

  function discard(fold: Fold): void {
    folds.remove(fold);
    calls.forget(fold);
  }

  function agentView(of: ConversationChoice = {}): AgentView | undefined {
    const { session = "", callId } = typeof of === "string" ? { session: of } : of;
    const fold = (callId === undefined ? undefined : foldOfCall(callId)) ?? folds.newest(session);
    return fold && viewOf(fold);
  }

  function viewOf(fold: Fold): AgentView | undefined {
    const last = fold.advances.at(-1);
    return last && makeAgentView(fold, policy, { ...last, profile: last.input.profile });
  }

  function describe(fold: Fold, session: string): KnownConversation | undefined {
    const view = viewOf(fold);
    return view && { root: rootOf(fold), session, openTools: calls.openTools(fold), view };
  }

  /** As of the request whose answer had the call; folded anew where the fold has gone on with another list since. */
  function foldOfCall(callId: string): Fold | undefined {
    const request = calls.find(callId);
    if (!request) return undefined;
    const { fold, args, key } = request;
    if (fold.prefixes.at(-1) === key) return fold;
    return advanceOver(new Fold(policy), args, memory).fold;
  }

  return {
    prune: (messages, request) => open(messages, request).prune(),
    open,
    learn: (rows) => memory.learn(rows),
    answered({ request, usage, model, calls: made = [], calledTools = [] }) {
      const answeredBy = model === undefined ? {} : { answeredBy: model };
      memory.answered(request, { ...(isUsage(usage) && { usage }), ...answeredBy });
      calls.note(request, made, calledTools);
    },
    agentView,
    conversations: () => folds.list().flatMap(({ fold, session }) => describe(fold, session) ?? []),
    conversationOf(callId) {
      const fold = foldOfCall(callId);
      return fold && describe(fold, calls.find(callId)?.args.request.session ?? "");
    },
  };
}

/** What a conversation is called as long as it grows. */
function rootOf({ advances, prefixes }: Fold): string {
  return prefixes[advances[0]?.messages ?? 0] ?? "";
}

/** A request of which it is known what conversation it is of. */
interface Opened<M = unknown> {
  readonly fold: Fold;
  readonly list: HostMessages<M>;
  readonly args: PruneArguments;
}

function withLate(args: PruneArguments, late: Partial<PruneRequest>): PruneArguments {
  return { ...args, request: { ...args.request, ...late } };
}

function asItCame<M>(result: PruneResult<M>): OpenedRequest<M> {
  return { missing: [], known: false, root: "", last: undefined, prune: () => result };
}

/** Adds the reminder at the very end, so that the cached prefix does not change. */
function addNote<M>(rewritten: Rewritten<M>, format: Format, note: string | undefined): Rewritten<M> {
  if (note === undefined) return rewritten;
  const { messages, added } = format.placeNote(rewritten.messages, note) as PlacedNote<M>;
  return { ...rewritten, messages, note: added };
}

/** A copy of the list, without holes; `undefined` where it is no list or can't be read. */
function readList<M>(messages: readonly M[]): readonly M[] | undefined {
  try {
    return Array.isArray(messages) ? Array.from(messages) : undefined;
  } catch {
    return undefined;
  }
}
