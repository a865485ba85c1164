import { type AgentView, makeAgentView } from "../agent/agent-view.ts";
import type { Issue } from "../basics/issue.ts";
import type { Format } from "../formats/format.ts";
import { decodeMessages } from "../formats/intake/decode.ts";
import { requestEnds } from "../formats/intake/request-ends.ts";
import { hashPrefixes } from "../transcript/hash-prefixes.ts";
import type { Usage } from "../transcript/message.ts";
import { advanceOver, hashKnown, listRequests } from "./advance-over.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import { Fold } from "./fold.ts";
import { Folds, type HostMessages, openList } from "./folds.ts";
import type { Policy } from "./policy.ts";
import { isUsage, type PruneRequest } from "./prune-request.ts";
import { RequestMemory, type RequestRow } from "./request-memory.ts";
import type { PruneArguments } from "./terms.ts";

/** The response to a request. */
export interface AnsweredRequest {
  /** `report.key` of the request. */
  readonly request: string;
  readonly usage?: Usage;
  /** The model that answered. */
  readonly model?: string;
  /** Ids of the calls in the response. */
  readonly calls?: readonly string[];
  /** Names of the tools that it calls. */
  readonly calledTools?: readonly string[];
}

/** A conversation that is in memory. */
export interface KnownConversation {
  /** As in `OpenedRequest`. */
  readonly root: string;
  readonly session: string;
  /** Names of the tools that its newest response calls and that have not returned yet. */
  readonly openTools: readonly string[];
  readonly view: AgentView;
}

/** Selects a conversation: the one that a call belongs to, or else the newest of a session. */
export type ConversationChoice = string | { readonly session?: string; readonly callId?: string };

/** A request whose conversation has been found. */
export interface FoundConversation<M = unknown> {
  readonly fold: Fold;
  readonly list: HostMessages<M>;
  readonly args: PruneArguments;
}

/** The conversations in memory, the terms of their requests, and the calls in their responses. */
export class KnownConversations {
  readonly #policy: Policy;
  readonly #folds: Folds;
  readonly #memory = new RequestMemory();
  readonly #calls = new AnsweredCalls();

  constructor(policy: Policy) {
    this.#policy = policy;
    this.#folds = new Folds(policy.keepBytes);
  }

  /** Decodes the messages, and finds the conversation that they continue, or begins one. */
  find<M>(messages: readonly M[], format: Format, request: PruneRequest): FoundConversation<M> {
    const policy = this.#policy;
    const { textProtocols } = policy;
    const list = openList(messages, format, request, textProtocols);
    const likely = this.#folds.guess(list);
    const decoded = decodeMessages(format, messages, request.meta, likely?.messages, textProtocols);
    const keys = hashKnown(likely, decoded);
    const fold = this.#folds.choose(list, keys) ?? new Fold(policy);
    const model = request.model ?? decoded.findLast((message) => message.model !== undefined)?.model;
    // `meta` is in the decoded messages.
    const { meta: _, ...terms } = request;
    return { fold, list, args: { messages: decoded, keys, request: terms, policy, model } };
  }

  /** Advances over the new requests. Returns the fold, which may be a new one, and the issues with their terms. */
  advance({ fold: known, list, args }: FoundConversation): {
    readonly fold: Fold;
    readonly issues: readonly Issue[];
  } {
    const { fold, issues } = advanceOver(known, args, this.#memory);
    if (fold !== known) this.forget(known);
    for (const gone of this.#folds.use(fold, list)) this.#calls.forget(gone);
    this.#calls.expect({ key: fold.prefixes.at(-1) ?? "", fold, args });
    return { fold, issues };
  }

  forget(fold: Fold): void {
    this.#folds.remove(fold);
    this.#calls.forget(fold);
  }

  /** Keys of the requests that the fold has not seen and whose terms are unknown. */
  listMissing({ fold, args }: FoundConversation): readonly string[] {
    try {
      const { keys } = args;
      const { ends, shared } = listRequests(fold, args, this.#memory);
      // A client's own question may follow the input of an earlier request.
      const inside = args.request.quiet ? keys.slice((ends.at(-2) ?? 0) + 1, ends.at(-1)) : [];
      // Looks up assumed terms again, because the journal may have been unavailable.
      const assumed = fold.advances.slice(0, shared).filter(({ input }) => input.isAssumed);
      const wanted = [...assumed.map(({ messages }) => messages), ...ends.slice(shared)];
      return [...wanted.flatMap((end) => keys[end] ?? []), ...inside].filter((key) => !this.#memory.get(key));
    } catch {
      // `prune` reports the problem.
      return [];
    }
  }

  findRoot({ fold, args }: FoundConversation): string {
    if (fold.advances.length > 0) return rootOf(fold);
    const end = requestEnds(args.messages, args.request.carried)[0] ?? 0;
    return hashPrefixes(args.messages.slice(0, end)).at(-1) ?? "";
  }

  learn(rows: readonly RequestRow[]): void {
    this.#memory.learn(rows);
  }

  answered({ request, usage, model, calls = [], calledTools = [] }: AnsweredRequest): void {
    const answeredBy = model === undefined ? {} : { answeredBy: model };
    this.#memory.answered(request, { ...(isUsage(usage) && { usage }), ...answeredBy });
    this.#calls.note(request, calls, calledTools);
  }

  agentView(of: ConversationChoice): AgentView | undefined {
    const { session = "", callId } = typeof of === "string" ? { session: of } : of;
    const fold = (callId === undefined ? undefined : this.#foldOfCall(callId)) ?? this.#folds.newest(session);
    return fold && this.#viewOf(fold);
  }

  /** Newest first. */
  list(): readonly KnownConversation[] {
    return this.#folds.list().flatMap(({ fold, session }) => this.#describe(fold, session) ?? []);
  }

  ofCall(callId: string): KnownConversation | undefined {
    const fold = this.#foldOfCall(callId);
    return fold && this.#describe(fold, this.#calls.find(callId)?.args.request.session ?? "");
  }

  #describe(fold: Fold, session: string): KnownConversation | undefined {
    const view = this.#viewOf(fold);
    return view && { root: rootOf(fold), session, openTools: this.#calls.openTools(fold), view };
  }

  #viewOf(fold: Fold): AgentView | undefined {
    const last = fold.advances.at(-1);
    return last && makeAgentView(fold, this.#policy, { ...last, profile: last.input.profile });
  }

  /** The fold as of the request whose response had the call. If the fold has gone on, that request is folded again. */
  #foldOfCall(callId: string): Fold | undefined {
    const request = this.#calls.find(callId);
    if (!request) return undefined;
    const { fold, args, key } = request;
    if (fold.prefixes.at(-1) === key) return fold;
    return advanceOver(new Fold(this.#policy), args, this.#memory).fold;
  }
}

/** The name of a conversation, which stays the same while it grows. */
function rootOf({ advances, prefixes }: Fold): string {
  return prefixes[advances[0]?.messages ?? 0] ?? "";
}
