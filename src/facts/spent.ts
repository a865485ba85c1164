import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact, CallFacts } from "./calls.ts";
import type { Delta } from "./facts.ts";
import { type FileFacts, type FileOperation, showsFiles } from "./files.ts";
import type { Rereads } from "./rereads.ts";
import { countUpTo } from "./sorted.ts";

/** After how many steps an agent is done with what a call gave it. */
export interface SpentAges {
  readonly results: number;
  /** For results that show files: an agent comes back to them when it edits. */
  readonly views: number;
  /** The same for small ones. */
  readonly smallViews: number;
  /** A view is not spent if its file was changed within this many steps. */
  readonly edited: number;
  /** A view of this many tokens is spent as soon as its file is changed. */
  readonly large: number;
}

/** It begins with the sixth step, and with the sixth call: before that there is nothing to gain. */
export const FIRST_STEP_AND_CALL = 6;

/** Tokens. Of smaller views little is edited after some steps. */
export const SMALL_VIEW = 800;

/** Which results an agent is done with, each once in a session. */
export class Spent {
  readonly #transcript: Transcript;
  readonly #calls: CallFacts;
  readonly #files: FileFacts;
  readonly #rereads: Rereads;

  constructor(transcript: Transcript, calls: CallFacts, files: FileFacts, rereads: Rereads) {
    this.#transcript = transcript;
    this.#calls = calls;
    this.#files = files;
    this.#rereads = rereads;
  }

