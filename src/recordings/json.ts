import { isRecord, type JsonRecord } from "../json.ts";

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
export function timeOf(record: JsonRecord): number | undefined {
  const time = Date.parse(stringAt(record, "timestamp") ?? "");
  return Number.isNaN(time) ? undefined : time;
}
