/** A JSON object of unknown shape. */
export type JsonRecord = { readonly [key: string]: unknown };

/** An object with fields: no list, no `null`. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