  /** The calls whose results are spent since this boundary. */
  list(delta: Delta, ages: SpentAges): readonly CallFact[] {
    const spent: CallFact[] = [];
    for (const now of this.#newSteps(delta)) {
      for (const fact of this.#listDue(now, ages.results)) if (!showsFiles(fact.use)) spent.push(fact);
      this.#addViews(spent, now, ages.views, ages);
      if (ages.smallViews !== ages.views) this.#addViews(spent, now, ages.smallViews, ages);
      for (const fact of this.#listReleased(now, ages)) spent.push(fact);
    }
    for (const fact of this.#listOutdated(delta, ages)) spent.push(fact);
    return spent;
  }

  /** Adds the views that are spent at this age. */
  #addViews(spent: CallFact[], now: number, age: number, ages: SpentAges): void {
    for (const fact of this.#listDue(now, age)) {
      if (!showsFiles(fact.use) || this.#ageOf(fact, ages) !== age) continue;
      if (!this.#isHeld(pathsOf(fact.use), now, ages) && !this.#isOutdated(fact, ages)) spent.push(fact);
    }
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

  /** Views old enough before, which only a change of their file, `edited` steps ago, has kept from being spent. */
  #listReleased(now: number, ages: SpentAges): readonly CallFact[] {
    const changed = this.callsOf(now - ages.edited).flatMap(({ use, ok }) =>
      ok ? use.files.flatMap(({ operation, path }) => (operation === "read" ? [] : [path])) : [],
    );
    if (changed.length === 0) return [];
    const released = [...new Set(changed)].filter((path) => !this.#isHeld([path], now, ages));
    const [least, most] = [Math.min(ages.views, ages.smallViews), Math.max(ages.views, ages.smallViews)];
    const due = now - least - 1;
    const heldSince = rememberByPaths((paths) => this.#heldSince(paths, now, ages));
    const views = new Set(
      released.flatMap((path) => [
        ...takeSteps(this.#files.views(path), heldSince([path]) - most, due),
        ...takeSteps(this.#files.sharedViews(path), 0, due),
      ]),
    );
    return [...views].filter((fact) => {
      const paths = pathsOf(fact.use);
      const age = this.#ageOf(fact, ages);
      return (
        fact.step + age < now &&
        fact.step + age >= heldSince(paths) &&
        !this.#isHeld(paths, now, ages) &&
        !this.#isOutdated(fact, ages)
      );
    });
  }

  /** Where a call only refers to an earlier result, that one's size counts: it is what becomes old with the call. */
  #ageOf(fact: CallFact, { views, smallViews }: SpentAges): number {
    const { result } = this.#rereads.originalOf(fact) ?? fact;
    return (this.#transcript.tokens[result] ?? 0) < SMALL_VIEW ? smallViews : views;
  }

  /** Large views whose files have now all been changed, the last of them at this boundary. */
  #listOutdated(delta: Delta, ages: SpentAges): readonly CallFact[] {
    const newest = new Map<string, number>();
    let first = Number.POSITIVE_INFINITY;
    for (const { touch, fact } of delta.files) {
      if (touch.operation === "read") continue;
      newest.set(touch.path, Math.max(fact.step, newest.get(touch.path) ?? fact.step));
      first = Math.min(first, fact.step);
    }
    if (newest.size === 0) return [];
    // For views older than the file's previous change, this change is not the first.
    const views = new Set(
      [...newest].flatMap(([path, step]) => {
        const from = this.#lastChange(path, first - 1);
        return [this.#files.views(path), this.#files.sharedViews(path)].flatMap((facts) =>
          takeSteps(facts, from, step - 1),
        );
      }),
    );
    return [...views].filter((fact) => this.#isOutdated(fact, ages) && !this.#isOutdated(fact, ages, first));
  }

  /** Is the view large, and was each of its files changed since (before step `before`)? */
  #isOutdated(
    { step, result, use }: CallFact,
    { large }: SpentAges,
    before: number = Number.POSITIVE_INFINITY,
  ): boolean {
    if (use.files.length === 0 || (this.#transcript.tokens[result] ?? 0) < large) return false;
    return use.files.every(({ path }) => {
      const changes = this.#files.changes(path);
      const next = changes[countUpTo(changes, step, stepItself)];
      return next !== undefined && next < before;
    });
  }

  /** The calls that become `age` steps old at step `now`; at `FIRST_STEP` also those that were due before. */
  #listDue(now: number, age: number): readonly CallFact[] {
    const first = now === this.#begin() ? 1 : Math.max(1, now - age);
    if (first === now - age) return this.callsOf(first);
    return range(first, now - age).flatMap((step) => this.callsOf(step));
  }

  /** The steps that this boundary added, from `#begin` on. */
  #newSteps(delta: Delta): readonly number[] {
    const { step, lastStep } = this.#transcript;
    return range(Math.max(this.#begin(), (step[delta.from - 1] ?? 0) + 1), lastStep);
  }

  /** The step with which it begins; a session that is only talked in has none. */
  #begin(): number {
    return Math.max(
      FIRST_STEP_AND_CALL,
      this.#calls.stepOfNth(FIRST_STEP_AND_CALL) ?? Number.POSITIVE_INFINITY,
    );
  }

  #isHeld(paths: readonly string[], now: number, { edited }: SpentAges): boolean {
    return paths.some((path) => this.#lastChange(path, now) > now - edited);
  }

  /** The step since which one of these files has been changed at least every `edited` steps. */
  #heldSince(paths: readonly string[], now: number, { edited }: SpentAges): number {
    let since = now;
    for (;;) {
      const from = since - edited;
      const earliest = paths.reduce((first, path) => Math.min(first, this.#firstChange(path, from)), since);
      if (earliest === since) return since;
      since = earliest;
    }
  }

  /** The last step up to this one that changed a file. */
  #lastChange(path: string, step: number): number {
    const changes = this.#files.changes(path);
    return changes[countUpTo(changes, step, stepItself) - 1] ?? Number.NEGATIVE_INFINITY;
  }

  #firstChange(path: string, step: number): number {
    const changes = this.#files.changes(path);
    return changes[countUpTo(changes, step - 1, stepItself)] ?? Number.POSITIVE_INFINITY;
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function stepItself(step: number): number {
  return step;
}

function pathsOf({ files }: ToolUse): readonly string[] {
  return files.map(({ path }) => path);
}

/** The calls of the steps `from … to`, both included. */
function takeSteps(facts: readonly CallFact[], from: number, to: number): readonly CallFact[] {
  const stepOf = ({ step }: CallFact) => step;
  return facts.slice(countUpTo(facts, from - 1, stepOf), countUpTo(facts, to, stepOf));
}

/** Works a value that depends only on paths out once for each list of paths. */
function rememberByPaths(work: (paths: readonly string[]) => number): (paths: readonly string[]) => number {
  const known = new Map<string, number>();
  return (paths) => {
    const key = paths.join("\u0000");
    const value = known.get(key) ?? work(paths);
    known.set(key, value);
    return value;
  };
}
