import { isHeavyJson } from "../../basics/heavy-json.ts";
import { markMessage } from "../../wires/cache-marks.ts";
import { type ClientId, findWire, type Headers, readIds } from "../../wires/index.ts";
import type { Wire, WireRequest } from "../../wires/wire.ts";
import type { ConversationRequest, Conversations, Turn } from "./conversations.ts";
import { isTool } from "./find-caller.ts";

/** A request over HTTP, its body as text. */
export interface HttpRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A request to a model that was pruned. */
export interface PrunedBody {
  readonly wire: Wire;
  readonly request: WireRequest;
  /** What the client calls the conversation, the most trusted first. */
  readonly ids: readonly ClientId[];
  /** Names the session that an agent, its subagents and its questions on the side have in common; else the conversation. */
  readonly group: string;
  readonly turn: Turn<unknown>;
  /** What to send: the very same text where nothing was cut. */
  readonly body: string;
}

/**
 * Prunes the body of a request to a model, unless it is held out and only watched; `undefined` for what is none, can't be read, would take long to read, or has its history
 * on the server: that goes out as it came.
 */
export async function pruneBody(
  conversations: Conversations,
  { method, path, headers, body }: HttpRequest,
  isHeldOut: (group: string) => boolean = () => false,
): Promise<PrunedBody | undefined> {
  const wire = findWire(method, path);
  const request = isHeavyJson(body) ? undefined : wire?.read(body, path);
  if (!wire || !request || request.messages.length > MOST_MESSAGES) return undefined;
  if (request.historyOnServer !== undefined) {
    conversations.leaveAlone(request.historyOnServer);
    return undefined;
  }
  const ids = readIds(headers, request);
  const [first] = ids;
  const group = first && (first.parent ?? first.id);
  const turn = await prune(conversations, wire, request, {
    ...(first && { session: first.id }),
    standingOf: (root) => (isHeldOut(group ?? root) ? "shadow" : undefined),
  });
  return {
    wire,
    request,
    ids,
    group: group ?? turn.root,
    turn,
    body: wire.write(request, setMark(turn, request), turn.sources) ?? body,
  };
}

/** The messages with the mark that Coppice wants, if any. */
function setMark({ messages, sources, report }: Turn<unknown>, { caching }: WireRequest): readonly unknown[] {
  const at = report.mark === undefined ? -1 : sources.lastIndexOf(report.mark);
  const marked = at < 0 ? undefined : markMessage(messages[at], caching.ttl);
  return marked === undefined ? messages : messages.with(at, marked);
}

function prune(
  conversations: Conversations,
  { name }: Wire,
  request: WireRequest,
  told: Pick<ConversationRequest, "session" | "standingOf">,
): Promise<Turn<unknown>> {
  const { format, messages, model, prefixTokens, caching, clears, hasTools, isCompaction, toolNames } =
    request;
  // An agent that has it has the others too.
  const agentTools = toolNames.some((each) => isTool(each, "context_info"));
  return conversations.prune(messages, {
    format,
    // Our own tools are counted apart, as what Coppice costs.
    prefixTokens: Math.max(0, prefixTokens - (agentTools ? conversations.overheadTokens : 0)),
    hasTools: hasTools || name === "anthropic-count-tokens",
    agentTools,
    ...(isCompaction && { quiet: true }),
    ...told,
    ...(model !== undefined && { model }),
    ...caching,
    ...(clears && { clears }),
  });
}

/** No conversation has as many; a body of a few megabytes could have a million, and everybody else would wait. */
const MOST_MESSAGES = 50_000;
