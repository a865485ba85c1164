import type { Issue } from "./issue.ts";
import { showValue } from "./show-value.ts";

/** The requirements for a field from a caller. */
export interface Field {
  readonly expected: string;
  fits(value: unknown): boolean;
  /** An explicit `undefined` is a value too, and differs from a missing field. */
  readonly takesNothing?: true;
}

/** A `Field` for every field of T. */
export type FieldChecks<T> = { readonly [K in keyof T]-?: Field };

export const TEXT: Field = { expected: "a string", fits: (value) => typeof value === "string" };
export const FLAG: Field = { expected: "true or false", fits: (value) => typeof value === "boolean" };
export const COUNT: Field = {
  expected: "a number ≥ 0",
  fits: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
};
export const SIZE: Field = {
  expected: "a number above 0",
  fits: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
};
export const TIME: Field = {
  expected: "a time in milliseconds",
  fits: (value) => typeof value === "number" && Number.isFinite(value),
};

/**
 * The valid fields of an object. An invalid or unreadable field is reported and left out, as if it were missing.
 * Never throws, whatever the object does.
 */
export function readFields<T>(
  input: unknown,
  fields: FieldChecks<T>,
  report: (problem: string) => void,
): Partial<T> {
  const read: Partial<Record<string, unknown>> = {};
  const from: object = Object(input);
  for (const name in fields) {
    const field: Field = fields[name];
    try {
      const value: unknown = Reflect.get(from, name);
      if (value === undefined && !(field.takesNothing && name in from)) continue;
      if (value === undefined || field.fits(value)) read[name] = value;
      else report(`${name}: expected ${field.expected}, got ${showValue(value)}; left out`);
    } catch {
      report(`${name}: expected ${field.expected}, and it can't be read; left out`);
    }
  }
  return read as Partial<T>;
}

/** A caller's mistake: the field is ignored, and the rest of the request is used. */
export function invalidRequest(message: string): Issue {
  return { code: "invalid-request", message, severity: "warning" };
}
