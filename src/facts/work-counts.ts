/**
 * What can be seen of how an agent's work goes. Of some it does more when it misses something: but it does some of each
 * without any pruning, so only a comparison says what pruning does.
 */
export interface WorkCounts {
  readonly requests: number;
  /** Requests that were made because a person had written something. */
  readonly prompts: number;
  readonly edits: number;
  /** Edits that failed because the text that they look for is not in the file. */
  readonly missedEdits: number;
  readonly reads: number;
  /** Reads of what an earlier result shows, and nothing has changed since. */
  readonly rereads: number;
  /** Shell commands that neither show a file nor apply a patch. */
  readonly commands: number;
  /** Commands that were run before, with nothing changed since. */
  readonly reruns: number;
  /** Calls that fetch a text that Coppice has cut. */
  readonly recalls: number;
}

export const NO_WORK: WorkCounts = {
  ...{ requests: 0, prompts: 0, edits: 0, missedEdits: 0, reads: 0 },
  ...{ rereads: 0, commands: 0, reruns: 0, recalls: 0 },
};

export const WORK_FIELDS: readonly (keyof WorkCounts)[] = Object.keys(NO_WORK) as (keyof WorkCounts)[];

export function addWork(all: Iterable<WorkCounts>): WorkCounts {
  const sum: { -readonly [K in keyof WorkCounts]: number } = { ...NO_WORK };
  for (const counts of all) for (const field of WORK_FIELDS) sum[field] += counts[field];
  return sum;
}
