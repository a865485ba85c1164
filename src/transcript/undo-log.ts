/** A change that can undo itself completely. */
export interface Undoable {
  undo(): void;
}

/**
 * Every write to the fold's state goes through an undo log, so that a request's checkpoint is just a position in it
 * (its mark). Rolling back takes time only for the writes that it undoes.
 */
export class UndoLog {
  /** Triples: the target, the key (or `POP`), the previous value; or a change of many fields, `UNDO` and nothing. */
  #log: unknown[] = [];
  /** The first mark that can still be reached. */
  #start = 0;

  mark(): number {
    return this.#start + this.#log.length;
  }

  /** Makes the writes before a mark final, and forgets them: nothing can go back behind that mark any more. */
  settle(mark: number): void {
    if (mark <= this.#start) return;
    this.#log = this.#log.slice(mark - this.#start);
    this.#start = mark;
  }

  /** Can it still go back to this mark? */
  reaches(mark: number): boolean {
    return mark >= this.#start;
  }

  rollback(mark: number): void {
    if (!this.reaches(mark))
      throw new RangeError(`the writes before mark ${this.#start} are final, and so is ${mark}`);
    const log = this.#log;
    while (this.#start + log.length > mark) {
      const previous = log.pop();
      const key = log.pop();
      const target = log.pop();
      if (key === UNDO) {
        (target as Undoable).undo();
      } else if (target instanceof Map) {
        if (previous === undefined) target.delete(key);
        else target.set(key, previous);
      } else if (key === POP) {
        (target as unknown[]).pop();
      } else {
        (target as Record<PropertyKey, unknown>)[key as PropertyKey] = previous;
      }
    }
  }

  /** Sets a map's entry. The value must not be `undefined`: on rollback that means that there was no entry. */
  set<K, V extends NonNullable<unknown>>(map: Map<K, V>, key: K, value: V): void {
    this.#log.push(map, key, map.get(key));
    map.set(key, value);
  }

  remove<K, V extends NonNullable<unknown>>(map: Map<K, V>, key: K): void {
    if (!map.has(key)) return;
    this.#log.push(map, key, map.get(key));
    map.delete(key);
  }

  /** Records a change of many fields. */
  note(change: Undoable): void {
    this.#log.push(change, UNDO, undefined);
  }

  push<T>(list: T[], item: T): void {
    this.#log.push(list, POP, undefined);
    list.push(item);
  }

  /** Sets a field of a state object, or an existing element of an array. */
  put<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void {
    this.#log.push(target, key, target[key]);
    target[key] = value;
  }
}

const POP = Symbol("pop");
const UNDO = Symbol("undo");
