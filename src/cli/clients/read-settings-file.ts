import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { readJsonc } from "../../config/jsonc.ts";

/** A client's settings in JSON or TOML; empty if the file is missing or unreadable. */
export function readSettingsFile(file: string): JsonRecord {
  try {
    const text = readFileSync(file, "utf8");
    const value: unknown = file.endsWith(".toml")
      ? parse(text.replace(/^\uFEFF/, ""))
      : readJsonc(text).value;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The value at a path, if it is a string. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
  return typeof found === "string" && found !== "" ? found : undefined;
}
