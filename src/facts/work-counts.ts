/**
 * Signs of how an agent's work goes. Some become more frequent when the agent misses something. But an agent does
 * some of each without any pruning, so only a comparison shows the effect of pruning.
 */
export interface WorkCounts {
  readonly requests: number;
  /** Requests that were made because a person had written something. */
  readonly prompts: number;
  readonly edits: number;
  /** Edits that failed because their text is not in the file. */
  readonly missedEdits: number;
  readonly reads: number;
  /** Reads of text that an earlier result shows, with nothing changed since. */
  readonly rereads: number;
  /** Shell commands that neither show a file nor apply a patch. */
  readonly commands: number;
  /** Commands that were run before, with nothing changed since. */
  readonly reruns: number;
  /** Calls that fetch text that Coppice has cut. */
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
