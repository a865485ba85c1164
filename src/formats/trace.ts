/** Noted before the values of a list or of an object, and after the last field of an object. */
const LIST: unique symbol = Symbol("list");
const OBJECT: unique symbol = Symbol("object");
const END: unique symbol = Symbol("end");

/** A value nested deeper than this (as a cycle is) can't be recognised. */
const MAX_DEPTH = 64;

const NONE: readonly string[] = [];

/**
 * What a `look` at a message has shown, in order. A later look that shows exactly the same has found the same message.
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

  /** From now on `see` compares, from the beginning, instead of noting. */
  rewind(): void {
    // It is kept from now on: the copy takes no more room than it needs.
    if (this.#next < 0) this.#seen = this.#seen.slice();
    this.#next = 0;
  }

  /** Has all that was noted been seen again? */
  get isThrough(): boolean {
    return this.#next === this.#seen.length;
  }

  see(value: unknown): boolean {
    if (this.#next >= 0) return this.#seen[this.#next++] === value;
    this.#seen.push(value);
    return true;
  }

  /** A JSON value with all that is in it. */
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

  /** An object with all that is in it, but for these fields. */
  seeFields(value: object, without: readonly string[], depth = 0): boolean {
    if (!isPlain(value) || !this.see(OBJECT)) return false;
    for (const key in value) {
      if (without.includes(key)) continue;
      if (!this.see(key) || !this.seeAll(Reflect.get(value, key), depth + 1)) return false;
    }
    return this.see(END);
  }
}

/** What is no JSON (bytes, a date, an instance of a class) does not show all that it holds. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
