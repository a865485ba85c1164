import { isDeepStrictEqual } from "node:util";

/** Equal as data: parsers give objects of different prototypes. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}
