import { coversRange } from "../tool-kinds/line-range.ts";
import type { UndoLog } from "../transcript/undo-log.ts";
import type { CallFact } from "./calls.ts";
import type { FileOperation } from "./files.ts";

/** Which earlier operations on a file an operation makes stale. */
export interface FileRule {
  /** Does it make all of them stale? */
  replacesAll(newer: FileOperation): boolean;
  /** If not: does it make views stale whose lines it covers? And operations that are not views? */
  replacesViews(newer: FileOperation): boolean;
  replacesOthers(newer: FileOperation): boolean;
}

/** The operations on files that no later step has made stale, under one rule. Each becomes stale once. */
export class CurrentOperations {
  readonly #views = new Map<string, FileOperation[]>();
  readonly #others = new Map<string, FileOperation[]>();
  /** How many operations of a call are current. */
  readonly #left = new Map<CallFact, number>();
  readonly #madeStale = new Map<FileOperation, readonly FileOperation[]>();
  readonly #undoLog: UndoLog;
  readonly #rule: FileRule;

  constructor(undoLog: UndoLog, rule: FileRule) {
    this.#undoLog = undoLog;
    this.#rule = rule;
  }

  ingest(operations: readonly FileOperation[]): void {
    for (const operation of operations) {
      this.#replaceOlder(operation);
      this.#add(operation);
    }
  }

  /** The operations that this one made stale first, newest first. */
  madeStaleBy(newer: FileOperation): readonly FileOperation[] {
    return this.#madeStale.get(newer) ?? [];
  }

  /** A call that touches several files is current while one of its operations is. */
  isCurrent(fact: CallFact): boolean {
    return (this.#left.get(fact) ?? 0) > 0;
  }

  #replaceOlder(newer: FileOperation): void {
    const { replacesAll, replacesViews, replacesOthers } = this.#rule;
    const all = replacesAll(newer);
    const covers = ({ touch }: FileOperation) => all || coversRange(newer.touch.range, touch.range);
    const views = all || replacesViews(newer) ? this.#take(this.#views, newer, covers) : [];
    const others = all || replacesOthers(newer) ? this.#take(this.#others, newer, () => true) : [];
    const stale = [...views, ...others].sort((a, b) => b.fact.result - a.fact.result);
    if (stale.length === 0) return;
    this.#undoLog.set(this.#madeStale, newer, stale);
    for (const { fact } of stale) this.#undoLog.set(this.#left, fact, (this.#left.get(fact) ?? 1) - 1);
  }

  /** Removes from a file's list the operations of earlier steps that the newer one replaces. */
  #take(
    lists: Map<string, FileOperation[]>,
    { touch, fact }: FileOperation,
    replaces: (older: FileOperation) => boolean,
  ): readonly FileOperation[] {
    const known = lists.get(touch.path) ?? [];
    const sameStep = known.findIndex((older) => older.fact.step >= fact.step);
    const earlier = sameStep < 0 ? known : known.slice(0, sameStep);
    const taken = earlier.filter(replaces);
    if (taken.length === 0) return taken;
    const kept = earlier.filter((older) => !replaces(older)).concat(known.slice(earlier.length));
    this.#undoLog.set(lists, touch.path, kept);
    return taken;
  }

  #add(operation: FileOperation): void {
    const { fact, touch } = operation;
    const lists = isView(operation) ? this.#views : this.#others;
    const known = lists.get(touch.path);
    if (known) this.#undoLog.push(known, operation);
    else this.#undoLog.set(lists, touch.path, [operation]);
    this.#undoLog.set(this.#left, fact, (this.#left.get(fact) ?? 0) + 1);
  }
}

/** Does the call show the agent the file's text? A read or a write does, but not a write by the shell. */
export function isView({ touch, fact }: FileOperation): boolean {
  return touch.operation === "read" || (touch.operation === "write" && fact.use.kind !== "shell");
}
