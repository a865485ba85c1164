import { readFileSync } from "node:fs";
import { isRecord } from "../json.ts";

export function packageVersion(): string {
  const file: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return isRecord(file) ? String(file.version) : "";
}
