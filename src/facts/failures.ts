import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import type { Delta } from "./facts.ts";

/** Failed calls, by the step that made them. */
export class Failures {
  readonly #ofStep = new Map<number, readonly CallFact[]>();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(completed: readonly CallFact[]): void {
    for (const fact of completed) {
      if (fact.ok) continue;
      this.#transcript.journal.set(this.#ofStep, fact.step, [...this.#at(fact.step), fact]);
    }
  }

  /**
   * The failed calls that this boundary made older than `age` steps, each once over a session: those of as many steps
   * as the boundary added (a host's compaction brings many at once), and those that it answered too late.
   */
  grownOld({ from, completed }: Pick<Delta, "from" | "completed">, age: number): readonly CallFact[] {
    const { step, lastStep } = this.#transcript;
    const known = Math.max(0, (step[from - 1] ?? 0) - age);
    const late = completed.filter((fact) => !fact.ok && fact.step < known);
    const grown: CallFact[] = [];
    for (let old = known; old < lastStep - age; old++) grown.push(...this.#at(old));
    return [...late, ...grown];
  }

  #at(step: number): readonly CallFact[] {
    return this.#ofStep.get(step) ?? [];
  }
}
