import { isRecord } from "../../basics/json.ts";
import { normalizePath } from "../../tool-kinds/paths.ts";

const PATH_LINE = /^(?:File|Path):[ \t]*(\S.*)$/m;
const FIRST_CHARACTERS = 2_000;

/**
 * The file that a result's own text names. Only for a result without a call: with one, the arguments name it.
 *
 *   {"path": "src/a.ts", "content": "…"}    ->  src/a.ts
 *   File: src/a.ts\n1 import …              ->  src/a.ts
 */
export function findResultPath(text: string): string | undefined {
  const path = readJsonPath(text) ?? PATH_LINE.exec(text.slice(0, FIRST_CHARACTERS))?.[1]?.trimEnd();
  return path === undefined ? undefined : normalizePath(path.replace(/^[`"']|[`"']$/g, ""));
}

function readJsonPath(text: string): string | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const path = value.path ?? value.file ?? value.filePath;
    return typeof path === "string" && path !== "" ? path : undefined;
  } catch {
    return undefined;
  }
}
