import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact, CallFacts } from "./calls.ts";
import type { Delta } from "./facts.ts";
import { type FileFacts, type FileOperation, showsFiles } from "./files.ts";

/** The number of steps after which results may shrink. */
export interface SpentAges {
  readonly results: number;
  /** For results that show files; `null`: the chance that their lines are edited again decides. */
  readonly views: number | null;
}

/** Starts with the sixth step and the sixth call: before that, nothing is gained. */
export const FIRST_STEP_AND_CALL = 6;

/** In steps. A younger view is hardly ever worth a cut. */
const YOUNGEST_VIEW = 3;

/** Results that an agent no longer needs, each once in a session. */
export class Spent {
  readonly #transcript: Transcript;
  readonly #calls: CallFacts;
  readonly #files: FileFacts;

  constructor(transcript: Transcript, calls: CallFacts, files: FileFacts) {
    this.#transcript = transcript;
    this.#calls = calls;
    this.#files = files;
  }

  /** The calls whose results became unneeded at this request. */
  list(delta: Delta, ages: SpentAges): readonly CallFact[] {
    const spent: CallFact[] = [];
    for (const now of this.#newSteps(delta)) {
      for (const fact of this.#listDue(now, ages.results)) if (!showsFiles(fact.use)) spent.push(fact);
      for (const fact of this.#listDue(now, ages.views ?? YOUNGEST_VIEW))
        if (showsFiles(fact.use)) spent.push(fact);
    }
    return spent;
  }

  /** Calls that have just become `age` steps old. */
  listDue(delta: Delta, age: number): readonly CallFact[] {
    return this.#newSteps(delta).flatMap((now) => this.#listDue(now, age));
  }

  /** The newest operation on each file that was last touched exactly `steps` steps ago. */
  listRested(delta: Delta, steps: number): readonly FileOperation[] {
    const rested = new Set<FileOperation>();
    for (const now of this.#newSteps(delta)) {
      for (const { use } of this.callsOf(now - steps)) {
        for (const { path } of use.files) {
          const newest = this.#files.history(path).at(-1);
          if (newest?.fact.step === now - steps) rested.add(newest);
        }
      }
    }
    return [...rested];
  }

  /** The answered calls of a step. */
  callsOf(step: number): readonly CallFact[] {
    const [from, to] = step < 1 ? [0, 0] : this.#transcript.stepRange(step);
    const facts: CallFact[] = [];
    for (let i = from; i < to; i++) {
      const fact = this.#calls.of(i);
      if (fact?.call === i) facts.push(fact);
    }
    return facts;
  }

  /** The calls that become `age` steps old at step `now`; at `FIRST_STEP`, also the earlier ones. */
  #listDue(now: number, age: number): readonly CallFact[] {
    const first = now === this.#begin() ? 1 : Math.max(1, now - age);
    if (first === now - age) return this.callsOf(first);
    return range(first, now - age).flatMap((step) => this.callsOf(step));
  }

  /** The steps that this request added, from `#begin` on. */
  #newSteps(delta: Delta): readonly number[] {
    const { step, lastStep } = this.#transcript;
    return range(Math.max(this.#begin(), (step[delta.from - 1] ?? 0) + 1), lastStep);
  }

  /** The step at which it starts; a session without calls has none. */
  #begin(): number {
    return Math.max(
      FIRST_STEP_AND_CALL,
      this.#calls.stepOfNth(FIRST_STEP_AND_CALL) ?? Number.POSITIVE_INFINITY,
    );
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
