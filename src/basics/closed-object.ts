/**
 * Is it an object that is not JSON and hides its contents: a `Date`, a `Map`, a `Set`, a `URL`? An object with
 * fields shows them, and bytes show their values.
 *
 *   {}, { a: 1 }, [], new Point(1, 2), new Uint8Array(2)   ->  no
 *   new Date(), new Map([[1, 2]]), /a/                     ->  yes
 */
export function isClosed(value: object): boolean {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // In every realm, the prototype of plain objects has no prototype itself.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return false;
  return Object.keys(value).length === 0;
}

/**
 * Do they have the same contents, as far as is known? Dates can be compared; any other object equals only itself.
 */
export function sameClosed(a: object, b: object): boolean {
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  return a === b;
}
