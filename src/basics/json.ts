/** A JSON object of unknown shape. */
export type JsonRecord = { readonly [key: string]: unknown };

/** An object with fields: not an array, not `null`. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** In JSON, `__proto__` is a key like any other. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
