import { isRecord, type JsonRecord } from "../basics/json.ts";

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

export function stringAt(object: JsonRecord | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(object: JsonRecord | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === "number" ? value : undefined;
}

export function objectAt(object: JsonRecord | undefined, key: string): JsonRecord | undefined {
  const value = object?.[key];
  return isRecord(value) ? value : undefined;
}

export function listAt(object: JsonRecord | undefined, key: string): readonly unknown[] {
  const value = object?.[key];
  return Array.isArray(value) ? value : [];
}

/** The `timestamp` of a record, in milliseconds: hosts write an ISO date. */
export function timeOf(record: JsonRecord | undefined): number | undefined {
  return parseTime(stringAt(record, "timestamp"));
}

/** The time of an ISO date. Python writes no zone: such a date is read as UTC, so that all machines agree. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes("T");
  const time = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Seconds since 1970, as Python counts them, in milliseconds. */
export function fromSeconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
