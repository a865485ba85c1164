/** Any value in the form for messages: short, on one line. */
export function showValue(value: unknown): string {
  try {
    return show(value);
  } catch {
    // A revoked proxy does not even reveal whether it is a list.
    return "a value that can't be read";
  }
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return shorten(typeof value === "string" ? JSON.stringify(value) : String(value));
}

/** As much of a text as fits into a message. */
export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
