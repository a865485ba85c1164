import { addWork, type WorkCounts } from "../facts/work-counts.ts";

/** How the work went in several sessions together. */
export interface SessionsWork {
  readonly sessions: number;
  readonly counts: WorkCounts;
}

/** Sessions in which Coppice has cut something, and the others. */
export interface SplitWork {
  readonly pruned: SessionsWork;
  readonly unpruned: SessionsWork;
}

/** Sessions without any counts are left out. */
export function splitWork<T extends { readonly work: WorkCounts }>(
  sessions: readonly T[],
  isPruned: (session: T) => boolean,
): SplitWork {
  const counted = sessions.filter(({ work }) => work.requests > 0);
  return {
    pruned: sum(counted.filter(isPruned)),
    unpruned: sum(counted.filter((session) => !isPruned(session))),
  };
}

function sum(sessions: readonly { readonly work: WorkCounts }[]): SessionsWork {
  return { sessions: sessions.length, counts: addWork(sessions.map(({ work }) => work)) };
}
