import { countKnown, refsIn } from "../../answers/count-known.ts";
import type { KnownConversation } from "../../fold/known-conversations.ts";
import type { Pruner } from "../../pruner.ts";
import { createToolKinds } from "../../tool-kinds/tool-kinds.ts";

/** A call of one of our tools from a client that runs them outside of the conversation, as over MCP. */
export interface OutsideCall {
  /** Our name for it. */
  readonly tool: string;
  readonly input: unknown;
  /** What the client says of it. */
  readonly callId?: string;
  readonly session?: string;
}

/** In which conversations a call may have been made. */
export interface Callers {
  /** Of those with the same root only the newest; the newest first. */
  readonly conversations: readonly KnownConversation[];
  /** The client said it, or there is no other reading of what it has sent. */
  readonly isSure: boolean;
}

/**
 * Finds the conversation that a tool is called in, by the first of these that tells:
 *
 *   the call's id, which its answer had · the client's name for the conversation · the newest answer has such a call and the
 *   next request has not come · what the call names (refs, passages) is there
 *
 * Forks share a root, and refs with it: of them the one that was used last is meant.
 */
export function findCallers({ tool, input, callId, session }: OutsideCall, pruner: Pruner): Callers {
  const made = callId === undefined ? undefined : pruner.conversationOf(callId);
  if (made) return { conversations: [made], isSure: true };
  const all = pruner.conversations();
  if (session !== undefined)
    return { conversations: all.filter((each) => each.session === session).slice(0, 1), isSure: true };

  const roots = refsIn(input).flatMap(({ root }) => root ?? []);
  const named = all.filter(({ root }) => roots.every((each) => root.startsWith(each)));
  const calling = named.filter(({ openTools }) => openTools.some((name) => isTool(name, tool)));
  const likely = newestOfEachRoot(calling.length > 0 ? calling : named);
  if (likely.length <= 1) {
    // A call that is not known may be of a conversation from before a restart.
    const isOnly = all.length === 1 && callId === undefined;
    return { conversations: likely, isSure: calling.length > 0 || isOnly };
  }
  const known = likely.map((conversation) => ({ conversation, count: countKnown(input, conversation.view) }));
  const most = Math.max(...known.map(({ count }) => count));
  const conversations = known.flatMap(({ conversation, count }) => (count === most ? [conversation] : []));
  return { conversations: most > 0 ? conversations : conversations.slice(0, 1), isSure: most > 0 };
}

/** Is it this tool of ours? Clients put the name of our server before it. */
export function isTool(name: string, tool: string): boolean {
  const use = TOOL_KINDS.describe(name, {});
  return use.kind === "context" && use.name === tool && use.server === undefined;
}

const TOOL_KINDS = createToolKinds();

function newestOfEachRoot(conversations: readonly KnownConversation[]): readonly KnownConversation[] {
  const roots = new Set<string>();
  return conversations.filter(({ root }) => !roots.has(root) && roots.add(root));
}
