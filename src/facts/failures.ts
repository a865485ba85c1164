import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import type { Delta } from "./facts.ts";

/** Failed calls, by the step that made them. */
export class Failures {
  readonly #ofStep = new Map<number, CallFact[]>();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(completed: readonly CallFact[]): void {
    const { undoLog } = this.#transcript;
    for (const fact of completed) {
      if (fact.ok) continue;
      const known = this.#ofStep.get(fact.step);
      if (known) undoLog.push(known, fact);
      else undoLog.set(this.#ofStep, fact.step, [fact]);
    }
  }

  /**
   * The failed calls that became older than `age` steps at this request, each once in a session. The request may
   * have added many steps at once (after a host's compaction), or results of calls that were already old.
   */
  grownOld({ from, completed }: Pick<Delta, "from" | "completed">, age: number): readonly CallFact[] {
    const { step, lastStep } = this.#transcript;
    const known = Math.max(0, (step[from - 1] ?? 0) - age);
    const grown = completed.filter((fact) => !fact.ok && fact.step < known);
    for (let old = known; old < lastStep - age; old++)
      for (const fact of this.#ofStep.get(old) ?? []) grown.push(fact);
    return grown;
  }
}
