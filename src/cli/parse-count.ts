import { InvalidArgumentError } from "commander";

/** A whole number above zero, as people write it: `20000`, `20k`, `1.5m`. */
export function parseCount(text: string): number {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.replaceAll(/[,_]/g, "")) ?? [];
  const count = Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  if (!(count > 0)) throw new InvalidArgumentError("Give a whole number above zero, such as 50000 or 50k.");
  return count;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000 };
