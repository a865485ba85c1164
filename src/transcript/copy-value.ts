/**
 * A copy of a JSON-like value that nobody else can change, of any depth and with any cycles. Strings and bytes (typed
 * arrays) are shared.
 */
export function copyValue(value: unknown): unknown {
  const copies = new Map<object, object>();
  const open: object[] = [];
  const copyOf = (item: unknown): unknown => {
    if (typeof item !== "object" || item === null || ArrayBuffer.isView(item)) return item;
    const known = copies.get(item);
    if (known) return known;
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

/** `__proto__` is a key like any other in JSON. */
function setOwn(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") Reflect.set(target, key, value);
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
