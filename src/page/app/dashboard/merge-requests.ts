import type { LiveRequest } from "../../dashboard-data.ts";

/**
 * The requests of a session with new and changed ones, in order. A requested list may arrive after a newer event:
 * an answered request stays answered.
 */
export function mergeRequests(
  known: readonly LiveRequest[],
  changed: readonly LiveRequest[],
): readonly LiveRequest[] {
  if (changed.length === 0) return known;
  const byNumber = new Map(known.map((request) => [request.number, request]));
  for (const request of changed)
    if (request.state !== "sent" || !byNumber.has(request.number)) byNumber.set(request.number, request);
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}
