import { isRecord, type JsonRecord } from "../basics/json.ts";
import { rememberText } from "../basics/remember.ts";
import { writeJson } from "../basics/write-json.ts";
import { nameInNamespace } from "../tool-kinds/name-in-namespace.ts";
import { estimateTokens } from "../transcript/estimate.ts";

/** The body as an object; `undefined` for anything else. */
export function parseBody(body: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function stringIn(record: unknown, field: string): string | undefined {
  const value = isRecord(record) ? record[field] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Does one of these fields contain any tools? */
export function hasToolsIn(body: JsonRecord, fields: readonly string[]): boolean {
  return fields.some((field) => {
    const tools = body[field];
    return Array.isArray(tools) && tools.length > 0;
  });
}

/**
 * The names in lists of tools, in the format of any interface.
 *
 *   { name }, { type: "function", function: { name } }, { functionDeclarations: [{ name }] },
 *   { type: "namespace", name, tools: [{ name }] }
 */
export function toolNamesIn(...lists: readonly unknown[]): readonly string[] {
  return lists
    .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .flatMap((tool) => {
      if (!isRecord(tool)) return [];
      const declared = tool.functionDeclarations ?? tool.function_declarations;
      if (Array.isArray(declared)) return declared.flatMap((each) => stringIn(each, "name") ?? []);
      if (tool.type === "namespace")
        return toolNamesIn(tool.tools).map((name) => nameInNamespace(tool.name, name));
      return stringIn(tool, "name") ?? stringIn(tool.function, "name") ?? [];
    });
}

/** Tokens of the text before the messages. A repeated text, as in every step of a session, is not counted again. */
export function countPrefix(...values: readonly unknown[]): number {
  return values.flatMap(listTexts).reduce((sum, text) => sum + countText(text), 0);
}

/** The text as the model gets it, if known; for other values, their JSON. */
function listTexts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.length === 0) return [];
  const blocks = isRecord(value) && Array.isArray(value.parts) ? value.parts : value;
  if (!Array.isArray(blocks) || !blocks.some(isText))
    return [isText(value) ? readText(value) : writeJson(value)];
  return blocks.map((block) => (isText(block) ? readText(block) : writeJson(block)));
}

type Text = string | { readonly text: string };

function isText(value: unknown): value is Text {
  return typeof value === "string" || (isRecord(value) && typeof value.text === "string");
}

function readText(value: Text): string {
  return typeof value === "string" ? value : value.text;
}

/** Room for several sessions' prefixes: tools have 20,000 to 300,000 characters. */
const countText = rememberText(estimateTokens, 8_000_000);
