/**
 * An object that is no JSON and whose fields do not tell what it holds: a `Date`, a `Map`, a `Set`, a `URL`. One with
 * fields is known by those, and bytes are known by theirs.
 *
 *   {}, { a: 1 }, [], new Point(1, 2), new Uint8Array(2)   ->  no
 *   new Date(), new Map([[1, 2]]), /a/                     ->  yes
 */
export function isClosed(value: object): boolean {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of plain objects has none itself, in every realm.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return false;
  return Object.keys(value).length === 0;
}

/** Do they hold the same, as far as can be told? Dates tell; of anything else only the very same one is the same. */
export function sameClosed(a: object, b: object): boolean {
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  return a === b;
}
