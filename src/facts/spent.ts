import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact, CallFacts } from "./calls.ts";
import type { Delta } from "./facts.ts";
import type { FileFacts, FileOperation } from "./files.ts";

/** After how many steps an agent has done with what a call gave it. */
export interface SpentAges {
  readonly results: number;
  /** Of results that show files: an agent comes back to them when it edits. */
  readonly views: number;
  /** A view is not spent while its file was changed within so many steps. */
  readonly edited: number;
  /** A view of so many tokens is spent as soon as its file is changed. */
  readonly large: number;
}

/** The step with which it begins: before it there is nothing to gain. */
const FIRST = 6;

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
    const spent = this.#newSteps(delta).flatMap((now) => [
      ...this.#listDue(now, ages.results).filter(({ use }) => !showsFiles(use)),
      ...this.#listDue(now, ages.views).filter(
        (fact) => showsFiles(fact.use) && !this.#isHeld(fact.use, now, ages) && !this.#isOutdated(fact, ages),
      ),
      ...this.#listReleased(now, ages),
    ]);
    return [...spent, ...this.#listOutdated(delta, ages)];
  }

  /** Calls that have just become so many steps old. */
  listDue(delta: Delta, age: number): readonly CallFact[] {
    return this.#newSteps(delta).flatMap((now) => this.#listDue(now, age));
  }

  /** The newest operations on files that nobody has touched since, so many steps ago. */
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

  /** Views that were only held by a change of their file, `edited` steps ago. */
  #listReleased(now: number, ages: SpentAges): readonly CallFact[] {
    const changed = this.callsOf(now - ages.edited).flatMap(({ use, ok }) =>
      ok ? use.files.flatMap(({ operation, path }) => (operation === "read" ? [] : [path])) : [],
    );
    const views = new Set(
      [...new Set(changed)].flatMap((path) => this.#files.history(path).map(({ fact }) => fact)),
    );
    return [...views].filter(
      (fact) =>
        showsFiles(fact.use) &&
        fact.step + ages.views < now &&
        !this.#isHeld(fact.use, now, ages) &&
        !this.#isOutdated(fact, ages) &&
        this.#isHeldThroughout(fact.use, fact.step + ages.views, now, ages),
    );
  }

  /** Large views of which this step was the first to leave nothing as it was. */
  #listOutdated(delta: Delta, ages: SpentAges): readonly CallFact[] {
    const changes = delta.files.filter(({ touch }) => touch.operation !== "read");
    const views = new Set(
      changes.flatMap(({ touch, fact }) =>
        this.#files.history(touch.path).flatMap(({ fact: older }) => (older.step < fact.step ? older : [])),
      ),
    );
    const first = Math.min(...changes.map(({ fact }) => fact.step));
    return [...views].filter(
      (fact) => showsFiles(fact.use) && this.#isOutdated(fact, ages) && !this.#isOutdated(fact, ages, first),
    );
  }

  /** Large, and each of its files was changed since. */
  #isOutdated(
    { step, result, use }: CallFact,
    { large }: SpentAges,
    before: number = Number.POSITIVE_INFINITY,
  ): boolean {
    if (use.files.length === 0 || (this.#transcript.tokens[result] ?? 0) < large) return false;
    return use.files.every(({ path }) =>
      this.#files
        .history(path)
        .some(({ touch, fact }) => touch.operation !== "read" && fact.step > step && fact.step < before),
    );
  }

  /** The first few steps wait for each other. */
  #listDue(now: number, age: number): readonly CallFact[] {
    const first = now === FIRST ? 1 : Math.max(1, now - age);
    return range(first, now - age).flatMap((step) => this.callsOf(step));
  }

  /** The steps that this boundary began, but for the first few of a session: that is left as it is. */
  #newSteps(delta: Delta): readonly number[] {
    const { step, lastStep } = this.#transcript;
    return range(Math.max(FIRST, (step[delta.from - 1] ?? 0) + 1), lastStep);
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

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function showsFiles({ kind, shows, files }: ToolUse): boolean {
  return (
    kind === "read" ||
    shows === "file" ||
    shows === "git-diff" ||
    files.some(({ operation }) => operation === "read")
  );
}
