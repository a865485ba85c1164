import { isClosed } from "../basics/closed-object.ts";
import { setOwn } from "../basics/json.ts";

/**
 * A copy of a JSON-like value that nobody else can change. Strings are shared. Cycles stay cycles, and any depth is
 * allowed. Bytes (typed arrays) and objects that are not JSON (a `Map`) are not copied: changing those in place is
 * not noticed.
 */
export function copyValue(value: unknown): unknown {
  const copies = new Map<object, object>();
  const open: object[] = [];
  const copyOf = (item: unknown): unknown => {
    if (typeof item !== "object" || item === null || ArrayBuffer.isView(item)) return item;
    const known = copies.get(item);
    if (known) return known;
    if (isClosed(item)) return item instanceof Date ? new Date(item) : item;
    const copy = Array.isArray(item) ? new Array(item.length) : {};
    copies.set(item, copy);
    open.push(item);
    return copy;
  };
  const root = copyOf(value);
  for (let source = open.pop(); source; source = open.pop()) {
    const copy = copies.get(source) as object;
    for (const key in source) setOwn(copy, key, copyOf(Reflect.get(source, key)));
  }
  return root;
}
