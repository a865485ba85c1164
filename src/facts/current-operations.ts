import type { Journal } from "../transcript/journal.ts";
import type { CallFact } from "./calls.ts";
import type { FileOperation } from "./files.ts";

/** What an operation on a file makes of those before it. */
export interface FileRule {
  /** Does it make anything stale at all? */
  replacesAny(newer: FileOperation): boolean;
  /** Does it make everything older stale? */
  replacesAll(newer: FileOperation): boolean;
  /** Where it doesn't: does it make this one stale? */
  replaces(newer: FileOperation, older: FileOperation): boolean;
}

/** The operations on files that none of a later step has made stale, under one rule. Each becomes stale once. */
export class CurrentOperations {
  readonly #byPath = new Map<string, FileOperation[]>();
  /** How many operations of a call are current. */
  readonly #left = new Map<CallFact, number>();
  readonly #madeStale = new Map<FileOperation, readonly FileOperation[]>();
  readonly #journal: Journal;
  readonly #rule: FileRule;

  constructor(journal: Journal, rule: FileRule) {
    this.#journal = journal;
    this.#rule = rule;
  }

  ingest(operations: readonly FileOperation[]): void {
    for (const operation of operations) {
      this.#replaceOlder(operation);
      this.#add(operation);
    }
  }

  /** The operations that this one was the first to make stale, newest first. */
  madeStaleBy(newer: FileOperation): readonly FileOperation[] {
    return this.#madeStale.get(newer) ?? [];
  }

  /** A call that touches several files is current while one of its operations is. */
  isCurrent(fact: CallFact): boolean {
    return (this.#left.get(fact) ?? 0) > 0;
  }

  #replaceOlder(newer: FileOperation): void {
    const { path } = newer.touch;
    const current = this.#byPath.get(path);
    if (!current || !this.#rule.replacesAny(newer)) return;
    const stale = current.filter((older) => this.#supersedes(newer, older));
    if (stale.length === 0) return;
    this.#journal.set(this.#madeStale, newer, stale.reverse());
    const kept =
      stale.length === current.length ? [] : current.filter((older) => !this.#supersedes(newer, older));
    this.#journal.set(this.#byPath, path, kept);
    for (const { fact } of stale) this.#journal.set(this.#left, fact, (this.#left.get(fact) ?? 1) - 1);
  }

  #add(operation: FileOperation): void {
    const { fact, touch } = operation;
    const current = this.#byPath.get(touch.path);
    if (current) this.#journal.push(current, operation);
    else this.#journal.set(this.#byPath, touch.path, [operation]);
    this.#journal.set(this.#left, fact, (this.#left.get(fact) ?? 0) + 1);
  }

  #supersedes(newer: FileOperation, older: FileOperation): boolean {
    const { replacesAll, replaces } = this.#rule;
    return older.fact.step < newer.fact.step && (replacesAll(newer) || replaces(newer, older));
  }
}
