/** A JSON object of unknown shape. */
export type JsonRecord = { readonly [key: string]: unknown };

/** An object with fields: no list, no `null`. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `__proto__` is a key like any other in JSON. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
