import type { FileTouch } from "../tool-kinds/tool-use.ts";
import type { Journal } from "../transcript/journal.ts";
import type { CallFact } from "./calls.ts";

/** One call's effect on one file. */
export interface FileOperation {
  readonly fact: CallFact;
  readonly touch: FileTouch;
}

/** What was done to each file, in order. Failed calls did nothing. */
export class FileFacts {
  readonly #byPath = new Map<string, FileOperation[]>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Gives the new operations, in order. */
  ingest(completed: readonly CallFact[]): readonly FileOperation[] {
    const delta: FileOperation[] = [];
    for (const fact of completed) {
      if (!fact.ok) continue;
      for (const touch of fact.use.files) {
        const operation: FileOperation = { fact, touch };
        const known = this.#byPath.get(touch.path);
        if (known) this.#journal.push(known, operation);
        else this.#journal.set(this.#byPath, touch.path, [operation]);
        delta.push(operation);
      }
    }
    return delta;
  }

  history(path: string): readonly FileOperation[] {
    return this.#byPath.get(path) ?? [];
  }

  wasModified(path: string): boolean {
    return this.history(path).some(({ touch }) => touch.operation !== "read");
  }
}
