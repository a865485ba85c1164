import fc from "fast-check";
import { hashText } from "../src/transcript/hash.ts";

/**
 * A seed for this one test, from the global one and the test's name. Otherwise tests with the same generators would
 * all use the same few cases.
 */
export function ownSeed(name: string): { readonly seed?: number } {
  const { seed } = fc.readConfigureGlobal();
  return seed === undefined ? {} : { seed: (seed + Number.parseInt(hashText(name).slice(0, 7), 16)) | 0 };
}

/**
 * Is it certain what this many cases contain? Under the seed of this repository it is known for any number. Under
 * another it takes enough of them.
 */
export function isCertain(drawn: number, enough: number): boolean {
  return process.env.SEED === undefined || drawn >= enough;
}
