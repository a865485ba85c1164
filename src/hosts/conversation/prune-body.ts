import { isHeavyJson } from "../../basics/heavy-json.ts";
import { markMessage } from "../../wires/cache-marks.ts";
import { dropTools, listDroppable } from "../../wires/drop-tools.ts";
import { type ClientId, findWire, type Headers, readIds } from "../../wires/index.ts";
import type { Wire, WireRequest } from "../../wires/wire.ts";
import type { ConversationRequest, Conversations, PrunedRequest } from "./conversations.ts";
import { isTool } from "./find-caller.ts";

/** An HTTP request, with its body as text. */
export interface HttpRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A request to a model that was pruned. */
export interface PrunedBody {
  readonly wire: Wire;
  readonly request: WireRequest;
  /** The client's ids for the conversation, the most trusted first. */
  readonly ids: readonly ClientId[];
  /**
   * Identifies the session that an agent shares with its subagents and side questions; by default, the
   * conversation.
   */
  readonly group: string;
  readonly turn: PrunedRequest<unknown>;
  /** The body to send: the very same text if nothing was cut. */
  readonly body: string;
  /** Does it differ from the original? */
  readonly isChanged: boolean;
  /** Were tools left out that the configuration names? */
  readonly leavesOutTools: boolean;
}

/**
 * Prunes the body of a request to a model, or only watches it if it is held out. Returns `undefined` if the body is
 * not such a request, can't be read, would take long to read, or has its history on the server: such requests are
 * sent unchanged.
 */
export async function pruneBody(
  conversations: Conversations,
  { method, path, headers, body }: HttpRequest,
  isHeldOut: (group: string) => boolean = () => false,
): Promise<PrunedBody | undefined> {
  const wire = findWire(method, path);
  const wireRequest = isHeavyJson(body) ? undefined : wire?.read(body, path);
  if (!wire || !wireRequest || wireRequest.messages.length > MOST_MESSAGES) return undefined;
  if (wireRequest.historyOnServer !== undefined) {
    conversations.leaveAlone(wireRequest.historyOnServer);
    return undefined;
  }
  const ids = readIds(headers, wireRequest);
  const [first] = ids;
  const group = first && (first.parent ?? first.id);
  const terms: SessionTerms = {
    ...(first && { session: first.id }),
    statusOf: (root) => (isHeldOut(group ?? root) ? "shadow" : undefined),
  };
  const request = await leaveOutTools(conversations, wire, wireRequest, path, terms);
  const turn = await prune(conversations, wire, request, terms);
  const written = wire.write(request, setMark(turn, request), turn.sources) ?? request.body;
  return {
    wire,
    request,
    ids,
    group: group ?? turn.root,
    turn,
    body: written,
    isChanged: written !== body,
    leavesOutTools: request !== wireRequest,
  };
}

/** The messages with the mark that Coppice wants, if any. */
function setMark(
  { messages, sources, report }: PrunedRequest<unknown>,
  { caching }: WireRequest,
): readonly unknown[] {
  const at = report.mark === undefined ? -1 : sources.lastIndexOf(report.mark);
  const marked = at < 0 ? undefined : markMessage(messages[at], caching.ttl);
  return marked === undefined ? messages : messages.with(at, marked);
}

type SessionTerms = Pick<ConversationRequest, "session" | "statusOf">;

/** The request without the tools that the configuration names, if this conversation began without them. */
async function leaveOutTools(
  conversations: Conversations,
  wire: Wire,
  wireRequest: WireRequest,
  path: string,
  terms: SessionTerms,
): Promise<WireRequest> {
  const { messages, format, body } = wireRequest;
  const query = { format, agentTools: hasAgentTools(wireRequest), ...terms };
  const names = await conversations.chooseDrops(messages, query, () => listDroppable(body));
  if (names.length === 0) return wireRequest;
  return wire.read(dropTools(body, new Set(names)), path) ?? wireRequest;
}

/** An agent that has one of our tools has all of them. */
function hasAgentTools({ toolNames }: WireRequest): boolean {
  return toolNames.some((each) => isTool(each, "context_info"));
}

function prune(
  conversations: Conversations,
  { name }: Wire,
  request: WireRequest,
  terms: SessionTerms,
): Promise<PrunedRequest<unknown>> {
  const { format, messages, model, prefixTokens, caching, clears, hasTools, isCompaction } = request;
  const agentTools = hasAgentTools(request);
  return conversations.prune(messages, {
    format,
    // Our own tools are counted separately, as the cost of Coppice.
    prefixTokens: Math.max(0, prefixTokens - (agentTools ? conversations.overheadTokens : 0)),
    hasTools: hasTools || name === "anthropic-count-tokens",
    agentTools,
    ...(isCompaction && { quiet: true }),
    ...terms,
    ...(model !== undefined && { model }),
    ...caching,
    ...(clears && { clears }),
  });
}

/**
 * No real conversation has this many. A body of a few megabytes could have a million, and would hold up all others.
 */
const MOST_MESSAGES = 50_000;
