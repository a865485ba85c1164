import { countKnown, refsIn } from "../../answers/count-known.ts";
import type { KnownConversation } from "../../fold/known-conversations.ts";
import type { Pruner } from "../../pruner.ts";
import { createToolKinds } from "../../tool-kinds/tool-kinds.ts";

/** A call of one of our tools by a client that runs tools outside of the conversation, as over MCP. */
export interface OutsideCall {
  /** Our name for the tool. */
  readonly tool: string;
  readonly input: unknown;
  /** The ids that the client gives. */
  readonly callId?: string;
  readonly session?: string;
}

/** The conversations in which a call may have been made. */
export interface Callers {
  /** Only the newest of each root; the newest first. */
  readonly conversations: readonly KnownConversation[];
  /** True if the client named the conversation, or if only one matches. */
  readonly isSure: boolean;
}

/**
 * Finds the conversation that a tool is called in. The first of these that is known decides:
 *
 *   the call's id, which its answer had · the client's name for the conversation · the newest answer has such a call and the
 *   next request has not come · what the call names (refs, passages) is there
 *
 * Forks share a root, and therefore refs: the newest of them is used.
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
    // An unknown call id may belong to a conversation from before a restart.
    const isOnly = all.length === 1 && callId === undefined;
    return { conversations: likely, isSure: calling.length > 0 || isOnly };
  }
  const known = likely.map((conversation) => ({ conversation, count: countKnown(input, conversation.view) }));
  const most = Math.max(...known.map(({ count }) => count));
  const conversations = known.flatMap(({ conversation, count }) => (count === most ? [conversation] : []));
  return { conversations: most > 0 ? conversations : conversations.slice(0, 1), isSure: most > 0 };
}

/** Is it our tool of this name? Clients put our server's name before it. */
export function isTool(name: string, tool: string): boolean {
  const use = TOOL_KINDS.describe(name, {});
  return use.kind === "context" && use.name === tool && use.server === undefined;
}

const TOOL_KINDS = createToolKinds();

function newestOfEachRoot(conversations: readonly KnownConversation[]): readonly KnownConversation[] {
  const roots = new Set<string>();
  return conversations.filter(({ root }) => !roots.has(root) && roots.add(root));
}
