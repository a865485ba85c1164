/** What kind of value follows, and that an object has no more fields. */
const LIST: unique symbol = Symbol("list");
const OBJECT: unique symbol = Symbol("object");
const END: unique symbol = Symbol("end");

/** Nothing nested deeper (a cycle is) is seen. */
const MAX_DEPTH = 64;

/**
 * What one look at a message has seen, in order. A later look that sees just the same has found the same message.
 *
 *   const trace = new Trace();
 *   look(message, trace);      // notes
 *   trace.rewind();
 *   look(again, trace);        // compares: false at the first difference
 */
export class Trace {
  readonly #seen: unknown[] = [];
  #next = -1;

  /** From now on it compares, from the beginning. */
  rewind(): void {
    this.#next = 0;
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
    if (!this.see(OBJECT)) return false;
    for (const key in value)
      if (!this.see(key) || !this.seeAll(Reflect.get(value, key), depth + 1)) return false;
    return this.see(END);
  }
}
