import { chooseLean } from "../../src/analysis/choose-lean.ts";
import type { SessionUse } from "../../src/analysis/session-use.ts";
import { listHistories, MOST_SESSIONS } from "../../src/analysis/tool-history.ts";
import { type InventoryItem, sumLoaded } from "../../src/prefix/inventory.ts";

/** A recorded session, as far as a lean prefix concerns it. Plain data. */
export interface LeanSession {
  readonly use: SessionUse;
  /** Of its first request, in milliseconds since 1970. */
  readonly start?: number;
  /** The whole bill in US dollars. */
  readonly paid: number;
  readonly requests: readonly LeanRequest[];
}

export interface LeanRequest {
  /** Tokens that the cache had, as the provider counts them. */
  readonly cached: number;
  /** What the provider counts for one token of a definition. */
  readonly scale: number;
  /** US dollars for a token that the cache has, and for one that is new. */
  readonly read: number;
  readonly write: number;
}

/** What `--lean` would have done with a session. */
export interface LeanOutcome {
  readonly session: LeanSession;
  /** The tools that would have been left out. */
  readonly left: readonly string[];
  /** Tokens of their definitions. */
  readonly tokens: number;
  /** In US dollars. */
  readonly saved: number;
  /** Those of `left` that the session called. */
  readonly regrets: readonly string[];
}

export interface LeanRules {
  /** The project that the sessions are of. */
  readonly project: string;
  /** What the client sends before the first message. */
  readonly items: readonly InventoryItem[];
  /** Tools that stay, whatever was used. */
  isKept(tool: string): boolean;
}

/**
 * Plays `--lean` over the sessions of one project, in the order in which they began. For each one, only sessions that had
 * ended before it began count. Nothing is left out of a session without times.
 */
export function playLean(
  sessions: readonly LeanSession[],
  { project, items, isKept }: LeanRules,
): readonly LeanOutcome[] {
  const ended = sessions
    .map(({ use }) => use)
    .filter(({ end }) => end !== undefined)
    .sort((a, b) => endOf(a) - endOf(b));
  let before = 0;
  return sessions
    .toSorted((a, b) => startOf(a) - startOf(b))
    .map((session) => {
      for (let next = ended[before]; next && endOf(next) < startOf(session); next = ended[before]) before++;
      // No more than count: to look at all of them each time would be quadratic.
      const newest = ended.slice(Math.max(0, before - MOST_SESSIONS), before);
      const left = chooseLean(items, { histories: listHistories(newest, project), isKept });
      const names = left.map(({ name }) => name);
      const called = new Set(session.use.tools.map(({ name }) => name));
      const tokens = sumLoaded(left);
      return {
        session,
        left: names,
        tokens,
        saved: session.requests.reduce((sum, request) => sum + priceTokens(tokens, request), 0),
        regrets: names.filter((name) => called.has(name)),
      };
    });
}

/** Definitions stand at the very beginning of a request, so what the cache had begins with them. */
function priceTokens(tokens: number, { cached, scale, read, write }: LeanRequest): number {
  const counted = tokens * scale;
  const warm = Math.min(counted, cached);
  return warm * read + (counted - warm) * write;
}

function endOf({ end = 0 }: SessionUse): number {
  return end;
}

function startOf({ start = 0 }: LeanSession): number {
  return start;
}
