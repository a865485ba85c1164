import type { FileTouch, ToolUse } from "../tool-kinds/tool-use.ts";
import type { UndoLog } from "../transcript/undo-log.ts";
import type { CallFact } from "./calls.ts";
import { addInOrder } from "./sorted.ts";

/** One call's effect on one file. */
export interface FileOperation {
  readonly fact: CallFact;
  readonly touch: FileTouch;
}

/** The operations on each file, in order. Failed calls are left out. */
export class FileFacts {
  readonly #byPath = new Map<string, FileOperation[]>();
  readonly #changes = new Map<string, number[]>();
  readonly #views = new Map<string, CallFact[]>();
  readonly #sharedViews = new Map<string, CallFact[]>();
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
  }

  /** Adds completed calls and returns their operations, in order. */
  ingest(completed: readonly CallFact[]): readonly FileOperation[] {
    const delta: FileOperation[] = [];
    for (const fact of completed) {
      if (!fact.ok) continue;
      for (const touch of fact.use.files) {
        const operation: FileOperation = { fact, touch };
        const known = this.#byPath.get(touch.path);
        if (known) this.#undoLog.push(known, operation);
        else this.#undoLog.set(this.#byPath, touch.path, [operation]);
        if (touch.operation !== "read")
          addInOrder(this.#undoLog, this.#changes, touch.path, fact.step, (step) => step);
        delta.push(operation);
      }
      if (showsFiles(fact.use)) this.#addView(fact);
    }
    return delta;
  }

  history(path: string): readonly FileOperation[] {
    return this.#byPath.get(path) ?? [];
  }

  /** The steps that changed the file, in order. */
  changes(path: string): readonly number[] {
    return this.#changes.get(path) ?? [];
  }

  wasModified(path: string): boolean {
    return this.changes(path).length > 0;
  }

  /** The calls that show only this file, in the order of their steps. */
  views(path: string): readonly CallFact[] {
    return this.#views.get(path) ?? [];
  }

  /** The calls that concern this file and others, and show some of them, in the order of their steps. */
  sharedViews(path: string): readonly CallFact[] {
    return this.#sharedViews.get(path) ?? [];
  }

  #addView(fact: CallFact): void {
    const paths = new Set(fact.use.files.map(({ path }) => path));
    const views = paths.size > 1 ? this.#sharedViews : this.#views;
    for (const path of paths) addInOrder(this.#undoLog, views, path, fact, ({ step }) => step);
  }
}

/** Does the call's result show files? */
export function showsFiles({ kind, shows, files }: ToolUse): boolean {
  return (
    kind === "read" ||
    shows === "file" ||
    shows === "git-diff" ||
    files.some(({ operation }) => operation === "read")
  );
}
