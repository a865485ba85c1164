import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact, CallFacts } from "./calls.ts";
import type { Delta } from "./facts.ts";
import type { FileFacts } from "./files.ts";

/** After how many steps an agent has done with what a call gave it. */
export interface SpentAges {
  readonly results: number;
  /** Of results that show files: an agent comes back to them when it edits. */
  readonly views: number;
  /** A view is not spent while its file was changed within so many steps. */
  readonly edited: number;
}

/** Which results an agent has done with, each once over a session. */
export class Spent {
  readonly #transcript: Transcript;
  readonly #calls: CallFacts;
  readonly #files: FileFacts;

  constructor(transcript: Transcript, calls: CallFacts, files: FileFacts) {
    this.#transcript = transcript;
    this.#calls = calls;
    this.#files = files;
  }

  /** Those whose time has just come. */
  list(delta: Delta, ages: SpentAges): readonly CallFact[] {
    const { lastStep } = this.#transcript;
    const known = this.#transcript.step[delta.from - 1] ?? 0;
    const spent: CallFact[] = [];
    for (let now = known + 1; now <= lastStep; now++) {
      spent.push(
        ...this.callsOf(now - ages.results).filter(({ use }) => !showsFiles(use)),
        ...this.callsOf(now - ages.views).filter(
          ({ use }) => showsFiles(use) && !this.#isHeld(use, now, ages),
        ),
        ...this.#listReleased(now, ages),
      );
    }
    return spent;
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

  /** Views that were only held by a change of their file, `edited` steps ago. */
  #listReleased(now: number, ages: SpentAges): readonly CallFact[] {
    const changed = this.callsOf(now - ages.edited).flatMap(({ use, ok }) =>
      ok ? use.files.flatMap(({ operation, path }) => (operation === "read" ? [] : [path])) : [],
    );
    const views = new Set(
      [...new Set(changed)].flatMap((path) => this.#files.history(path).map(({ fact }) => fact)),
    );
    return [...views].filter(
      ({ step, use }) =>
        showsFiles(use) &&
        step + ages.views < now &&
        !this.#isHeld(use, now, ages) &&
        this.#isHeldThroughout(use, step + ages.views, now, ages),
    );
  }

  #isHeld(use: ToolUse, now: number, ages: SpentAges): boolean {
    return this.#changes(use).some((step) => step <= now && step > now - ages.edited);
  }

  #isHeldThroughout(use: ToolUse, from: number, to: number, { edited }: SpentAges): boolean {
    let until = from;
    for (const step of this.#changes(use)) if (step <= until) until = Math.max(until, step + edited);
    return until >= to;
  }

  /** The steps that changed any of its files, in order. */
  #changes({ files }: ToolUse): readonly number[] {
    const steps = files.flatMap(({ path }) =>
      this.#files.history(path).flatMap(({ touch, fact }) => (touch.operation === "read" ? [] : [fact.step])),
    );
    return steps.sort((a, b) => a - b);
  }
}

function showsFiles({ kind, shows, files }: ToolUse): boolean {
  return (
    kind === "read" ||
    shows === "file" ||
    shows === "git-diff" ||
    files.some(({ operation }) => operation === "read")
  );
}
