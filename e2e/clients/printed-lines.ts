import { isRecord, type JsonRecord } from "../../src/basics/json.ts";

/** The lines of an output that are JSON objects. */
export function printedLines(stdout: string): readonly JsonRecord[] {
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? [value] : [];
  });
}

/** The text in a field, if there is one. */
export function textIn(value: unknown, field: string): string | undefined {
  const found = isRecord(value) ? value[field] : undefined;
  return typeof found === "string" ? found : undefined;
}
