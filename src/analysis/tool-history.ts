import type { SessionUse } from "./session-use.ts";

/** How often a tool was called in the newest sessions. */
export interface ToolHistory {
  /** Sessions that called it. */
  readonly sessions: number;
  /** When it was last called, in milliseconds since 1970. */
  readonly last?: number;
}

export interface ToolHistories {
  /** The number of examined sessions, and whether all are of the same project. */
  readonly sessions: number;
  readonly isOfProject: boolean;
  of(tools: readonly string[]): ToolHistory;
}

/** The most sessions to examine, newest first. */
export const MOST_SESSIONS = 50;
/** With fewer, a missing call proves little. */
export const LEAST_SESSIONS = 10;

/** The newest sessions of a project; if there are too few, those of all projects. */
export function listHistories(sessions: readonly SessionUse[], project: string): ToolHistories {
  const newest = sessions.toSorted((a, b) => (b.end ?? 0) - (a.end ?? 0));
  const own = newest.filter((session) => session.project === project);
  const isOfProject = own.length >= LEAST_SESSIONS;
  const chosen = (isOfProject ? own : newest).slice(0, MOST_SESSIONS);
  const byTool = new Map<string, { readonly sessions: Set<SessionUse>; last: number }>();
  for (const session of chosen)
    for (const { name, last = 0 } of session.tools) {
      const found = byTool.get(name) ?? { sessions: new Set(), last: 0 };
      byTool.set(name, found);
      found.sessions.add(session);
      found.last = Math.max(found.last, last);
    }
  return {
    sessions: chosen.length,
    isOfProject,
    of(tools) {
      const found = tools.flatMap((tool) => byTool.get(tool) ?? []);
      const last = found.reduce((newestCall, each) => Math.max(newestCall, each.last), 0);
      const used = new Set(found.flatMap((each) => [...each.sessions]));
      return { sessions: used.size, ...(last > 0 && { last }) };
    },
  };
}
