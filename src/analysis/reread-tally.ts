import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Day } from "./calendar.ts";
import type { Reread } from "./session-analysis.ts";

/** Only the largest are kept. */
const LISTED = 50;

/** The files that a session read more than once, by the days of repeated reads. */
export class RereadTally {
  readonly #read = new Set<string>();
  readonly #days = new Map<Day | undefined, Map<string, { times: number; tokens: number }>>();

  note({ files }: ToolUse, tokens: number, day: Day | undefined): void {
    const read = files.filter(({ operation }) => operation === "read");
    for (const { path } of read) {
      if (!this.#read.has(path)) {
        this.#read.add(path);
        continue;
      }
      const again = this.#days.get(day) ?? new Map<string, { times: number; tokens: number }>();
      this.#days.set(day, again);
      const known = again.get(path) ?? { times: 0, tokens: 0 };
      again.set(path, known);
      known.times++;
      known.tokens += tokens / read.length;
    }
  }

  list(day: Day | undefined): readonly Reread[] {
    return [...(this.#days.get(day) ?? [])]
      .map(([file, { times, tokens }]) => ({ file, times, tokens: Math.round(tokens) }))
      .sort((a, b) => b.tokens - a.tokens || (a.file < b.file ? -1 : 1))
      .slice(0, LISTED);
  }
}
