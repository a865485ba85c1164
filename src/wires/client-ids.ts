import type { WireRequest } from "./wire.ts";

/** An id that a client sent for what it considers one conversation. */
export interface ClientId {
  /** The header or field that it came in. */
  readonly source: string;
  readonly id: string;
  /** The session that started a subagent. */
  readonly parent?: string;
  /** An agent and its subagents send the same id. */
  readonly isShared: boolean;
}

/** Names are in lower case, as in Node. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The ids of a request, the most trusted first. They only narrow the search for a conversation: its messages
 * identify it.
 */
export function readIds(headers: Headers, request?: WireRequest): readonly ClientId[] {
  const ids: ClientId[] = [];
  const add = (source: string, id: string | undefined, parent?: string): void => {
    if (id !== undefined) ids.push({ source, id, isShared: false, ...(parent !== undefined && { parent }) });
  };
  add("thread-id", readHeader(headers, "thread-id"));
  add("x-session-id", readHeader(headers, "x-session-id"), readHeader(headers, "x-parent-session-id"));
  const session = readHeader(headers, "x-claude-code-session-id");
  const agent = readHeader(headers, "x-claude-code-agent-id");
  if (session !== undefined && agent !== undefined)
    add("x-claude-code-session-id", `${session}/${agent}`, session);
  else add("x-claude-code-session-id", session);
  add("session_id", readHeader(headers, "session_id"));
  if (request?.cacheKey !== undefined)
    ids.push({ source: "cache key", id: request.cacheKey, isShared: true });
  return ids;
}

function readHeader(headers: Headers, name: string): string | undefined {
  const header = Object.hasOwn(headers, name) ? headers[name] : undefined;
  const value = typeof header === "string" ? header : header?.[0];
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

/**
 * Is it the client's own question (a title, a topic, a quota, a compaction)? Such requests have no tools, or
 * identify themselves. Nothing new is cut for them.
 */
export function isOwnQuestion({
  hasTools,
  isCompaction,
}: Pick<WireRequest, "hasTools" | "isCompaction">): boolean {
  return !hasTools || isCompaction;
}
