import { InvalidArgumentError } from "commander";

/** A whole number above zero, in the usual forms: `20`, `20000`, `20k`, `1.5m`. */
export function parseCount(text: string): number {
  return readCount(text, "Give a whole number above zero, such as 20.");
}

/** The same, for an option that counts tokens. */
export function parseTokens(text: string): number {
  return readCount(text, "Give a whole number above zero, such as 50000 or 50k.");
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError("Give a port from 1 to 65535, such as 8787.");
  return port;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000 };

function readCount(text: string, hint: string): number {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.replaceAll(/[,_]/g, "")) ?? [];
  const count = Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  if (!(count > 0)) throw new InvalidArgumentError(hint);
  return count;
}
