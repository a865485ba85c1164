/** Recorded before the values of a list or of an object, and after the last field of an object. */
const LIST: unique symbol = Symbol("list");
const OBJECT: unique symbol = Symbol("object");
const END: unique symbol = Symbol("end");

/** A value nested deeper than this (such as a cycle) can't be recognised. */
const MAX_DEPTH = 64;

const NONE: readonly string[] = [];

/**
 * Records what a `look` at a message shows, in order. A later look that shows exactly the same has found the same
 * message.
 *
 *   const trace = new Trace();
 *   look(message, trace);      // notes
 *   trace.rewind();
 *   look(again, trace);        // compares: false at the first difference
 *   trace.isThrough;           // nothing is missing at its end
 */
export class Trace {
  #seen: unknown[] = [];
  #next = -1;

  /** From now on, `see` compares from the beginning and no longer records. */
  rewind(): void {
    // It is kept from now on: the copy takes no more room than it needs.
    if (this.#next < 0) this.#seen = this.#seen.slice();
    this.#next = 0;
  }

  /** Was everything that was recorded seen again? */
  get isThrough(): boolean {
    return this.#next === this.#seen.length;
  }

  see(value: unknown): boolean {
    if (this.#next >= 0) return this.#seen[this.#next++] === value;
    this.#seen.push(value);
    return true;
  }

  /** Shows a JSON value with all its contents. */
  seeAll(value: unknown, depth = 0): boolean {
    if (typeof value !== "object" || value === null) return this.see(value);
    if (depth === MAX_DEPTH) return false;
    if (Array.isArray(value)) {
      if (!this.see(LIST) || !this.see(value.length)) return false;
      for (let i = 0; i < value.length; i++) if (!this.seeAll(value[i], depth + 1)) return false;
      return true;
    }
    return this.seeFields(value, NONE, depth);
  }

  /** Shows an object with all its contents, except these fields. */
  seeFields(value: object, without: readonly string[], depth = 0): boolean {
    if (!isPlain(value) || !this.see(OBJECT)) return false;
    for (const key in value) {
      if (without.includes(key)) continue;
      if (!this.see(key) || !this.seeAll(Reflect.get(value, key), depth + 1)) return false;
    }
    return this.see(END);
  }
}

/** A value that is not JSON (bytes, a date, an instance of a class) does not show all its contents. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
